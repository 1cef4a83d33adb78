export {
  type AgentOwnershipTransferStartedEvent,
  listAgentOwnershipTransferStarted,
  watchAgentOwnershipTransferStarted,
} from './agent-ownership-transfer-started.ts'
export {
  type AgentOwnershipTransferredEvent,
  listAgentOwnershipTransferred,
  watchAgentOwnershipTransferred,
} from './agent-ownership-transferred.ts'
export { type AgentPausedEvent, listAgentPaused, watchAgentPaused } from './agent-paused.ts'
export { type AgentUnpausedEvent, listAgentUnpaused, watchAgentUnpaused } from './agent-unpaused.ts'
export { type AgentURIUpdatedEvent, listAgentURIUpdated, watchAgentURIUpdated } from './agent-uri-updated.ts'
export {
  type ListAgentEventsParameters,
  listAgentEvents,
  type WatchAgentEventsParameters,
  watchAgentEvents,
} from './all-agent-events.ts'
export { type ClaimFailedEvent, listClaimFailed, watchClaimFailed } from './claim-failed.ts'
export type { AgentEvent, AgentEventName, AgentEventTarget, AnyAgentEvent } from './define-agent-event.ts'
export {
  type ExchangeRateUpdatedEvent,
  listExchangeRateUpdated,
  watchExchangeRateUpdated,
} from './exchange-rate-updated.ts'
export { type ExecutedEvent, listExecuted, watchExecuted } from './executed.ts'
export { type ExecutorUpdatedEvent, listExecutorUpdated, watchExecutorUpdated } from './executor-updated.ts'
export {
  type FeeRecipientUpdatedEvent,
  listFeeRecipientUpdated,
  watchFeeRecipientUpdated,
} from './fee-recipient-updated.ts'
export { type FeesClaimedEvent, listFeesClaimed, watchFeesClaimed } from './fees-claimed.ts'
export { type FeesUpdatedEvent, listFeesUpdated, watchFeesUpdated } from './fees-updated.ts'
export { type GuardUpdatedEvent, listGuardUpdated, watchGuardUpdated } from './guard-updated.ts'
export { type GuardianUpdatedEvent, listGuardianUpdated, watchGuardianUpdated } from './guardian-updated.ts'
export { type LimitSetEvent, listLimitSet, watchLimitSet } from './limit-set.ts'
export { listMintRequested, type MintRequestedEvent, watchMintRequested } from './mint-requested.ts'
export { listRateConfirmed, type RateConfirmedEvent, watchRateConfirmed } from './rate-confirmed.ts'
export { listReasoned, type ReasonedEvent, watchReasoned } from './reasoned.ts'
export { listReceived, type ReceivedEvent, watchReceived } from './received.ts'
export { listReclaimed, type ReclaimedEvent, watchReclaimed } from './reclaimed.ts'
export { listRedeemRequested, type RedeemRequestedEvent, watchRedeemRequested } from './redeem-requested.ts'
export { listSettled, type SettledEvent, watchSettled } from './settled.ts'
export { listSettlementDetail, type SettlementDetailEvent, watchSettlementDetail } from './settlement-detail.ts'
export { listSettlementSkipped, type SettlementSkippedEvent, watchSettlementSkipped } from './settlement-skipped.ts'
export { listSettlementStopped, type SettlementStoppedEvent, watchSettlementStopped } from './settlement-stopped.ts'
export { listShareApproval, type ShareApprovalEvent, watchShareApproval } from './share-approval.ts'
export { listShareTransfer, type ShareTransferEvent, watchShareTransfer } from './share-transfer.ts'
export { listSharesMinted, type SharesMintedEvent, watchSharesMinted } from './shares-minted.ts'
export { listSharesRedeemed, type SharesRedeemedEvent, watchSharesRedeemed } from './shares-redeemed.ts'
export { listValuationAdded, type ValuationAddedEvent, watchValuationAdded } from './valuation-added.ts'
export { listValuationRemoved, type ValuationRemovedEvent, watchValuationRemoved } from './valuation-removed.ts'
