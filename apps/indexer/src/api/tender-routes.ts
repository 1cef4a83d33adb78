import { and, asc, desc, eq, gt, gte, isNotNull, sql } from 'ponder'
import { packageKey, reconciliationKey } from '../checks/check-store.ts'
import type {
  CompanionEvent,
  Movement,
  Page,
  Submission,
  TaskPackage,
  Tender,
  TenderChange,
  TenderDetail,
} from '../rest/types.ts'
import { readClocks } from './clock.ts'
import { RestFailure } from './failure.ts'
import { behind, type OrderKey, orderOf, pageOf } from './keyset.ts'
import { readTenderContext } from './lookups.ts'
import type { PathOf, QueryOf } from './query.ts'
import { placeOf, type Sources, type SubmissionRow, type TenderRow, tables, whole, wholeOrNull } from './rows.ts'
import type { SQL } from './sql.ts'
import { stateSql } from './tender-state.ts'
import { showSubmission, showTender, verdictOf } from './tender-view.ts'

/** Rows of each part of a tender's page, at most; the lists of their own have all of them. */
const MAX_PART = 200

const MARKET_SORTS: Readonly<Record<QueryOf<'market'>['sort'], Omit<OrderKey<TenderRow>, 'descending'>>> = {
  created: { column: sql`${tables.tender.bornTimeSec}`, kind: 'bigint', of: (row) => String(row.bornTimeSec) },
  updated: { column: sql`${tables.tender.timeSec}`, kind: 'bigint', of: (row) => String(row.timeSec) },
  reward: {
    column: sql`coalesce(${tables.tender.rewardPerCompletion}, 0)`,
    kind: 'numeric',
    of: (row) => String(row.rewardPerCompletion ?? 0n),
  },
  escrow: { column: sql`${tables.tender.escrow}`, kind: 'numeric', of: (row) => String(row.escrow) },
  deadline: {
    column: sql`coalesce(${tables.tender.submitBy}, 0)`,
    kind: 'numeric',
    of: (row) => String(row.submitBy ?? 0n),
  },
}

/** The market: tenders, filtered, sorted, a page at a time. */
export async function listTenders(sources: Sources, query: QueryOf<'market'>): Promise<Page<Tender>> {
  const { tender: t, judge: j } = tables
  const clocks = await readClocks(sources.db)
  const descending = query.order === 'desc'
  const keys: OrderKey<TenderRow>[] = [
    { ...MARKET_SORTS[query.sort], descending },
    { column: sql`${t.chainId}`, kind: 'bigint', descending, of: (row) => String(row.chainId) },
    { column: sql`${t.contract}`, kind: 'text', descending, of: (row) => row.contract },
    { column: sql`${t.tokenId}`, kind: 'numeric', descending, of: (row) => String(row.tokenId) },
  ]
  const list = `market/${query.sort}/${query.order}`
  const now = clocks.sql(sql`${t.chainId}`)
  const free = sql`${t.escrow} - ${t.pending} * coalesce(${t.rewardPerCompletion}, 0)`
  const kindOfJudge = sql`(select ${j.kind} from ${j} where ${j.chainId} = ${t.chainId} and ${j.address} = ${t.acceptanceAuthority})`
  const conditions: (SQL | undefined)[] = [
    behind(query.cursor, list, keys),
    query.state === undefined ? undefined : sql`${stateSql(now)} = ${query.state}`,
    query.judge === undefined ? undefined : sql`coalesce(${kindOfJudge}, 'unknown') = ${query.judge}`,
    query.funded === undefined
      ? undefined
      : and(isNotNull(t.rewardPerCompletion), sql`${free} >= ${t.rewardPerCompletion}`),
    query.origin === undefined ? undefined : eq(t.origin, query.origin),
    query.chainId === undefined ? undefined : eq(t.chainId, query.chainId),
    query.contract === undefined ? undefined : eq(t.contract, query.contract),
    query.asset === undefined ? undefined : eq(t.asset, query.asset),
    query.owner === undefined ? undefined : eq(t.owner, query.owner),
    query.authority === undefined ? undefined : eq(t.acceptanceAuthority, query.authority),
    query.minReward === undefined ? undefined : gte(t.rewardPerCompletion, BigInt(query.minReward)),
  ]
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(...conditions))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  const context = await readTenderContext(sources, page.rows, clocks)
  return { items: page.rows.map((row) => showTender(row, context)), nextCursor: page.nextCursor }
}

