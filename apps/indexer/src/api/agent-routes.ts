import { and, desc, eq, gt, or, sql } from 'ponder'
import { reconciliationKey } from '../checks/check-store.ts'
import type {
  Agent,
  AgentAction,
  AgentChange,
  AgentDetail,
  AgentPosition,
  AgentRate,
  AgentRequest,
  Citation,
  Holder,
  Page,
} from '../rest/types.ts'
import { actionName, showAction, showAgent, showPosition, showRecord, showRequest } from './agent-view.ts'
import { readClocks } from './clock.ts'
import { RestFailure } from './failure.ts'
import { behind, type OrderKey, orderOf, pageOf } from './keyset.ts'
import { keyOfRecord, readRates30dAgo, readReplays, readTokens } from './lookups.ts'
import type { PathOf, QueryOf } from './query.ts'
import { type AgentRow, type PositionRow, placeOf, type Sources, tables, whole, wholeOrNull } from './rows.ts'
import type { SQL } from './sql.ts'
import { chainKey } from './tender-view.ts'

/** Rows of each part of an Agent's page, at most; the lists of their own have all of them. */
const MAX_PART = 200

/** Earlier transactions that cite a record, which are named at most. */
const MAX_CITED_BEFORE = 10

/** Hostile Agents sort as if they had no more than this: the product of two words would not fit a cursor. */
const MOST_CAPITAL = 10n ** 78n

const capital = sql`(${tables.agent.supply} + ${tables.agent.unclaimedShares}) * coalesce(${tables.agent.rate}, 0)`

const AGENT_SORTS: Readonly<Record<QueryOf<'agents'>['sort'], Omit<OrderKey<AgentRow>, 'descending'>>> = {
  created: { column: sql`${tables.agent.bornTimeSec}`, kind: 'bigint', of: (row) => String(row.bornTimeSec) },
  updated: { column: sql`${tables.agent.timeSec}`, kind: 'bigint', of: (row) => String(row.timeSec) },
  rate: { column: sql`coalesce(${tables.agent.rate}, 0)`, kind: 'numeric', of: (row) => String(row.rate ?? 0n) },
  capital: {
    column: sql`least(div(${capital}, 1000000000000000000), ${MOST_CAPITAL.toString()}::numeric)`,
    kind: 'numeric',
    of: (row) => {
      const value = ((row.supply + row.unclaimedShares) * (row.rate ?? 0n)) / 10n ** 18n
      return String(value > MOST_CAPITAL ? MOST_CAPITAL : value)
    },
  },
  holders: { column: sql`${tables.agent.holderCount}`, kind: 'bigint', of: (row) => String(row.holderCount) },
  actions: { column: sql`${tables.agent.actionCount}`, kind: 'bigint', of: (row) => String(row.actionCount) },
}

/** Agents, filtered, sorted, a page at a time. */
export async function listAgents(sources: Sources, query: QueryOf<'agents'>): Promise<Page<Agent>> {
  const { agent: t } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<AgentRow>[] = [
    { ...AGENT_SORTS[query.sort], descending },
    { column: sql`${t.chainId}`, kind: 'bigint', descending, of: (row) => String(row.chainId) },
    { column: sql`${t.address}`, kind: 'text', descending, of: (row) => row.address },
  ]
  const list = `agents/${query.sort}/${query.order}`
  const rows = await sources.db
    .select()
    .from(t)
    .where(
      and(
        behind(query.cursor, list, keys),
        query.origin === undefined ? undefined : eq(t.origin, query.origin),
        query.chainId === undefined ? undefined : eq(t.chainId, query.chainId),
        query.owner === undefined ? undefined : eq(t.owner, query.owner),
        query.acceptToken === undefined ? undefined : eq(t.acceptToken, query.acceptToken),
      ),
    )
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  const clocks = await readClocks(sources.db)
  const [tokens, rates] = await Promise.all([
    readTokens(
      sources,
      page.rows.map(({ chainId, acceptToken }) => ({ chainId, address: acceptToken })),
    ),
    readRates30dAgo(sources, page.rows, clocks),
  ])
  const items = page.rows.map((row) => showAgent(row, tokens, rates.get(chainKey(row.chainId, row.address)) ?? null))
  return { items, nextCursor: page.nextCursor }
}

/** The Agent of a path; refused where the index has none. */
export async function findAgent({ db }: Sources, { chainId, address }: PathOf<'agent'>): Promise<AgentRow> {
  const { agent: t } = tables
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.chainId, chainId), eq(t.address, address)))
  if (row !== undefined) return row
  throw new RestFailure('not_found', `There is no Agent ${address} on chain ${chainId} in the index.`)
}

type OfAgent =
  | typeof tables.agentRate
  | typeof tables.agentChange
  | typeof tables.executor
  | typeof tables.valuation
  | typeof tables.action
  | typeof tables.request
  | typeof tables.position
  | typeof tables.holder

function ofAgent(table: OfAgent, { chainId, address }: PathOf<'agent'>): SQL | undefined {
  return and(eq(table.chainId, chainId), eq(table.agent, address))
}

