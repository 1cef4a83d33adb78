import { z } from 'zod'
import {
  addressSchema,
  citedRecordSchema,
  differenceSchema,
  hashSchema,
  originSchema,
  pageSchema,
  placeSchema,
  secondsSchema,
  selectorSchema,
  tokenSchema,
  wholeSchema,
} from './primitives.ts'

/** One row of the list of Agents. Rates are Accept Token smallest units for 1e18 smallest units of the share. */
export const agentSchema = z.object({
  chainId: z.number().int().positive(),
  address: addressSchema,
  origin: originSchema,
  /** Claims of the contract, bounded to 64 and 16 characters. */
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  uri: z.string().nullable(),
  owner: addressSchema.nullable(),
  guardian: addressSchema.nullable(),
  acceptToken: tokenSchema.nullable(),
  /** Decimals of the share token. */
  decimals: z.number().int().min(0).max(255).nullable(),
  /** The last rate that the Agent published by an event, or its first one. */
  rate: wholeSchema.nullable(),
  rateAtSec: secondsSchema.nullable(),
  /** The rate that held 30 days before the last block; null where the Agent is younger. */
  rate30dAgo: wholeSchema.nullable(),
  initialRate: wholeSchema.nullable(),
  isFixedPrice: z.boolean().nullable(),
  isPaused: z.boolean(),
  isHalted: z.boolean(),
  supply: wholeSchema,
  unclaimedShares: wholeSchema,
  pendingAssets: wholeSchema,
  pendingShares: wholeSchema,
  claimableTokens: wholeSchema,
  /** `supply` with unclaimed shares at `rate`: what the published price makes of all shares. */
  capitalAtRate: wholeSchema.nullable(),
  holderCount: z.number().int().nonnegative(),
  executorCount: z.number().int().nonnegative(),
  actionCount: z.number().int().nonnegative(),
  reclaimHorizonSec: wholeSchema.nullable(),
  createdAt: placeSchema,
  updatedAt: placeSchema,
})

/** The books as the contract answered at a block. Source: `books()`, `exchangeRate()`, `feesOf()`, `guardOf()`. */
export const agentBooksSchema = z.object({
  block: z.number().int().nonnegative(),
  readAtSec: secondsSchema,
  balance: wholeSchema,
  reserve: wholeSchema,
  valued: wholeSchema,
  supply: wholeSchema,
  unclaimed: wholeSchema,
  /** Null where it reverted, as it does with an unreadable valuation. */
  rate: wholeSchema.nullable(),
  feesOwed: wholeSchema,
})

export const executorSchema = z.object({
  account: addressSchema,
  isEnabled: z.boolean(),
  since: placeSchema,
  actionCount: z.number().int().nonnegative(),
})

/** A change of owner, guardian, Executor, fees, guard, pause, URI or the list of valuations. */
export const agentChangeSchema = z.object({
  kind: z.enum([
    'born',
    'uri',
    'owner-proposed',
    'owner',
    'guardian',
    'executor',
    'fees',
    'fee-recipient',
    'guard',
    'paused',
    'unpaused',
    'valuation-added',
    'valuation-removed',
    'settlement-stopped',
    'rate-confirmed',
    'fees-claimed',
    'received',
  ]),
  account: addressSchema.nullable(),
  /** The other arguments as text, bounded. */
  details: z.record(z.string(), z.string()),
  place: placeSchema,
})

export const valuationSchema = z.object({
  address: addressSchema,
  isListed: z.boolean(),
  /** The last value, checkpoint price or proposal that the contract told by an event. */
  lastEvent: z.string().nullable(),
  lastValue: wholeSchema.nullable(),
  lastAt: placeSchema.nullable(),
  since: placeSchema,
})

