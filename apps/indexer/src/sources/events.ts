import {
  agentAbi,
  agentFactoryAbi,
  attestedValuationAbi,
  batchReceiptVerifierAbi,
  erc4626ValuationAbi,
  fundingRouterAbi,
  hashlockVerifierAbi,
  juryPanelAbi,
  merkleSecretVerifierAbi,
  scopeAbi,
  signedOutcomeVerifierAbi,
  splitterAbi,
  streakVerifierAbi,
  taskTokenAbi,
} from '@oikos/core/abi'
import type { Abi } from 'viem'

type Picked<abi extends Abi, name extends string> = readonly Extract<abi[number], { type: 'event'; name: name }>[]

/** The events of an ABI that have these names. */
function pick<const abi extends Abi, const name extends string>(abi: abi, names: readonly name[]): Picked<abi, name> {
  const wanted = new Set<string>(names)
  return abi.filter((item) => item.type === 'event' && wanted.has(item.name)) as unknown as Picked<abi, name>
}

/** The normative events of an Agent, which are taken from any contract. Source: ERC-8406, section 5. */
export const standardAgentEvents = pick(agentAbi, [
  'MintRequested',
  'RedeemRequested',
  'SharesMinted',
  'SharesRedeemed',
  'ExchangeRateUpdated',
  'AgentURIUpdated',
  'Executed',
  'Settled',
  'Reasoned',
  'ExecutorUpdated',
])

/** What our Agents say beside the standard. Many of these signatures are everybody's, so only born Agents are heard. */
export const ownAgentEvents = pick(agentAbi, [
  'ClaimFailed',
  'FeeRecipientUpdated',
  'FeesClaimed',
  'FeesUpdated',
  'GuardUpdated',
  'GuardianUpdated',
  'LimitSet',
  'OwnershipTransferStarted',
  'OwnershipTransferred',
  'Paused',
  'RateConfirmed',
  'Received',
  'Reclaimed',
  'SettlementDetail',
  'SettlementSkipped',
  'SettlementStopped',
  'Unpaused',
  'ValuationAdded',
  'ValuationRemoved',
])

/** Transfers of shares. */
export const shareEvents = pick(agentAbi, ['Transfer'])

export const factoryEvents = pick(agentFactoryAbi, ['AgentCreated'])

export const scopeEvents = pick(scopeAbi, [
  'CapLowered',
  'MemberRemoved',
  'PolicyApplied',
  'PolicyProposed',
  'PolicyWithdrawn',
  'RuleExpirySet',
  'RuleRemoved',
  'RulesRemoved',
])

export const valuationEvents = [
  ...pick(erc4626ValuationAbi, ['Checkpoint']),
  ...pick(attestedValuationAbi, ['ValueAttested', 'ValueProposed']),
] as const

/** The events of a task contract, ours included, which are taken from any contract. Source: ERC-8414. */
export const taskEvents = pick(taskTokenAbi, [
  'AcceptanceAuthorityChanged',
  'EscrowReclaimed',
  'ForeignReclaimed',
  'FulfillmentAccepted',
  'FulfillmentClaimedUnjudged',
  'FulfillmentRejected',
  'FulfillmentSubmitted',
  'PayoutCredited',
  'PayoutWithdrawn',
  'ResidualReclaimed',
  'SubmissionReleased',
  'TaskDocumentPublished',
  'TaskFrozen',
  'TaskURIUpdated',
  'TaskUpdateAuthorityChanged',
  'TaskUpdated',
  'TenderCancelled',
  'TenderFunded',
])

/** Transfers of task tokens. */
export const taskTransferEvents = pick(taskTokenAbi, ['Transfer'])

/** What companions say about a tender; each event names the task contract and the token. */
export const companionEvents = [
  ...pick(hashlockVerifierAbi, ['AnswerCommitted']),
  ...pick(batchReceiptVerifierAbi, ['BatchRootCommitted']),
  ...pick(merkleSecretVerifierAbi, ['SecretSpent', 'SecretsCommitted']),
  ...pick(signedOutcomeVerifierAbi, ['AttestorsCommitted']),
  ...pick(streakVerifierAbi, ['SeatForfeited', 'SeatTaken', 'StreakCommitted']),
  ...pick(juryPanelAbi, [
    'CaseOpened',
    'FeeFunded',
    'FeePaid',
    'FeePromised',
    'FeeReturned',
    'HandOverVoted',
    'VerdictExecuted',
    'VerdictKept',
    'VerdictReached',
    'Voted',
  ]),
  ...pick(fundingRouterAbi, ['Funded', 'RefundCollected', 'Refunded']),
  ...pick(splitterAbi, ['Delivered']),
] as const