type OfTender = typeof tables.tender | typeof tables.binding | typeof tables.funder | typeof tables.credit
type AlsoOfTender = typeof tables.tenderChange | typeof tables.movement | typeof tables.submission
type Companions = typeof tables.companionEvent

function ofTender(
  table: OfTender | AlsoOfTender | Companions,
  { chainId, contract, tokenId }: PathOf<'tender'>,
): SQL | undefined {
  return and(eq(table.chainId, chainId), eq(table.contract, contract), eq(table.tokenId, tokenId))
}

async function findTender({ db }: Sources, at: PathOf<'tender'>): Promise<TenderRow> {
  const [row] = await db.select().from(tables.tender).where(ofTender(tables.tender, at))
  if (row !== undefined) return row
  throw new RestFailure(
    'not_found',
    `There is no tender ${at.tokenId} of ${at.contract} on chain ${at.chainId} in the index.`,
  )
}

/** Everything about one tender that is not a long list. */
export async function getTender(sources: Sources, at: PathOf<'tender'>): Promise<TenderDetail> {
  const { db, checks } = sources
  const row = await findTender(sources, at)
  const clocks = await readClocks(db)
  const { binding, funder, credit, tenderChange, companionEvent } = tables
  const [bindings, funders, credits, changes, companions, context, reconciled] = await Promise.all([
    db.select().from(binding).where(ofTender(binding, at)).orderBy(desc(binding.version)).limit(MAX_PART),
    db.select().from(funder).where(ofTender(funder, at)).orderBy(desc(funder.contributed)).limit(MAX_PART),
    db
      .select()
      .from(credit)
      .where(and(ofTender(credit, at), gt(credit.amount, 0n)))
      .orderBy(desc(credit.amount))
      .limit(MAX_PART),
    db
      .select()
      .from(tenderChange)
      .where(ofTender(tenderChange, at))
      .orderBy(desc(tenderChange.block), desc(tenderChange.logIndex))
      .limit(MAX_PART),
    db
      .select()
      .from(companionEvent)
      .where(ofTender(companionEvent, at))
      .orderBy(desc(companionEvent.block), desc(companionEvent.logIndex))
      .limit(MAX_PART),
    readTenderContext(sources, [row], clocks),
    checks.reconciliations([reconciliationKey(at.chainId, at.contract, whole(at.tokenId))]),
  ])
  const keyOf = (version: bigint): string => packageKey(at.chainId, at.contract, whole(at.tokenId), whole(version))
  const verdicts = await checks.verdicts(bindings.map(({ version }) => keyOf(version)))
  const result = reconciled(reconciliationKey(at.chainId, at.contract, whole(at.tokenId)))
  return {
    ...showTender(row, context),
    bindings: bindings.map((one) => ({
      ...{ version: whole(one.version), tdHash: one.tdHash, taskHash: one.taskHash, place: placeOf(one) },
      package: verdictOf(verdicts(keyOf(one.version))),
    })),
    funders: funders.map((one) => ({
      ...{ account: one.account, contributed: whole(one.contributed), refunded: whole(one.refunded) },
      hasReclaimed: one.hasReclaimed,
    })),
    credits: credits.map((one) => ({ account: one.account, amount: whole(one.amount), updatedAt: placeOf(one) })),
    changes: changes.map((one) => ({
      ...{ kind: one.kind as TenderChange['kind'], from: one.from, to: one.to, place: placeOf(one) },
    })),
    companions: companions.map((one) => showCompanion(one, row)),
    differences: [...(result?.differences ?? [])],
    reconciledAtSec: result?.atSec ?? null,
  }
}

