import { type Client, type Hash, type TransactionReceipt, WaitForTransactionReceiptTimeoutError } from 'viem'
import { call, getTransaction, waitForTransactionReceipt } from 'viem/actions'
import type { OikosError } from '../errors/oikos-error.ts'
import { type ErrorContext, toOikosError } from '../errors/to-oikos-error.ts'
import { TransactionPendingError, TransactionRevertedError } from '../errors/transaction-errors.ts'

/** A receipt as viem decodes it. */
export type Receipt = TransactionReceipt

/** How long a write is waited for. */
export type WaitParameters = {
  /** Blocks that must hold the transaction, its own included. Default 1. */
  confirmations?: number
  /** Default {@link DEFAULT_TIMEOUT_MS}. */
  timeoutMs?: number
  /** Told the hash as soon as the transaction is sent, before it is waited for. */
  onSent?: (hash: Hash) => void
}

/** Fifteen slots of Ethereum, twelve seconds each. */
export const DEFAULT_TIMEOUT_MS = 180_000

/**
 * Waits until a transaction is on the chain and succeeded.
 * @throws TransactionPendingError when the time is over and the outcome unknown, TransactionRevertedError when the
 *   transaction failed, RpcError
 */
export async function waitForReceipt(
  client: Client,
  parameters: Omit<WaitParameters, 'onSent'> & { hash: Hash },
  context: ErrorContext = {},
): Promise<Receipt> {
  const { hash, confirmations = 1, timeoutMs = DEFAULT_TIMEOUT_MS } = parameters
  let receipt: Receipt
  try {
    receipt = await waitForTransactionReceipt(client, { hash, confirmations, timeout: timeoutMs })
  } catch (error) {
    if (error instanceof WaitForTransactionReceiptTimeoutError) {
      throw new TransactionPendingError(hash, timeoutMs, { cause: error })
    }
    throw toOikosError(error, context)
  }
  if (receipt.status === 'success') return receipt
  const cause = await reasonOf(client, receipt, context)
  throw new TransactionRevertedError(receipt.transactionHash, receipt.blockNumber, { cause })
}

/** Why a transaction failed, by calling it again on the state after its block; undefined when that succeeds now. */
async function reasonOf(client: Client, receipt: Receipt, context: ErrorContext): Promise<OikosError | undefined> {
  try {
    const { from, to, input, value } = await getTransaction(client, { hash: receipt.transactionHash })
    if (to === null) return undefined
    await call(client, { account: from, to, data: input, value, blockNumber: receipt.blockNumber })
    return undefined
  } catch (error) {
    return toOikosError(error, context)
  }
}