export const agentDetailSchema = agentSchema.extend({
  shareToken: addressSchema.nullable(),
  scope: addressSchema.nullable(),
  pendingOwner: addressSchema.nullable(),
  mintFeeBps: z.number().int().nonnegative().nullable(),
  redeemFeeBps: z.number().int().nonnegative().nullable(),
  feeRecipient: addressSchema.nullable(),
  feesOwed: wholeSchema,
  corridorBpsPerDay: z.number().int().nonnegative().nullable(),
  minRequestAgeSec: z.number().int().nonnegative().nullable(),
  executors: z.array(executorSchema),
  valuations: z.array(valuationSchema),
  changes: z.array(agentChangeSchema),
  /** Null until the Agent was reconciled once. */
  books: agentBooksSchema.nullable(),
  differences: z.array(differenceSchema),
  reconciledAtSec: secondsSchema.nullable(),
})

/** What the Agent did, with the record that says why. */
export const actionSchema = z.object({
  chainId: z.number().int().positive(),
  agent: addressSchema,
  /** `execute`; `settle-mint` and `settle-redeem`, one a requester; `reasoned`: any other agent action. */
  kind: z.enum(['execute', 'settle-mint', 'settle-redeem', 'reasoned']),
  /** The Executor; null for a settlement, whose event does not name it and whose transaction may have another sender. */
  actor: addressSchema.nullable(),
  /** Sender of the transaction. */
  sender: addressSchema,
  /** Called contract of an execution, requester of a settlement. */
  target: addressSchema.nullable(),
  value: wholeSchema.nullable(),
  /** Of the call, or of the agent action that a `reasoned` row names. */
  selector: selectorSchema.nullable(),
  /** Name of the agent action where the selector is one of ours. */
  action: z.string().nullable(),
  /** Inner call data where the transaction called the Agent directly, bounded to 4,096 bytes; null otherwise. */
  callData: z.string().nullable(),
  /** First 256 bytes of what the call returned. */
  returnData: z.string().nullable(),
  returnBytes: z.number().int().nonnegative().nullable(),
  /** Made claimable by a settlement: shares (mint) or tokens (redeem). */
  amount: wholeSchema.nullable(),
  record: citedRecordSchema,
  /** Whether another action cites the same record. */
  isReplayed: z.boolean(),
  place: placeSchema,
})

/** One step in the life of requests. Amounts: Accept Token for deposits and payouts, shares otherwise, as named. */
export const requestSchema = z.object({
  account: addressSchema,
  side: z.enum(['mint', 'redeem']),
  step: z.enum(['requested', 'settled', 'skipped', 'reclaimed', 'claimed', 'claim-failed', 'limit']),
  /** Tokens of a mint request, shares of a redeem request; null where the step has none. */
  assets: wholeSchema.nullable(),
  shares: wholeSchema.nullable(),
  fee: wholeSchema.nullable(),
  rate: wholeSchema.nullable(),
  epoch: wholeSchema.nullable(),
  /** Why a settlement skipped the request: the outcome's number in the contract. */
  outcome: z.number().int().nonnegative().nullable(),
  record: citedRecordSchema.nullable(),
  place: placeSchema,
})

/** What one account has pending and claimable at one Agent. */
export const positionSchema = z.object({
  chainId: z.number().int().positive(),
  agent: addressSchema,
  account: addressSchema,
  side: z.enum(['mint', 'redeem']),
  pending: wholeSchema,
  claimable: wholeSchema,
  limit: wholeSchema.nullable(),
  requestedAtSec: secondsSchema.nullable(),
  reclaimableAtSec: wholeSchema.nullable(),
  updatedAt: placeSchema,
})

export const rateSchema = z.object({ rate: wholeSchema, place: placeSchema })

export const holderSchema = z.object({
  account: addressSchema,
  shares: wholeSchema,
  /** Millionths of the total supply, rounded down. */
  partPpm: z.number().int().min(0).max(1_000_000),
  updatedAt: placeSchema,
})

const ruleConditionSchema = z.object({ offset: z.number().int(), op: z.number().int(), value: wholeSchema })