function showCompanion(row: typeof tables.companionEvent.$inferSelect, tender: TenderRow): CompanionEvent {
  return {
    ...{ emitter: row.emitter, isInSlot: row.emitter === tender.acceptanceAuthority, event: row.event },
    ...{ submissionId: wholeOrNull(row.submissionId), account: row.account, amount: wholeOrNull(row.amount) },
    ...{ details: { ...row.details }, place: placeOf(row) },
  }
}

/** Deliveries of a tender, the newest first. */
export async function listSubmissions(
  sources: Sources,
  at: PathOf<'tender'>,
  query: QueryOf<'submissions'>,
): Promise<Page<Submission>> {
  await findTender(sources, at)
  const { submission: t } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<SubmissionRow>[] = [
    { column: sql`${t.submissionId}`, kind: 'numeric', descending, of: (row) => String(row.submissionId) },
  ]
  const list = `submissions/${query.order}`
  const status = query.status === undefined ? undefined : eq(t.status, query.status)
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(ofTender(t, at), status, behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  return { items: page.rows.map(showSubmission), nextCursor: page.nextCursor }
}

type MovementRow = typeof tables.movement.$inferSelect

/** Movements of a vault, the newest first. */
export async function listMovements(
  sources: Sources,
  at: PathOf<'tender'>,
  query: QueryOf<'list'>,
): Promise<Page<Movement>> {
  await findTender(sources, at)
  const { movement: t } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<MovementRow>[] = [
    { column: sql`${t.block}`, kind: 'bigint', descending, of: (row) => String(row.block) },
    { column: sql`${t.logIndex}`, kind: 'bigint', descending, of: (row) => String(row.logIndex) },
  ]
  const list = `movements/${query.order}`
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(ofTender(t, at), behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys)
  const items = page.rows.map((row) => ({
    ...{ kind: row.kind as Movement['kind'], account: row.account, amount: whole(row.amount) },
    ...{ submissionId: wholeOrNull(row.submissionId), asset: row.asset, place: placeOf(row) },
  }))
  return { items, nextCursor: page.nextCursor }
}

type BindingRow = typeof tables.binding.$inferSelect

/** Every version of every package in the order of the chains, for whoever checks them. */
export async function listPackages(sources: Sources, query: QueryOf<'feed'>): Promise<Page<TaskPackage>> {
  const { binding: t, tender } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<BindingRow>[] = [
    { column: sql`${t.timeSec}`, kind: 'bigint', descending, of: (row) => String(row.timeSec) },
    { column: sql`${t.chainId}`, kind: 'bigint', descending, of: (row) => String(row.chainId) },
    { column: sql`${t.block}`, kind: 'bigint', descending, of: (row) => String(row.block) },
    { column: sql`${t.logIndex}`, kind: 'bigint', descending, of: (row) => String(row.logIndex) },
  ]
  const list = `packages/${query.order}`
  const chain = query.chainId === undefined ? undefined : eq(t.chainId, query.chainId)
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(chain, behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys, !descending)
  const most = new Map<string, bigint | null>()
  for (const row of page.rows) {
    const [found] = await sources.db
      .select({ maxCompletions: tender.maxCompletions })
      .from(tender)
      .where(ofTender(tender, row))
      .orderBy(asc(tender.tokenId))
    most.set(`${row.chainId}/${row.contract}/${row.tokenId}`, found?.maxCompletions ?? null)
  }
  const items = page.rows.map((row) => ({
    ...{ chainId: row.chainId, contract: row.contract, tokenId: whole(row.tokenId), version: whole(row.version) },
    ...{ tdHash: row.tdHash, taskHash: row.taskHash, taskUri: row.taskUri, place: placeOf(row) },
    maxCompletions: wholeOrNull(most.get(`${row.chainId}/${row.contract}/${row.tokenId}`) ?? null),
  }))
  return { items, nextCursor: page.nextCursor }
}
