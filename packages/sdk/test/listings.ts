import type {
  attestedValuationAbi,
  batchReceiptVerifierAbi,
  bondedGateAbi,
  erc4626ValuationAbi,
  fundingRouterAbi,
  hashlockVerifierAbi,
  juryPanelAbi,
  merkleSecretVerifierAbi,
  signedOutcomeVerifierAbi,
  splitterAbi,
  streakVerifierAbi,
  tenderRoyaltyAbi,
} from '@oikos/core/abi'
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
  | ContractEventName<typeof signedOutcomeVerifierAbi>
  | ContractEventName<typeof streakVerifierAbi>
  | ContractEventName<typeof merkleSecretVerifierAbi>

/** Does not compile while an event of a stock verifier has no listing. None of them ever changes its signing domain. */
export const verifierListings = {
  AnswerCommitted: sdk.listAnswerCommitted,
  AttestorsCommitted: sdk.listAttestorsCommitted,
  BatchRootCommitted: sdk.listBatchRootCommitted,
  SeatForfeited: sdk.listSeatForfeited,
  SeatTaken: sdk.listSeatTaken,
  SecretSpent: sdk.listSecretSpent,
  SecretsCommitted: sdk.listSecretsCommitted,
  StreakCommitted: sdk.listStreakCommitted,
} satisfies Record<Exclude<VerifierEventName, 'EIP712DomainChanged'>, Listing<unknown>>

type CompanionEventName =
  | ContractEventName<typeof juryPanelAbi>
  | ContractEventName<typeof splitterAbi>
  | ContractEventName<typeof fundingRouterAbi>
  | ContractEventName<typeof bondedGateAbi>
  | ContractEventName<typeof tenderRoyaltyAbi>

/** Does not compile while an event of a jury, splitter, router, gate or royalty contract has no listing. */
export const companionListings = {
  BondSettled: sdk.listBondSettled,
  Bonded: sdk.listBonded,
  CaseOpened: sdk.listJuryCaseOpened,
  Collected: sdk.listEarningsCollected,
  Delivered: sdk.listTeamDelivered,
  Divided: sdk.listSharesDivided,
  Evicted: sdk.listDeliveryEvicted,
  FeeFunded: sdk.listJuryFeeFunded,
  FeePaid: sdk.listJuryFeePaid,
  FeePromised: sdk.listJuryFeePromised,
  FeeReturned: sdk.listJuryFeeReturned,
  Funded: sdk.listRouterFunded,
  HandOverVoted: sdk.listHandOverVoted,
  RefundCollected: sdk.listRouterRefundCollected,
  Refunded: sdk.listRouterRefunded,
  RoyaltySet: sdk.listRoyaltySet,
  VerdictExecuted: sdk.listVerdictExecuted,
  VerdictKept: sdk.listVerdictKept,
  VerdictReached: sdk.listVerdictReached,
  Voted: sdk.listJuryVoted,
  Withdrawn: sdk.listOwedWithdrawn,
} satisfies Record<CompanionEventName, Listing<unknown>>

/** Does not compile while an event of an Agent has no listing. */
export const agentListings = {
  AgentURIUpdated: sdk.listAgentURIUpdated,
  Approval: sdk.listShareApproval,
  ClaimFailed: sdk.listClaimFailed,
  ExchangeRateUpdated: sdk.listExchangeRateUpdated,
  Executed: sdk.listExecuted,
  ExecutorUpdated: sdk.listExecutorUpdated,
  FeeRecipientUpdated: sdk.listFeeRecipientUpdated,
  FeesClaimed: sdk.listFeesClaimed,
  FeesUpdated: sdk.listFeesUpdated,
  GuardUpdated: sdk.listGuardUpdated,
  GuardianUpdated: sdk.listGuardianUpdated,
  LimitSet: sdk.listLimitSet,
  MintRequested: sdk.listMintRequested,
  OwnershipTransferStarted: sdk.listAgentOwnershipTransferStarted,
  OwnershipTransferred: sdk.listAgentOwnershipTransferred,
  Paused: sdk.listAgentPaused,
  RateConfirmed: sdk.listRateConfirmed,
  Reasoned: sdk.listReasoned,
  Received: sdk.listReceived,
  Reclaimed: sdk.listReclaimed,
  RedeemRequested: sdk.listRedeemRequested,
  Settled: sdk.listSettled,
  SettlementDetail: sdk.listSettlementDetail,
  SettlementSkipped: sdk.listSettlementSkipped,
  SettlementStopped: sdk.listSettlementStopped,
  SharesMinted: sdk.listSharesMinted,
  SharesRedeemed: sdk.listSharesRedeemed,
  Transfer: sdk.listShareTransfer,
  Unpaused: sdk.listAgentUnpaused,
  ValuationAdded: sdk.listValuationAdded,
  ValuationRemoved: sdk.listValuationRemoved,
} satisfies { [name in sdk.AgentEventName]: Listing<sdk.AgentEvent<name>> }

/** Does not compile while an event of a Scope has no listing. */
export const scopeListings = {
  CapLowered: sdk.listCapLowered,
  MemberRemoved: sdk.listMemberRemoved,
  PolicyApplied: sdk.listPolicyApplied,
  PolicyProposed: sdk.listPolicyProposed,
  PolicyWithdrawn: sdk.listPolicyWithdrawn,
  RuleExpirySet: sdk.listRuleExpirySet,
  RuleRemoved: sdk.listRuleRemoved,
  RulesRemoved: sdk.listRulesRemoved,
} satisfies { [name in sdk.ScopeEventName]: Listing<sdk.ScopeEvent<name>> }

/** Does not compile while an event of a factory or a valuation has no listing. */
export const birthListings = {
  AgentCreated: sdk.listAgentCreated,
  Checkpoint: sdk.listCheckpoint,
  ValueAttested: sdk.listValueAttested,
  ValueProposed: sdk.listValueProposed,
} satisfies Record<
  sdk.FactoryEventName | ContractEventName<typeof erc4626ValuationAbi> | ContractEventName<typeof attestedValuationAbi>,
  Listing<unknown>
>

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

/** As {@link expectListings}, of an Agent and of the Scope that bounds it. */
export async function expectAgentListings(
  client: Client,
  at: { agent: `0x${string}`; scope: `0x${string}` },
  names: readonly (sdk.AgentEventName | sdk.ScopeEventName)[],
): Promise<void> {
  const { events } = await sdk.listAgentEvents(client, { ...at, fromBlock: 0n })
  const bounds = await sdk.listScopeEvents(client, { ...at, fromBlock: 0n })
  const seen = [...events, ...bounds.events].map(({ eventName }) => eventName)
  expect([...new Set(seen)]).toEqual(expect.arrayContaining([...names]))
  for (const [name, list] of Object.entries(agentListings)) {
    const page = await list(client, { ...at, fromBlock: 0n })
    expect(page.events).toEqual(events.filter(({ eventName }) => eventName === name))
  }
  for (const [name, list] of Object.entries(scopeListings)) {
    const page = await list(client, { ...at, fromBlock: 0n })
    expect(page.events).toEqual(bounds.events.filter(({ eventName }) => eventName === name))
  }
}
