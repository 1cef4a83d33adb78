export {
  type AcceptAgentOwnershipParameters,
  acceptAgentOwnership,
  acceptAgentOwnershipAndWait,
  simulateAcceptAgentOwnership,
} from './accept-agent-ownership.ts'
export {
  type AddValuationParameters,
  addValuation,
  addValuationAndWait,
  simulateAddValuation,
} from './add-valuation.ts'
export { MAX_BATCH, ONE_SHARE } from './agent-limits.ts'
export {
  type ApproveSharesParameters,
  approveShares,
  approveSharesAndWait,
  simulateApproveShares,
} from './approve-shares.ts'
export {
  type BuildActionReasoningParameters,
  buildActionReasoning,
  type ReasonedAction,
} from './build-action-reasoning.ts'
export { type ClaimFeesParameters, claimFees, claimFeesAndWait, simulateClaimFees } from './claim-fees.ts'
export { type ClaimSharesParameters, claimShares, claimSharesAndWait, simulateClaimShares } from './claim-shares.ts'
export {
  type ClaimSharesBatchParameters,
  claimSharesBatch,
  claimSharesBatchAndWait,
  simulateClaimSharesBatch,
} from './claim-shares-batch.ts'
export { type ClaimTokensParameters, claimTokens, claimTokensAndWait, simulateClaimTokens } from './claim-tokens.ts'
export {
  type ClaimTokensBatchParameters,
  claimTokensBatch,
  claimTokensBatchAndWait,
  simulateClaimTokensBatch,
} from './claim-tokens-batch.ts'
export { type ConfirmRateParameters, confirmRate, confirmRateAndWait, simulateConfirmRate } from './confirm-rate.ts'
export {
  type DeclineRequestParameters,
  declineRequest,
  declineRequestAndWait,
  simulateDeclineRequest,
} from './decline-request.ts'
export type { CompletedAgentWrite, ConfirmedAgentWrite } from './define-agent-write.ts'
export { type ExecuteParameters, execute, executeAndWait, simulateExecute } from './execute.ts'
export {
  type ExecuteWithAllowanceParameters,
  executeWithAllowance,
  executeWithAllowanceAndWait,
  simulateExecuteWithAllowance,
} from './execute-with-allowance.ts'
export { type GetAcceptTokenParameters, getAcceptToken } from './get-accept-token.ts'
export { type AgentSnapshot, type GetAgentParameters, getAgent } from './get-agent.ts'
export {
  type AgentBooks,
  type BookedValuation,
  type GetAgentBooksParameters,
  getAgentBooks,
} from './get-agent-books.ts'
export { type AgentBounds, type GetAgentBoundsParameters, getAgentBounds } from './get-agent-bounds.ts'
export { type GetAgentCodeParameters, getAgentCode } from './get-agent-code.ts'
export { type GetAgentFactoryParameters, getAgentFactory } from './get-agent-factory.ts'
export { type AgentFees, type GetAgentFeesParameters, getAgentFees } from './get-agent-fees.ts'
export { type AgentGuard, type GetAgentGuardParameters, getAgentGuard } from './get-agent-guard.ts'
export { type GetAgentGuardianParameters, getAgentGuardian } from './get-agent-guardian.ts'
export { type GetAgentNameParameters, getAgentName } from './get-agent-name.ts'
export { type GetAgentOwnerParameters, getAgentOwner } from './get-agent-owner.ts'
export { type AgentPosition, type GetAgentPositionParameters, getAgentPosition } from './get-agent-position.ts'
export { type GetAgentScopeParameters, getAgentScope } from './get-agent-scope.ts'
export { type GetAgentSymbolParameters, getAgentSymbol } from './get-agent-symbol.ts'
export { type GetAgentURIParameters, getAgentURI } from './get-agent-uri.ts'
export { type GetExchangeRateParameters, getExchangeRate } from './get-exchange-rate.ts'
export { type GetMintStatusParameters, getMintStatus, type MintStatus } from './get-mint-status.ts'
export { type GetPendingAgentOwnerParameters, getPendingAgentOwner } from './get-pending-agent-owner.ts'
export { type GetReclaimHorizonParameters, getReclaimHorizon } from './get-reclaim-horizon.ts'
export { type GetRedeemStatusParameters, getRedeemStatus, type RedeemStatus } from './get-redeem-status.ts'
export { type GetShareAllowanceParameters, getShareAllowance } from './get-share-allowance.ts'
export { type GetShareBalanceParameters, getShareBalance } from './get-share-balance.ts'
export { type GetShareDecimalsParameters, getShareDecimals } from './get-share-decimals.ts'
export { type GetShareDomainSeparatorParameters, getShareDomainSeparator } from './get-share-domain-separator.ts'
export { type GetShareNonceParameters, getShareNonce } from './get-share-nonce.ts'
export { type GetShareSupplyParameters, getShareSupply } from './get-share-supply.ts'
export { type GetShareTokenParameters, getShareToken } from './get-share-token.ts'
export { type GetValuationsParameters, getValuations } from './get-valuations.ts'
export { type IsAgentExecutorParameters, isAgentExecutor } from './is-agent-executor.ts'
export { type IsAgentFixedPriceParameters, isAgentFixedPrice } from './is-agent-fixed-price.ts'
export { type IsAgentPausedParameters, isAgentPaused } from './is-agent-paused.ts'
export { type IsInScopeParameters, isInScope } from './is-in-scope.ts'
export { type IsInScopeWithAllowanceParameters, isInScopeWithAllowance } from './is-in-scope-with-allowance.ts'
export {
  type CallJudgment,
  type ConstructionRefusal,
  type JudgeAgentCallParameters,
  judgeAgentCall,
} from './judge-agent-call.ts'
export { type CorridorJudgment, judgeCorridor } from './judge-corridor.ts'
export {
  type AgentAccountPage,
  type AgentRequester,
  type ListAgentAccountsParameters,
  listAgentExecutors,
  listAgentRequesters,
  MAX_LISTED_ACCOUNTS,
} from './list-agent-accounts.ts'
export { type LowerFeesParameters, lowerFees, lowerFeesAndWait, simulateLowerFees } from './lower-fees.ts'
export { type PauseAgentParameters, pauseAgent, pauseAgentAndWait, simulatePauseAgent } from './pause-agent.ts'
export {
  type PermitSharesParameters,
  permitShares,
  permitSharesAndWait,
  simulatePermitShares,
} from './permit-shares.ts'
export { type QuoteSettlementParameters, quoteSettlement, type SettlementQuote } from './quote-settlement.ts'
export { type ReclaimParameters, reclaim, reclaimAndWait, simulateReclaim } from './reclaim.ts'
export {
  type ReclaimSharesParameters,
  reclaimShares,
  reclaimSharesAndWait,
  simulateReclaimShares,
} from './reclaim-shares.ts'
export {
  type RemoveValuationParameters,
  removeValuation,
  removeValuationAndWait,
  simulateRemoveValuation,
} from './remove-valuation.ts'
export {
  type RenounceAgentOwnershipParameters,
  renounceAgentOwnership,
  renounceAgentOwnershipAndWait,
  simulateRenounceAgentOwnership,
} from './renounce-agent-ownership.ts'
export { type RequestKind, requestKindNumber, requestKindOf } from './request-kind.ts'
export { type RequestMintParameters, requestMint, requestMintAndWait, simulateRequestMint } from './request-mint.ts'
export {
  type RequestMintAtMostParameters,
  requestMintAtMost,
  requestMintAtMostAndWait,
  simulateRequestMintAtMost,
} from './request-mint-at-most.ts'
export {
  type RequestRedeemParameters,
  requestRedeem,
  requestRedeemAndWait,
  simulateRequestRedeem,
} from './request-redeem.ts'
export {
  type RequestRedeemAtLeastParameters,
  requestRedeemAtLeast,
  requestRedeemAtLeastAndWait,
  simulateRequestRedeemAtLeast,
} from './request-redeem-at-least.ts'
export {
  type RevokeExecutorParameters,
  revokeExecutor,
  revokeExecutorAndWait,
  simulateRevokeExecutor,
} from './revoke-executor.ts'
export {
  type SetAgentGuardParameters,
  setAgentGuard,
  setAgentGuardAndWait,
  simulateSetAgentGuard,
} from './set-agent-guard.ts'
export {
  type SetAgentGuardianParameters,
  setAgentGuardian,
  setAgentGuardianAndWait,
  simulateSetAgentGuardian,
} from './set-agent-guardian.ts'
export { type SetAgentURIParameters, setAgentURI, setAgentURIAndWait, simulateSetAgentURI } from './set-agent-uri.ts'
export { type SetExecutorParameters, setExecutor, setExecutorAndWait, simulateSetExecutor } from './set-executor.ts'
export {
  type SetFeeRecipientParameters,
  setFeeRecipient,
  setFeeRecipientAndWait,
  simulateSetFeeRecipient,
} from './set-fee-recipient.ts'
export {
  type SetRequestLimitParameters,
  setRequestLimit,
  setRequestLimitAndWait,
  simulateSetRequestLimit,
} from './set-request-limit.ts'
export { type SettleMintParameters, settleMint, settleMintAndWait, simulateSettleMint } from './settle-mint.ts'
export {
  type SettleMintBatchParameters,
  settleMintBatch,
  settleMintBatchAndWait,
  simulateSettleMintBatch,
} from './settle-mint-batch.ts'
export {
  type SettleRedeemParameters,
  settleRedeem,
  settleRedeemAndWait,
  simulateSettleRedeem,
} from './settle-redeem.ts'
export {
  type SettleRedeemBatchParameters,
  settleRedeemBatch,
  settleRedeemBatchAndWait,
  simulateSettleRedeemBatch,
} from './settle-redeem-batch.ts'
export { outcomeReasons, type SettlementOutcome, settlementOutcomeOf } from './settlement-outcome.ts'
export { type SharesPermit, type SignSharesPermitParameters, signSharesPermit } from './sign-shares-permit.ts'
export type { AgentTarget } from './target.ts'
export {
  simulateTransferAgentOwnership,
  type TransferAgentOwnershipParameters,
  transferAgentOwnership,
  transferAgentOwnershipAndWait,
} from './transfer-agent-ownership.ts'
export {
  simulateTransferShares,
  type TransferSharesParameters,
  transferShares,
  transferSharesAndWait,
} from './transfer-shares.ts'
export {
  simulateTransferSharesFrom,
  type TransferSharesFromParameters,
  transferSharesFrom,
  transferSharesFromAndWait,
} from './transfer-shares-from.ts'
export {
  simulateUnpauseAgent,
  type UnpauseAgentParameters,
  unpauseAgent,
  unpauseAgentAndWait,
} from './unpause-agent.ts'
