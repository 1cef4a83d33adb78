import { and, count, eq, sql, sum } from 'ponder'
import { HEARTBEAT_MARK } from '../checks/heartbeat.ts'
import type { Activity, Page, Status } from '../rest/types.ts'
import { readIndexed } from './clock.ts'
import { behind, type OrderKey, orderOf, pageOf } from './keyset.ts'
import type { QueryOf } from './query.ts'
import { placeOf, type Sources, tables, wholeOrNull } from './rows.ts'
import type { SQL } from './sql.ts'

/** Differences that a status shows; all of them are counted. */
const MAX_DIFFERENCES = 100

/** Seconds after which a checking process that wrote nothing counts as not running. */
const SILENT_SEC = 120

/** How far the index is, what it holds, and whether it agrees with the chains. */
export async function getStatus(sources: Sources, nowSec: number): Promise<Status> {
  const { db, checks, plan } = sources
  const [indexed, ready, heads, agents, tenders, activities, ignored, verdicts, heartbeat, reconciled] =
    await Promise.all([
      readIndexed(db),
      isReady(sources),
      Promise.all(plan.chains.map(({ chainId }) => sources.headOf(chainId))),
      db.select({ number: count() }).from(tables.agent),
      db.select({ number: count() }).from(tables.tender),
      db.select({ number: count() }).from(tables.activity),
      db.select({ number: sum(tables.ignored.count) }).from(tables.ignored),
      checks.countVerdicts(),
      checks.mark(HEARTBEAT_MARK),
      checks.differences(MAX_DIFFERENCES),
    ])
  const lastRunSec = heartbeat === undefined ? null : Number(heartbeat)
  return {
    isReady: ready,
    chains: plan.chains.map((chain, index) => {
      const at = indexed.find(({ chainId }) => chainId === chain.chainId)
      const headBlock = heads[index] ?? null
      return {
        ...{ chainId: chain.chainId, network: chain.network },
        ...{ indexedBlock: at?.block ?? 0, indexedTimeSec: at?.timeSec ?? 0, headBlock },
        lagBlocks: headBlock === null ? null : Math.max(0, headBlock - (at?.block ?? 0)),
        taskContracts: chain.taskContracts,
        agentFactories: chain.agentFactories.map(({ address }) => address),
      }
    }),
    counts: {
      ...{ agents: agents[0]?.number ?? 0, tenders: tenders[0]?.number ?? 0, activities: activities[0]?.number ?? 0 },
      ignored: Number(ignored[0]?.number ?? 0),
    },
    checks: {
      isRunning: lastRunSec !== null && nowSec - lastRunSec <= SILENT_SEC,
      ...{ lastRunSec, records: verdicts.record, packages: verdicts.package },
    },
    reconciliation: {
      ...{ contracts: reconciled.contracts, lastRunSec: reconciled.lastRunSec },
      ...{ differences: [...reconciled.differences], differenceCount: reconciled.differenceCount },
    },
  }
}

async function isReady({ db }: Sources): Promise<boolean> {
  const { rows } = await db.execute(sql`select value ->> 'is_ready' as ready from _ponder_meta limit 1`)
  return (rows as readonly Record<string, unknown>[])[0]?.['ready'] === '1'
}

type ActivityRow = typeof tables.activity.$inferSelect

/** An event as the stream and the list show it. */
export function showActivity(row: ActivityRow): Activity {
  return {
    ...{ id: row.id, chainId: row.chainId, contract: row.contract, subject: row.subject as Activity['subject'] },
    ...{ event: row.event, tokenId: wholeOrNull(row.tokenId), account: row.account, amount: wholeOrNull(row.amount) },
    place: placeOf(row),
  }
}

/** All events in the order of their chains' clocks. */
export async function listActivity(sources: Sources, query: QueryOf<'feed'>): Promise<Page<Activity>> {
  const { activity: t } = tables
  const descending = query.order === 'desc'
  // an id begins with time, chain and block, so it is an order of its own
  const keys: OrderKey<ActivityRow>[] = [{ column: sql`${t.id}`, kind: 'text', descending, of: (row) => row.id }]
  const list = `activity/${query.order}`
  const chain: SQL | undefined = query.chainId === undefined ? undefined : eq(t.chainId, query.chainId)
  const rows = await sources.db
    .select()
    .from(t)
    .where(and(chain, behind(query.cursor, list, keys)))
    .orderBy(...orderOf(keys))
    .limit(query.limit + 1)
  const page = pageOf(rows, query.limit, list, keys, !descending)
  return { items: page.rows.map(showActivity), nextCursor: page.nextCursor }
}