/** Everything about one Agent that is not a long list. */
export async function getAgent(sources: Sources, at: PathOf<'agent'>): Promise<AgentDetail> {
  const { db, checks } = sources
  const row = await findAgent(sources, at)
  const clocks = await readClocks(db)
  const { executor, valuation, valuationNews, agentChange } = tables
  const key = reconciliationKey(at.chainId, at.address)
  const [tokens, rates, executors, valuations, changes, reconciled] = await Promise.all([
    readTokens(sources, [{ chainId: row.chainId, address: row.acceptToken }]),
    readRates30dAgo(sources, [row], clocks),
    db
      .select()
      .from(executor)
      .where(ofAgent(executor, at))
      .orderBy(desc(executor.isEnabled), desc(executor.block))
      .limit(MAX_PART),
    db
      .select()
      .from(valuation)
      .leftJoin(
        valuationNews,
        and(eq(valuationNews.chainId, valuation.chainId), eq(valuationNews.address, valuation.address)),
      )
      .where(ofAgent(valuation, at))
      .orderBy(desc(valuation.isListed), desc(valuation.block))
      .limit(MAX_PART),
    db
      .select()
      .from(agentChange)
      .where(ofAgent(agentChange, at))
      .orderBy(desc(agentChange.block), desc(agentChange.logIndex))
      .limit(MAX_PART),
    checks.reconciliations([key]),
  ])
  const result = reconciled(key)
  return {
    ...showAgent(row, tokens, rates.get(chainKey(row.chainId, row.address)) ?? null),
    ...{ shareToken: row.shareToken, scope: row.scope, pendingOwner: row.pendingOwner },
    ...{ mintFeeBps: row.mintFeeBps, redeemFeeBps: row.redeemFeeBps, feeRecipient: row.feeRecipient },
    feesOwed: whole(row.feesOwed),
    ...{ corridorBpsPerDay: row.corridorBpsPerDay, minRequestAgeSec: row.minRequestAgeSec },
    executors: executors.map((one) => ({
      ...{ account: one.account, isEnabled: one.isEnabled, since: placeOf(one), actionCount: one.actionCount },
    })),
    valuations: valuations.map(({ valuation: one, valuation_news: news }) => ({
      ...{ address: one.address, isListed: one.isListed, since: placeOf(one) },
      ...{ lastEvent: news?.event ?? null, lastValue: wholeOrNull(news?.value ?? null) },
      lastAt: news === null ? null : placeOf(news),
    })),
    changes: changes.map((one) => ({
      ...{ kind: one.kind as AgentChange['kind'], account: one.account, details: { ...one.details } },
      place: placeOf(one),
    })),
    books: result?.books ?? null,
    differences: [...(result?.differences ?? [])],
    reconciledAtSec: result?.atSec ?? null,
  }
}

/** Order by place in one chain. */
function byPlace<Row extends { readonly block: number; readonly logIndex: number }>(
  table: typeof tables.action | typeof tables.request | typeof tables.agentRate,
  descending: boolean,
): OrderKey<Row>[] {
  return [
    { column: sql`${table.block}`, kind: 'bigint', descending, of: (row) => String(row.block) },
    { column: sql`${table.logIndex}`, kind: 'bigint', descending, of: (row) => String(row.logIndex) },
  ]
}

