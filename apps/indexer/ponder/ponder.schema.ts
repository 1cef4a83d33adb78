import { index, onchainTable, primaryKey } from 'ponder'
import { born, ofAgent, onChain } from './tables/columns.ts'

export * from './tables/tenders.ts'

/**
 * The tables of the index. Rows are what events said, in the order of each chain; a reorganisation takes them back.
 * Amounts, ids, counters and clocks of contracts are numeric(78,0), so that every uint256 fits. Text is bounded before it
 * comes here. Rows name the chain, the block, its time, the transaction and the log that they come from.
 */

/** Every event that was kept, for the stream and for counts. */
export const activity = onchainTable(
  'activity',
  (t) => ({
    id: t.text().primaryKey(),
    ...onChain(t),
    contract: t.hex().notNull(),
    subject: t.text().notNull(),
    event: t.text().notNull(),
    tokenId: t.bigint(),
    account: t.hex(),
    amount: t.bigint(),
  }),
  (table) => ({
    byPlace: index().on(table.chainId, table.block, table.logIndex),
    byContract: index().on(table.chainId, table.contract, table.tokenId, table.block),
  }),
)

/** Events that were kept out, by chain and reason: how much noise there is. */
export const ignored = onchainTable(
  'ignored',
  (t) => ({ chainId: t.int8({ mode: 'number' }).notNull(), reason: t.text().notNull(), count: t.integer().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.reason] }) }),
)

/** What token contracts say about themselves. */
export const token = onchainTable(
  'token',
  (t) => ({
    chainId: t.int8({ mode: 'number' }).notNull(),
    address: t.hex().notNull(),
    symbol: t.text(),
    name: t.text(),
    decimals: t.integer(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.address] }) }),
)

/** What sits in judgment slots. */
export const judge = onchainTable(
  'judge',
  (t) => ({
    chainId: t.int8({ mode: 'number' }).notNull(),
    address: t.hex().notNull(),
    kind: t.text().notNull(),
    profile: t.text(),
    isDeployed: t.boolean().notNull(),
    jurors: t.hex().array().notNull(),
    quorum: t.bigint(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.address] }) }),
)

// --- Agents ---

export const agent = onchainTable(
  'agent',
  (t) => ({
    ...onChain(t),
    ...born(t),
    address: t.hex().notNull(),
    origin: t.text().notNull(),
    name: t.text(),
    symbol: t.text(),
    uri: t.text(),
    owner: t.hex(),
    pendingOwner: t.hex(),
    guardian: t.hex(),
    acceptToken: t.hex(),
    shareToken: t.hex(),
    scope: t.hex(),
    scopeDelaySec: t.bigint(),
    decimals: t.integer(),
    initialRate: t.bigint(),
    isFixedPrice: t.boolean(),
    reclaimHorizonSec: t.bigint(),
    rate: t.bigint(),
    rateAtSec: t.int8({ mode: 'number' }),
    isPaused: t.boolean().notNull(),
    isHalted: t.boolean().notNull(),
    mintFeeBps: t.integer(),
    redeemFeeBps: t.integer(),
    feeRecipient: t.hex(),
    feesOwed: t.bigint().notNull(),
    corridorBpsPerDay: t.int8({ mode: 'number' }),
    minRequestAgeSec: t.integer(),
    supply: t.bigint().notNull(),
    unclaimedShares: t.bigint().notNull(),
    pendingAssets: t.bigint().notNull(),
    pendingShares: t.bigint().notNull(),
    claimableTokens: t.bigint().notNull(),
    holderCount: t.integer().notNull(),
    executorCount: t.integer().notNull(),
    actionCount: t.integer().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.address] }),
    byBirth: index().on(table.bornTimeSec),
    byOwner: index().on(table.owner),
  }),
)

/** Share tokens, by which a transfer finds its Agent. */
export const shareToken = onchainTable(
  'share_token',
  (t) => ({ chainId: t.int8({ mode: 'number' }).notNull(), address: t.hex().notNull(), agent: t.hex().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.address] }) }),
)

export const agentRate = onchainTable(
  'agent_rate',
  (t) => ({ id: t.text().primaryKey(), ...ofAgent(t), rate: t.bigint().notNull() }),
  (table) => ({ byAgent: index().on(table.chainId, table.agent, table.timeSec) }),
)

export const agentChange = onchainTable(
  'agent_change',
  (t) => ({
    id: t.text().primaryKey(),
    ...ofAgent(t),
    kind: t.text().notNull(),
    account: t.hex(),
    details: t.json().$type<Readonly<Record<string, string>>>().notNull(),
  }),
  (table) => ({ byAgent: index().on(table.chainId, table.agent, table.block) }),
)

export const executor = onchainTable(
  'executor',
  (t) => ({
    ...ofAgent(t),
    account: t.hex().notNull(),
    isEnabled: t.boolean().notNull(),
    actionCount: t.integer().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.agent, table.account] }),
    byAccount: index().on(table.account),
  }),
)

export const valuation = onchainTable(
  'valuation',
  (t) => ({
    ...ofAgent(t),
    address: t.hex().notNull(),
    isListed: t.boolean().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.agent, table.address] }) }),
)

