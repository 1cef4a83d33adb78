import { and, eq, inArray, or, sql } from 'ponder'
import { recordKey } from '../checks/check-store.ts'
import type { Clocks } from './clock.ts'
import { type AgentRow, type JudgeRow, type Sources, type TenderRow, type TokenRow, tables } from './rows.ts'
import type { SQL } from './sql.ts'
import { chainKey, readTenderChecks, type TenderContext } from './tender-view.ts'

/** An address on a chain. */
type At = { readonly chainId: number; readonly address: string | null }

function anyOf(
  table: { chainId: Parameters<typeof eq>[0]; address: Parameters<typeof eq>[0] },
  wanted: readonly At[],
): SQL | undefined {
  const byChain = new Map<number, Set<string>>()
  for (const { chainId, address } of wanted) {
    if (address !== null) byChain.set(chainId, (byChain.get(chainId) ?? new Set()).add(address))
  }
  const conditions = [...byChain].map(([chainId, addresses]) =>
    and(eq(table.chainId, chainId), inArray(table.address, [...addresses])),
  )
  return or(...conditions)
}

/** What is known of some tokens, by {@link chainKey}. */
export async function readTokens({ db }: Sources, wanted: readonly At[]): Promise<ReadonlyMap<string, TokenRow>> {
  const where = anyOf(tables.token, wanted)
  const rows = where === undefined ? [] : await db.select().from(tables.token).where(where)
  return new Map(rows.map((row) => [chainKey(row.chainId, row.address), row]))
}

async function readJudges({ db }: Sources, wanted: readonly At[]): Promise<ReadonlyMap<string, JudgeRow>> {
  const where = anyOf(tables.judge, wanted)
  const rows = where === undefined ? [] : await db.select().from(tables.judge).where(where)
  return new Map(rows.map((row) => [chainKey(row.chainId, row.address), row]))
}

/** Everything that some tenders are shown with. */
export async function readTenderContext(
  sources: Sources,
  rows: readonly TenderRow[],
  clocks: Clocks,
): Promise<TenderContext> {
  const [tokens, judges, checks] = await Promise.all([
    readTokens(
      sources,
      rows.map(({ chainId, asset }) => ({ chainId, address: asset })),
    ),
    readJudges(
      sources,
      rows.map(({ chainId, acceptanceAuthority }) => ({ chainId, address: acceptanceAuthority })),
    ),
    readTenderChecks(sources.checks, rows),
  ])
  return { clocks, tokens, judges, ...checks }
}

/** Seconds of the line that a page shows. */
const LINE_SEC = 30n * 86_400n

/** The rates that held 30 days before the clocks, by {@link chainKey}. */
export async function readRates30dAgo(
  { db }: Sources,
  agents: readonly AgentRow[],
  clocks: Clocks,
): Promise<ReadonlyMap<string, bigint>> {
  if (agents.length === 0) return new Map()
  const { agentRate: t } = tables
  const wanted = agents.map(
    ({ chainId, address }) =>
      sql`(${t.chainId} = ${chainId} and ${t.agent} = ${address} and ${t.timeSec} <= ${clocks.of(chainId) - LINE_SEC}::bigint)`,
  )
  const rows = await db
    .selectDistinctOn([t.chainId, t.agent], { chainId: t.chainId, agent: t.agent, rate: t.rate })
    .from(t)
    .where(sql`(${sql.join(wanted, sql` or `)})`)
    .orderBy(t.chainId, t.agent, sql`${t.timeSec} desc, ${t.logIndex} desc`)
  return new Map(rows.map(({ chainId, agent, rate }) => [chainKey(chainId, agent), rate]))
}

/** What cites a record. */
type Cited = {
  readonly chainId: number
  readonly agent: string
  readonly tx: string
  readonly reasoningHash: string | null
}

/** Key of the verdict of a cited record; an empty key, which no verdict has, where none is cited. */
export function keyOfRecord({ chainId, agent, tx, reasoningHash }: Cited): string {
  return reasoningHash === null ? '' : recordKey(chainId, agent, tx, reasoningHash)
}

/** Which records are cited by more than one action, by chain, Agent and hash. */
export async function readReplays({ db }: Sources, cited: readonly Cited[]): Promise<ReadonlySet<string>> {
  const [first] = cited
  if (first === undefined) return new Set()
  const { citation: t } = tables
  const hashes = [...new Set(cited.flatMap(({ reasoningHash }) => reasoningHash ?? []))] as `0x${string}`[]
  const actions = sql<string>`sum(greatest(${t.reasonedCount}, ${t.executedCount},
    case when ${t.reasonedCount} = 0 then ${t.settledCount} + ${t.executedCount} else 0 end))`
  const rows = await db
    .select({ hash: t.reasoningHash, actions })
    .from(t)
    .where(
      and(eq(t.chainId, first.chainId), eq(t.agent, first.agent as `0x${string}`), inArray(t.reasoningHash, hashes)),
    )
    .groupBy(t.reasoningHash)
  return new Set(rows.filter(({ actions: count }) => Number(count) > 1).map(({ hash }) => hash))
}