/** What an Agent did, the newest first. */
export async function listActions(
  sources: Sources,
  at: PathOf<'agent'>,
  query: QueryOf<'actions'>,
): Promise<Page<AgentAction>> {
  await findAgent(sources, at)
  const { action: t } = tables
  const keys = byPlace<typeof t.$inferSelect>(t, query.order === 'desc')
  const list = `actions/${query.order}`
  const kind = query.kind === undefined ? undefined : eq(t.kind, query.kind)
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(ofAgent(t, at), kind, behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  const [verdicts, replays] = await Promise.all([
    sources.checks.verdicts(page.rows.map(keyOfRecord)),
    readReplays(sources, page.rows),
  ])
  const items = page.rows.map((row) => showAction(row, verdicts(keyOfRecord(row)), replays.has(row.reasoningHash)))
  return { items, nextCursor: page.nextCursor }
}

/** The life of all requests, the newest step first. */
export async function listRequests(
  sources: Sources,
  at: PathOf<'agent'>,
  query: QueryOf<'requests'>,
): Promise<Page<AgentRequest>> {
  await findAgent(sources, at)
  const { request: t } = tables
  const keys = byPlace<typeof t.$inferSelect>(t, query.order === 'desc')
  const list = `requests/${query.order}`
  const account = query.account === undefined ? undefined : eq(t.account, query.account)
  const side = query.side === undefined ? undefined : eq(t.side, query.side)
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(ofAgent(t, at), account, side, behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  const verdicts = await sources.checks.verdicts(page.rows.map(keyOfRecord).filter((key) => key !== ''))
  return { items: page.rows.map((row) => showRequest(row, verdicts(keyOfRecord(row)))), nextCursor: page.nextCursor }
}

/** What accounts have pending and claimable. */
export async function listPositions(
  sources: Sources,
  at: PathOf<'agent'>,
  query: QueryOf<'positions'>,
): Promise<Page<AgentPosition>> {
  const agent = await findAgent(sources, at)
  const { position: t } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<PositionRow>[] = [
    { column: sql`${t.account}`, kind: 'text', descending, of: (row) => row.account },
    { column: sql`${t.side}`, kind: 'text', descending, of: (row) => row.side },
  ]
  const list = `positions/${query.order}`
  const account = query.account === undefined ? undefined : eq(t.account, query.account)
  const open = query.open === undefined ? undefined : or(gt(t.pending, 0n), gt(t.claimable, 0n))
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(ofAgent(t, at), account, open, behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  return { items: page.rows.map((row) => showPosition(row, agent.reclaimHorizonSec)), nextCursor: page.nextCursor }
}

/** The published rates, the newest first. */
export async function listRates(
  sources: Sources,
  at: PathOf<'agent'>,
  query: QueryOf<'list'>,
): Promise<Page<AgentRate>> {
  await findAgent(sources, at)
  const { agentRate: t } = tables
  const keys = byPlace<typeof t.$inferSelect>(t, query.order === 'desc')
  const list = `rates/${query.order}`
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(ofAgent(t, at), behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  return {
    items: page.rows.map((row) => ({ rate: whole(row.rate), place: placeOf(row) })),
    nextCursor: page.nextCursor,
  }
}

/** Millionths of a whole. */
const PPM = 1_000_000n

/** Who holds shares, the largest first. */
export async function listHolders(
  sources: Sources,
  at: PathOf<'agent'>,
  query: QueryOf<'list'>,
): Promise<Page<Holder>> {
  const { supply } = await findAgent(sources, at)
  const { holder: t } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<typeof t.$inferSelect>[] = [
    { column: sql`${t.shares}`, kind: 'numeric', descending, of: (row) => String(row.shares) },
    { column: sql`${t.account}`, kind: 'text', descending, of: (row) => row.account },
  ]
  const list = `holders/${query.order}`
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(ofAgent(t, at), gt(t.shares, 0n), behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  const part = (shares: bigint): number => (supply === 0n || shares > supply ? 0 : Number((shares * PPM) / supply))
  const items = page.rows.map((row) => ({
    ...{ account: row.account, shares: whole(row.shares), partPpm: part(row.shares), updatedAt: placeOf(row) },
  }))
  return { items, nextCursor: page.nextCursor }
}

type CitationRow = typeof tables.citation.$inferSelect

/** Every record that is cited, in the order of the chains, for whoever checks them. */
export async function listCitations(sources: Sources, query: QueryOf<'feed'>): Promise<Page<Citation>> {
  const { citation: t } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<CitationRow>[] = [
    { column: sql`${t.timeSec}`, kind: 'bigint', descending, of: (row) => String(row.timeSec) },
    { column: sql`${t.chainId}`, kind: 'bigint', descending, of: (row) => String(row.chainId) },
    { column: sql`${t.block}`, kind: 'bigint', descending, of: (row) => String(row.block) },
    { column: sql`${t.logIndex}`, kind: 'bigint', descending, of: (row) => String(row.logIndex) },
  ]
  const list = `citations/${query.order}`
  const chain = query.chainId === undefined ? undefined : eq(t.chainId, query.chainId)
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(chain, behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys, !descending)
  const verdicts = await sources.checks.verdicts(page.rows.map(keyOfRecord))
  const items: Citation[] = []
  for (const row of page.rows) {
    items.push({
      ...{ chainId: row.chainId, agent: row.agent, place: placeOf(row) },
      record: showRecord(row.reasoningHash, row.reasoningUri, verdicts(keyOfRecord(row))),
      ...{ action: actionOf(row), actionCount: actionCountOf(row), citedBefore: await citedBefore(sources, row) },
    })
  }
  return { items, nextCursor: page.nextCursor }
}

function actionOf(row: CitationRow): string | null {
  if (row.reasonedAction !== null) return actionName(row.reasonedAction)
  return row.firstKind === 'reasoned' ? null : row.firstKind
}

/** A batch explains its `Settled`, and executeWithAllowance its `Executed`, by a `Reasoned` beside them. */
function actionCountOf({ reasonedCount, executedCount, settledCount }: CitationRow): number {
  return Math.max(reasonedCount, executedCount, reasonedCount === 0 ? settledCount + executedCount : 0)
}

async function citedBefore({ db }: Sources, row: CitationRow): Promise<string[]> {
  const { citation: t } = tables
  const before = sql`(${t.block} < ${row.block} or (${t.block} = ${row.block} and ${t.logIndex} < ${row.logIndex}))`
  const rows = await db
    .select({ tx: t.tx })
    .from(t)
    .where(
      and(
        ...[eq(t.chainId, row.chainId), eq(t.agent, row.agent), eq(t.reasoningHash, row.reasoningHash)],
        ...[sql`${t.tx} <> ${row.tx}`, before],
      ),
    )
    .limit(MAX_CITED_BEFORE)
  return rows.map(({ tx }) => tx)
}
