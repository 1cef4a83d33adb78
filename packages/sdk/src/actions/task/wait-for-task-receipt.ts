import { taskTokenAbi } from '@oikos/core/abi'
import type { Client, Hash } from 'viem'
import { decodeEvents } from '../../events/contract-event.ts'
import type { AnyTaskEvent } from '../../events/task/define-task-event.ts'
import { type Receipt, type WaitParameters, waitForReceipt } from '../receipt.ts'
import { assertChain, type ContractTarget } from '../target.ts'

/** Parameters of {@link waitForTaskReceipt}. */
export type WaitForTaskReceiptParameters = ContractTarget & Omit<WaitParameters, 'onSent'> & { hash: Hash }

/** A transaction that was sent earlier, now on the chain. */
export type TaskReceipt = { hash: Hash; receipt: Receipt; events: readonly AnyTaskEvent[] }

/**
 * Waits for a transaction that was sent before, and decodes what it did to one task contract.
 * @throws TransactionPendingError, TransactionRevertedError, WrongChainError, RpcError
 */
export async function waitForTaskReceipt(
  client: Client,
  parameters: WaitForTaskReceiptParameters,
): Promise<TaskReceipt> {
  await assertChain(client, parameters.chainId)
  const receipt = await waitForReceipt(client, parameters, { contract: parameters.task })
  const events = decodeEvents(taskTokenAbi, parameters.task, receipt.logs)
  return { hash: receipt.transactionHash, receipt, events }
}
