import { index, onchainTable, primaryKey } from 'ponder'
import { born, ofTender } from './columns.ts'

/** Owners of task tokens whose mint has told the transfer and not yet the task. */
export const taskOwner = onchainTable(
  'task_owner',
  (t) => ({
    chainId: t.int8({ mode: 'number' }).notNull(),
    contract: t.hex().notNull(),
    tokenId: t.bigint().notNull(),
    owner: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.contract, table.tokenId] }) }),
)

export const tender = onchainTable(
  'tender',
  (t) => ({
    ...ofTender(t),
    ...born(t),
    origin: t.text().notNull(),
    owner: t.hex(),
    updateAuthority: t.hex(),
    acceptanceAuthority: t.hex(),
    taskUri: t.text().notNull(),
    tdHash: t.hex().notNull(),
    taskHash: t.hex().notNull(),
    version: t.bigint().notNull(),
    isFrozen: t.boolean().notNull(),
    isCancelled: t.boolean().notNull(),
    hasOnchainDocument: t.boolean().notNull(),
    hasTerms: t.boolean().notNull(),
    vault: t.hex(),
    asset: t.hex(),
    rewardPerCompletion: t.bigint(),
    maxCompletions: t.bigint(),
    submitBy: t.bigint(),
    settleBy: t.bigint(),
    epochLength: t.bigint(),
    maxCompletionsPerEpoch: t.bigint(),
    judgmentWindow: t.bigint(),
    contributed: t.bigint().notNull(),
    escrow: t.bigint().notNull(),
    credited: t.bigint().notNull(),
    completions: t.bigint().notNull(),
    pending: t.bigint().notNull(),
    submissions: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.contract, table.tokenId] }),
    byBirth: index().on(table.bornTimeSec),
    byReward: index().on(table.rewardPerCompletion),
    byEscrow: index().on(table.escrow),
    bySettleBy: index().on(table.settleBy),
    byOwner: index().on(table.owner),
    byJudge: index().on(table.acceptanceAuthority),
  }),
)

export const binding = onchainTable(
  'binding',
  (t) => ({
    ...ofTender(t),
    version: t.bigint().notNull(),
    tdHash: t.hex().notNull(),
    taskHash: t.hex().notNull(),
    /** URI that the tender had when this version was checked in, or got right after. */
    taskUri: t.text().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.contract, table.tokenId, table.version] }),
    byPlace: index().on(table.chainId, table.block, table.logIndex),
  }),
)

export const tenderChange = onchainTable(
  'tender_change',
  (t) => ({ id: t.text().primaryKey(), ...ofTender(t), kind: t.text().notNull(), from: t.text(), to: t.text() }),
  (table) => ({ byTender: index().on(table.chainId, table.contract, table.tokenId, table.block) }),
)

export const funder = onchainTable(
  'funder',
  (t) => ({
    ...ofTender(t),
    account: t.hex().notNull(),
    contributed: t.bigint().notNull(),
    refunded: t.bigint().notNull(),
    hasReclaimed: t.boolean().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.contract, table.tokenId, table.account] }),
    byAccount: index().on(table.account),
  }),
)

export const movement = onchainTable(
  'movement',
  (t) => ({
    id: t.text().primaryKey(),
    ...ofTender(t),
    kind: t.text().notNull(),
    account: t.hex().notNull(),
    amount: t.bigint().notNull(),
    submissionId: t.bigint(),
    asset: t.hex(),
  }),
  (table) => ({ byTender: index().on(table.chainId, table.contract, table.tokenId, table.block, table.logIndex) }),
)

export const submission = onchainTable(
  'submission',
  (t) => ({
    ...ofTender(t),
    submissionId: t.bigint().notNull(),
    fulfiller: t.hex().notNull(),
    resultHash: t.hex().notNull(),
    resultUri: t.text().notNull(),
    taskVersion: t.bigint().notNull(),
    submittedAtSec: t.bigint().notNull(),
    deadlineSec: t.bigint(),
    machineSettled: t.boolean(),
    status: t.text().notNull(),
    decidedBy: t.text(),
    reward: t.bigint(),
    credited: t.bigint(),
    decidedBlock: t.int8({ mode: 'number' }),
    decidedTimeSec: t.int8({ mode: 'number' }),
    decidedTx: t.hex(),
    decidedLogIndex: t.integer(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.contract, table.tokenId, table.submissionId] }),
    byFulfiller: index().on(table.fulfiller),
    byStatus: index().on(table.status),
  }),
)

export const credit = onchainTable(
  'credit',
  (t) => ({ ...ofTender(t), account: t.hex().notNull(), amount: t.bigint().notNull() }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.contract, table.tokenId, table.account] }),
    byAccount: index().on(table.account),
  }),
)

/** What verifiers, juries, routers, splitters and gates said about a tender. */
export const companionEvent = onchainTable(
  'companion_event',
  (t) => ({
    id: t.text().primaryKey(),
    ...ofTender(t),
    emitter: t.hex().notNull(),
    event: t.text().notNull(),
    submissionId: t.bigint(),
    account: t.hex(),
    amount: t.bigint(),
    details: t.json().$type<Readonly<Record<string, string>>>().notNull(),
  }),
  (table) => ({ byTender: index().on(table.chainId, table.contract, table.tokenId, table.block) }),
)
