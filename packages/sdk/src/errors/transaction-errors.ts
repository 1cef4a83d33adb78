import type { Hash } from 'viem'
import { OikosError } from './oikos-error.ts'

/** A transaction was sent and its outcome is not known yet. Wait for its hash; sending again could pay twice. */
export class TransactionPendingError extends OikosError {
  override readonly name = 'TransactionPendingError'
  readonly hash: Hash
  /** 0 when already the sending was not answered. */
  readonly waitedMs: number

  constructor(hash: Hash, waitedMs: number, options: { cause?: unknown } = {}) {
    const state =
      waitedMs === 0
        ? 'may be on its way: the node did not answer when it was sent'
        : `was sent and has not been confirmed after ${waitedMs / 1000} s`
    super(`Transaction ${hash} ${state}.`, {
      advice: 'Wait for this hash; do not send the call again.',
      cause: options.cause,
    })
    this.hash = hash
    this.waitedMs = waitedMs
  }
}

/** A wallet was asked to send and did not answer, so there is no hash to wait for. Sending again could pay twice. */
export class SendOutcomeUnknownError extends OikosError {
  override readonly name = 'SendOutcomeUnknownError'

  constructor(options: { cause?: unknown } = {}) {
    super('The wallet did not say whether it sent the transaction.', {
      advice: 'Look at the latest transactions of the account before you send the call again.',
      cause: options.cause,
    })
  }
}

/** The node refused a transaction and does not have it. Nothing was sent. */
export class TransactionRefusedError extends OikosError {
  override readonly name = 'TransactionRefusedError'
  readonly hash: Hash

  constructor(hash: Hash, detail: string, options: { cause?: unknown } = {}) {
    super(`The node refused the transaction: ${detail}`, {
      advice: 'Check that nothing else sends from this account at the same time, and that the fees are high enough.',
      cause: options.cause,
    })
    this.hash = hash
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
