export {
  type AcceptanceAuthorityChangedEvent,
  listAcceptanceAuthorityChanged,
  watchAcceptanceAuthorityChanged,
} from './acceptance-authority-changed.ts'
export {
  type ListTaskEventsParameters,
  listTaskEvents,
  type WatchTaskEventsParameters,
  watchTaskEvents,
} from './all-task-events.ts'
export type { AnyTaskEvent, TaskEvent, TaskEventName, TaskEventTarget } from './define-task-event.ts'
export { type EscrowReclaimedEvent, listEscrowReclaimed, watchEscrowReclaimed } from './escrow-reclaimed.ts'
export { type ForeignReclaimedEvent, listForeignReclaimed, watchForeignReclaimed } from './foreign-reclaimed.ts'
export {
  type FulfillmentAcceptedEvent,
  listFulfillmentAccepted,
  watchFulfillmentAccepted,
} from './fulfillment-accepted.ts'
export {
  type FulfillmentClaimedUnjudgedEvent,
  listFulfillmentClaimedUnjudged,
  watchFulfillmentClaimedUnjudged,
} from './fulfillment-claimed-unjudged.ts'
export {
  type FulfillmentRejectedEvent,
  listFulfillmentRejected,
  watchFulfillmentRejected,
} from './fulfillment-rejected.ts'
export {
  type FulfillmentSubmittedEvent,
  listFulfillmentSubmitted,
  watchFulfillmentSubmitted,
} from './fulfillment-submitted.ts'
export { listPayoutCredited, type PayoutCreditedEvent, watchPayoutCredited } from './payout-credited.ts'
export { listPayoutWithdrawn, type PayoutWithdrawnEvent, watchPayoutWithdrawn } from './payout-withdrawn.ts'
export { listResidualReclaimed, type ResidualReclaimedEvent, watchResidualReclaimed } from './residual-reclaimed.ts'
export { listSubmissionReleased, type SubmissionReleasedEvent, watchSubmissionReleased } from './submission-released.ts'
export { listTaskApproval, type TaskApprovalEvent, watchTaskApproval } from './task-approval.ts'
export {
  listTaskApprovalForAll,
  type TaskApprovalForAllEvent,
  watchTaskApprovalForAll,
} from './task-approval-for-all.ts'
export {
  listTaskDocumentPublished,
  type TaskDocumentPublishedEvent,
  watchTaskDocumentPublished,
} from './task-document-published.ts'
export { listTaskFrozen, type TaskFrozenEvent, watchTaskFrozen } from './task-frozen.ts'
export { listTaskTransfer, type TaskTransferEvent, watchTaskTransfer } from './task-transfer.ts'
export {
  listTaskUpdateAuthorityChanged,
  type TaskUpdateAuthorityChangedEvent,
  watchTaskUpdateAuthorityChanged,
} from './task-update-authority-changed.ts'
export { listTaskUpdated, type TaskUpdatedEvent, watchTaskUpdated } from './task-updated.ts'
export { listTaskURIUpdated, type TaskURIUpdatedEvent, watchTaskURIUpdated } from './task-uri-updated.ts'
export { listTenderCancelled, type TenderCancelledEvent, watchTenderCancelled } from './tender-cancelled.ts'
export { listTenderFunded, type TenderFundedEvent, watchTenderFunded } from './tender-funded.ts'
