export {
  type AcceptFulfillmentParameters,
  acceptFulfillment,
  acceptFulfillmentAndWait,
  simulateAcceptFulfillment,
} from './accept-fulfillment.ts'
export { type ApproveTaskParameters, approveTask, approveTaskAndWait, simulateApproveTask } from './approve-task.ts'
export { type CancelTaskParameters, cancelTask, cancelTaskAndWait, simulateCancelTask } from './cancel-task.ts'
export {
  type ClaimShortfallParameters,
  claimShortfall,
  claimShortfallAndWait,
  simulateClaimShortfall,
} from './claim-shortfall.ts'
export {
  type ClaimUnjudgedParameters,
  claimUnjudged,
  claimUnjudgedAndWait,
  simulateClaimUnjudged,
} from './claim-unjudged.ts'
export type { ConfirmedTaskWrite } from './define-task-write.ts'
export { type FreezeTaskParameters, freezeTask, freezeTaskAndWait, simulateFreezeTask } from './freeze-task.ts'
export { type FundTaskParameters, fundTask, fundTaskAndWait, simulateFundTask } from './fund-task.ts'
export { type GetAcceptanceAuthorityParameters, getAcceptanceAuthority } from './get-acceptance-authority.ts'
export { type GetCompletionCountParameters, getCompletionCount } from './get-completion-count.ts'
export { type GetCompletionsInEpochParameters, getCompletionsInEpoch } from './get-completions-in-epoch.ts'
export { type GetContributionParameters, getContribution } from './get-contribution.ts'
export { type GetCreditParameters, getCredit } from './get-credit.ts'
export { type GetEscrowBalanceParameters, getEscrowBalance } from './get-escrow-balance.ts'
export { type EscrowShares, type GetEscrowSharesParameters, getEscrowShares } from './get-escrow-shares.ts'
export { type GetLockedEscrowParameters, getLockedEscrow } from './get-locked-escrow.ts'
export { type GetNextTokenIdParameters, getNextTokenId } from './get-next-token-id.ts'
export { type GetPendingCountParameters, getPendingCount } from './get-pending-count.ts'
export {
  type GetSubmissionParameters,
  getSubmission,
  type Submission,
  type SubmissionStatus,
} from './get-submission.ts'
export { type GetSubmissionCountParameters, getSubmissionCount } from './get-submission-count.ts'
export { type GetTaskApprovedParameters, getTaskApproved } from './get-task-approved.ts'
export { type GetTaskBalanceParameters, getTaskBalance } from './get-task-balance.ts'
export { type GetTaskBindingParameters, getTaskBinding, type TaskBinding } from './get-task-binding.ts'
export { type GetTaskCardParameters, getTaskCard } from './get-task-card.ts'
export { type GetTaskCollectionNameParameters, getTaskCollectionName } from './get-task-collection-name.ts'
export { type GetTaskCollectionSymbolParameters, getTaskCollectionSymbol } from './get-task-collection-symbol.ts'
export { type GetTaskDocumentParameters, getTaskDocument } from './get-task-document.ts'
export { type GetTaskOwnerParameters, getTaskOwner } from './get-task-owner.ts'
export { type GetTaskURIParameters, getTaskURI } from './get-task-uri.ts'
export { type GetTenderParameters, getTender, type Tender } from './get-tender.ts'
export { type GetTenderTermsParameters, getTenderTerms } from './get-tender-terms.ts'
export { type GetUpdateAuthorityParameters, getUpdateAuthority } from './get-update-authority.ts'
export { type GetVaultParameters, getVault } from './get-vault.ts'
export { type HasOnchainTaskDocumentParameters, hasOnchainTaskDocument } from './has-onchain-task-document.ts'
export { type IsTaskApprovedForAllParameters, isTaskApprovedForAll } from './is-task-approved-for-all.ts'
export { type IsTaskFrozenParameters, isTaskFrozen } from './is-task-frozen.ts'
export { type IsTenderCancelledParameters, isTenderCancelled } from './is-tender-cancelled.ts'
export {
  DEFAULT_SUBMISSIONS_PER_PAGE,
  type ListSubmissionsParameters,
  listSubmissions,
  MAX_SUBMISSIONS_PER_PAGE,
  type SubmissionPage,
} from './list-submissions.ts'
export {
  DEFAULT_TENDERS_PER_PAGE,
  type ListTendersParameters,
  listTenders,
  MAX_TENDERS_PER_PAGE,
  type TenderPage,
  type UnreadableTender,
} from './list-tenders.ts'
export { type MintTaskParameters, mintTask, mintTaskAndWait, simulateMintTask } from './mint-task.ts'
export {
  type PublishTaskDocumentParameters,
  publishTaskDocument,
  publishTaskDocumentAndWait,
  simulatePublishTaskDocument,
} from './publish-task-document.ts'
export {
  type ReclaimEscrowParameters,
  reclaimEscrow,
  reclaimEscrowAndWait,
  simulateReclaimEscrow,
} from './reclaim-escrow.ts'
export {
  type ReclaimForeignParameters,
  reclaimForeign,
  reclaimForeignAndWait,
  simulateReclaimForeign,
} from './reclaim-foreign.ts'
export {
  type ReclaimResidualParameters,
  reclaimResidual,
  reclaimResidualAndWait,
  simulateReclaimResidual,
} from './reclaim-residual.ts'
export {
  type RejectFulfillmentParameters,
  rejectFulfillment,
  rejectFulfillmentAndWait,
  simulateRejectFulfillment,
} from './reject-fulfillment.ts'
export {
  type ReleaseExpiredParameters,
  releaseExpired,
  releaseExpiredAndWait,
  simulateReleaseExpired,
} from './release-expired.ts'
export {
  type SafeTransferTaskParameters,
  safeTransferTask,
  safeTransferTaskAndWait,
  simulateSafeTransferTask,
} from './safe-transfer-task.ts'
export {
  type SetAcceptanceAuthorityParameters,
  setAcceptanceAuthority,
  setAcceptanceAuthorityAndWait,
  simulateSetAcceptanceAuthority,
} from './set-acceptance-authority.ts'
export {
  type SetTaskApprovalForAllParameters,
  setTaskApprovalForAll,
  setTaskApprovalForAllAndWait,
  simulateSetTaskApprovalForAll,
} from './set-task-approval-for-all.ts'
export { type SetTaskURIParameters, setTaskURI, setTaskURIAndWait, simulateSetTaskURI } from './set-task-uri.ts'
export {
  type SetUpdateAuthorityParameters,
  setUpdateAuthority,
  setUpdateAuthorityAndWait,
  simulateSetUpdateAuthority,
} from './set-update-authority.ts'
export {
  type SettleFulfillmentParameters,
  settleFulfillment,
  settleFulfillmentAndWait,
  simulateSettleFulfillment,
} from './settle-fulfillment.ts'
export {
  type SubmitFulfillmentParameters,
  simulateSubmitFulfillment,
  submitFulfillment,
  submitFulfillmentAndWait,
} from './submit-fulfillment.ts'
export type { TenderTerms } from './tender-terms.ts'
export {
  simulateTransferTask,
  type TransferTaskParameters,
  transferTask,
  transferTaskAndWait,
} from './transfer-task.ts'
export { simulateUpdateTask, type UpdateTaskParameters, updateTask, updateTaskAndWait } from './update-task.ts'
export {
  simulateUpdateTaskWithDocument,
  type UpdateTaskWithDocumentParameters,
  updateTaskWithDocument,
  updateTaskWithDocumentAndWait,
} from './update-task-with-document.ts'
export { type TaskReceipt, type WaitForTaskReceiptParameters, waitForTaskReceipt } from './wait-for-task-receipt.ts'
export {
  simulateWithdrawCredit,
  type WithdrawCreditParameters,
  withdrawCredit,
  withdrawCreditAndWait,
} from './withdraw-credit.ts'