/** The last thing that a valuation contract told; which Agents list it is in `valuation`. */
export const valuationNews = onchainTable(
  'valuation_news',
  (t) => ({ ...onChain(t), address: t.hex().notNull(), event: t.text().notNull(), value: t.bigint() }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.address] }) }),
)

export const action = onchainTable(
  'action',
  (t) => ({
    id: t.text().primaryKey(),
    ...ofAgent(t),
    kind: t.text().notNull(),
    actor: t.hex(),
    sender: t.hex().notNull(),
    target: t.hex(),
    value: t.bigint(),
    selector: t.hex(),
    callData: t.text(),
    returnData: t.text(),
    returnBytes: t.integer(),
    amount: t.bigint(),
    reasoningHash: t.hex().notNull(),
    reasoningUri: t.text().notNull(),
  }),
  (table) => ({
    byAgent: index().on(table.chainId, table.agent, table.block, table.logIndex),
    byRecord: index().on(table.chainId, table.agent, table.reasoningHash),
  }),
)

/** One record as one transaction cites it; a record that has several rows, or a row with several actions, is a replay. */
export const citation = onchainTable(
  'citation',
  (t) => ({
    ...ofAgent(t),
    reasoningHash: t.hex().notNull(),
    reasoningUri: t.text().notNull(),
    /** Selector of the agent action that `Reasoned` names, null where none did. */
    reasonedAction: t.hex(),
    firstKind: t.text().notNull(),
    settledCount: t.integer().notNull(),
    executedCount: t.integer().notNull(),
    reasonedCount: t.integer().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.agent, table.tx, table.reasoningHash] }),
    byRecord: index().on(table.chainId, table.agent, table.reasoningHash),
    byPlace: index().on(table.chainId, table.block, table.logIndex),
  }),
)

export const request = onchainTable(
  'request',
  (t) => ({
    id: t.text().primaryKey(),
    ...ofAgent(t),
    account: t.hex().notNull(),
    side: t.text().notNull(),
    step: t.text().notNull(),
    assets: t.bigint(),
    shares: t.bigint(),
    fee: t.bigint(),
    rate: t.bigint(),
    epoch: t.bigint(),
    outcome: t.integer(),
    reasoningHash: t.hex(),
    reasoningUri: t.text(),
  }),
  (table) => ({
    byAgent: index().on(table.chainId, table.agent, table.block, table.logIndex),
    byAccount: index().on(table.account),
  }),
)

/** What the detail event of our Agents says right before the standard's `Settled`. */
export const settlementDetail = onchainTable(
  'settlement_detail',
  (t) => ({
    ...ofAgent(t),
    account: t.hex().notNull(),
    side: t.text().notNull(),
    consumed: t.bigint().notNull(),
    fee: t.bigint().notNull(),
    rate: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.agent, table.tx, table.account, table.side] }) }),
)

export const position = onchainTable(
  'position',
  (t) => ({
    ...ofAgent(t),
    account: t.hex().notNull(),
    side: t.text().notNull(),
    pending: t.bigint().notNull(),
    claimable: t.bigint().notNull(),
    limit: t.bigint(),
    requestedAtSec: t.int8({ mode: 'number' }),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.agent, table.account, table.side] }),
    byAccount: index().on(table.account),
  }),
)

export const holder = onchainTable(
  'holder',
  (t) => ({ ...ofAgent(t), account: t.hex().notNull(), shares: t.bigint().notNull() }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.agent, table.account] }),
    byAccount: index().on(table.account),
    byShares: index().on(table.chainId, table.agent, table.shares),
  }),
)

// --- boundaries ---

export const scopeRule = onchainTable(
  'scope_rule',
  (t) => ({
    ...ofAgent(t),
    key: t.hex().notNull(),
    target: t.hex().notNull(),
    selector: t.hex().notNull(),
    plain: t.boolean().notNull(),
    rule: t.json().$type<Readonly<Record<string, unknown>>>().notNull(),
    expiresAtSec: t.bigint(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.agent, table.key] }) }),
)

export const scopeCap = onchainTable(
  'scope_cap',
  (t) => ({
    ...ofAgent(t),
    key: t.hex().notNull(),
    asset: t.hex(),
    limit: t.bigint().notNull(),
    periodSec: t.bigint(),
    lifetime: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.agent, table.key] }) }),
)

export const scopeMember = onchainTable(
  'scope_member',
  (t) => ({ ...ofAgent(t), set: t.bigint().notNull(), member: t.bigint().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.agent, table.set, table.member] }) }),
)

export const scopeChange = onchainTable(
  'scope_change',
  (t) => ({
    id: t.text().primaryKey(),
    ...ofAgent(t),
    kind: t.text().notNull(),
    changeId: t.hex(),
    readyAtSec: t.bigint(),
    by: t.hex(),
    policy: t.json().$type<Readonly<Record<string, unknown>>>(),
    details: t.json().$type<Readonly<Record<string, string>>>().notNull(),
  }),
  (table) => ({ byAgent: index().on(table.chainId, table.agent, table.block, table.logIndex) }),
)

/** Announced changes that were neither applied nor withdrawn. */
export const scopeProposal = onchainTable(
  'scope_proposal',
  (t) => ({ ...ofAgent(t), changeId: t.hex().notNull(), readyAtSec: t.bigint().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.agent, table.changeId] }) }),
)
