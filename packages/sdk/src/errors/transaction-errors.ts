import type { Hash } from 'viem'
import { OikosError } from './oikos-error.ts'

/** A transaction was sent and its outcome is not known yet. Wait for its hash; sending again could pay twice. */
export class TransactionPendingError extends OikosError {
  override readonly name = 'TransactionPendingError'
  readonly hash: Hash
  readonly waitedMs: number

  constructor(hash: Hash, waitedMs: number, options: { cause?: unknown } = {}) {
    super(`Transaction ${hash} was sent and has not been confirmed after ${waitedMs / 1000} s.`, {
      advice: 'Wait for this hash; do not send the call again.',
      cause: options.cause,
    })
    this.hash = hash
    this.waitedMs = waitedMs
  }
}

/** A transaction was included and failed: what the simulation saw had changed by then. Only the gas is gone. */
export class TransactionRevertedError extends OikosError {
  override readonly name = 'TransactionRevertedError'
  readonly hash: Hash
  readonly blockNumber: bigint

  constructor(hash: Hash, blockNumber: bigint, options: { cause?: OikosError | undefined } = {}) {
    const { cause } = options
    super(
      `Transaction ${hash} failed in block ${blockNumber}: ${cause?.shortMessage ?? 'the node does not say why.'}`,
      {
        advice: cause?.advice ?? 'Read the current state and try again.',
        retryable: cause?.retryable ?? false,
        cause,
      },
    )
    this.hash = hash
    this.blockNumber = blockNumber
  }
}

/** A transaction succeeded without the event that reports its effect, so it was not the call that was sent. */
export class UnexpectedReceiptError extends OikosError {
  override readonly name = 'UnexpectedReceiptError'
  readonly hash: Hash
  readonly expectedEvent: string

  constructor(hash: Hash, expectedEvent: string) {
    super(`Transaction ${hash} succeeded without the event ${expectedEvent}.`, {
      advice: 'Check the contract address, and whether the wallet replaced the transaction by another one.',
    })
    this.hash = hash
    this.expectedEvent = expectedEvent
  }
}
