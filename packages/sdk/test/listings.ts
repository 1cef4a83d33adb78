import type { batchReceiptVerifierAbi, hashlockVerifierAbi } from '@oikos/core/abi'
import type { Client, ContractEventName } from 'viem'
import { expect } from 'vitest'
import * as sdk from '../src/index.ts'

type Listing<event> = (client: Client, parameters: never) => Promise<sdk.EventPage<event>>

/** Does not compile while an event of the task contract has no listing. */
export const taskListings = {
  AcceptanceAuthorityChanged: sdk.listAcceptanceAuthorityChanged,
  Approval: sdk.listTaskApproval,
  ApprovalForAll: sdk.listTaskApprovalForAll,
  EscrowReclaimed: sdk.listEscrowReclaimed,
  ForeignReclaimed: sdk.listForeignReclaimed,
  FulfillmentAccepted: sdk.listFulfillmentAccepted,
  FulfillmentClaimedUnjudged: sdk.listFulfillmentClaimedUnjudged,
  FulfillmentRejected: sdk.listFulfillmentRejected,
  FulfillmentSubmitted: sdk.listFulfillmentSubmitted,
  PayoutCredited: sdk.listPayoutCredited,
  PayoutWithdrawn: sdk.listPayoutWithdrawn,
  ResidualReclaimed: sdk.listResidualReclaimed,
  SubmissionReleased: sdk.listSubmissionReleased,
  TaskDocumentPublished: sdk.listTaskDocumentPublished,
  TaskFrozen: sdk.listTaskFrozen,
  TaskURIUpdated: sdk.listTaskURIUpdated,
  TaskUpdateAuthorityChanged: sdk.listTaskUpdateAuthorityChanged,
  TaskUpdated: sdk.listTaskUpdated,
  TenderCancelled: sdk.listTenderCancelled,
  TenderFunded: sdk.listTenderFunded,
  Transfer: sdk.listTaskTransfer,
} satisfies { [name in sdk.TaskEventName]: Listing<sdk.TaskEvent<name>> }

type VerifierEventName =
  | ContractEventName<typeof hashlockVerifierAbi>
  | ContractEventName<typeof batchReceiptVerifierAbi>

/** Does not compile while an event of a stock verifier has no listing. */
export const verifierListings = {
  AnswerCommitted: sdk.listAnswerCommitted,
  BatchRootCommitted: sdk.listBatchRootCommitted,
} satisfies Record<VerifierEventName, Listing<unknown>>

/**
 * Expects each listing to give the same events as the history of the whole contract, and the history to have these.
 */
export async function expectListings(
  client: Client,
  task: `0x${string}`,
  names: readonly sdk.TaskEventName[],
): Promise<void> {
  const { events } = await sdk.listTaskEvents(client, { task, fromBlock: 0n })
  expect([...new Set(events.map(({ eventName }) => eventName))]).toEqual(expect.arrayContaining([...names]))
  for (const [name, list] of Object.entries(taskListings)) {
    const page = await list(client, { task, fromBlock: 0n })
    expect(page.events).toEqual(events.filter(({ eventName }) => eventName === name))
  }
}