/** A rule as the last change left it; `@oikos/core/scope-policy` makes sentences of it. */
export const scopeRuleSchema = z.object({
  key: hashSchema,
  target: addressSchema,
  selector: selectorSchema,
  /** A plain payment without call data. */
  plain: z.boolean(),
  /** The whole rule of the contract's struct, numbers as decimal text. */
  rule: z.record(z.string(), z.unknown()),
  conditions: z.array(ruleConditionSchema),
  expiresAtSec: wholeSchema.nullable(),
  place: placeSchema,
})

export const scopeCapSchema = z.object({
  key: hashSchema,
  asset: addressSchema.nullable(),
  limit: wholeSchema,
  periodSec: wholeSchema.nullable(),
  lifetime: wholeSchema,
  place: placeSchema,
})

export const scopeMemberSchema = z.object({ set: wholeSchema, member: wholeSchema, place: placeSchema })

/** One step in the history of a boundary. */
export const scopeChangeSchema = z.object({
  kind: z.enum([
    'proposed',
    'applied',
    'withdrawn',
    'rule-removed',
    'rules-removed',
    'rule-expiry',
    'cap-lowered',
    'member-removed',
  ]),
  changeId: hashSchema.nullable(),
  /** When a proposal may be applied. */
  readyAtSec: wholeSchema.nullable(),
  by: addressSchema.nullable(),
  /** The policy of a proposal or of what was applied, numbers as decimal text; bounded to 64 items a list. */
  policy: z.record(z.string(), z.unknown()).nullable(),
  details: z.record(z.string(), z.string()),
  place: placeSchema,
})

export const scopeSchema = z.object({
  contract: addressSchema.nullable(),
  delaySec: wholeSchema.nullable(),
  rules: z.array(scopeRuleSchema),
  caps: z.array(scopeCapSchema),
  members: z.array(scopeMemberSchema),
  /** Announced and neither applied nor withdrawn. */
  proposals: z.array(scopeChangeSchema),
  history: z.array(scopeChangeSchema),
  nextCursor: z.string().nullable(),
})

export const agentPageSchema = pageSchema(agentSchema)
export const actionPageSchema = pageSchema(actionSchema)
export const requestPageSchema = pageSchema(requestSchema)
export const positionPageSchema = pageSchema(positionSchema)
export const ratePageSchema = pageSchema(rateSchema)
export const holderPageSchema = pageSchema(holderSchema)

export type Agent = z.infer<typeof agentSchema>
export type AgentBooks = z.infer<typeof agentBooksSchema>
export type AgentDetail = z.infer<typeof agentDetailSchema>
export type AgentChange = z.infer<typeof agentChangeSchema>
export type Executor = z.infer<typeof executorSchema>
export type Valuation = z.infer<typeof valuationSchema>
export type AgentAction = z.infer<typeof actionSchema>
export type AgentRequest = z.infer<typeof requestSchema>
export type AgentPosition = z.infer<typeof positionSchema>
export type AgentRate = z.infer<typeof rateSchema>
export type Holder = z.infer<typeof holderSchema>
export type AgentScope = z.infer<typeof scopeSchema>
export type ScopeRule = z.infer<typeof scopeRuleSchema>
export type ScopeCap = z.infer<typeof scopeCapSchema>
export type ScopeMember = z.infer<typeof scopeMemberSchema>
export type ScopeChange = z.infer<typeof scopeChangeSchema>

/** One record as one transaction cites it: what whoever checks records works through. */
export const citationSchema = z.object({
  chainId: z.number().int().positive(),
  agent: addressSchema,
  record: citedRecordSchema,
  /** Name of the agent action; null where no selector of ours says it. */
  action: z.string().nullable(),
  /** Actions of this transaction that cite the record; more than one is a replay. */
  actionCount: z.number().int().positive(),
  /** Other, earlier transactions that cite it, at most 10; any is a replay. */
  citedBefore: z.array(hashSchema),
  place: placeSchema,
})
export const citationPageSchema = pageSchema(citationSchema)
export type Citation = z.infer<typeof citationSchema>
