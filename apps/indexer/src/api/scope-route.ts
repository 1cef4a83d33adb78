import { and, desc, eq, sql } from 'ponder'
import type { AgentScope, ScopeChange } from '../rest/types.ts'
import { findAgent } from './agent-routes.ts'
import { behind, type OrderKey, orderOf, pageOf } from './keyset.ts'
import type { PathOf, QueryOf } from './query.ts'
import { placeOf, type Sources, tables, whole, wholeOrNull } from './rows.ts'
import type { SQL } from './sql.ts'

/** Rules, caps, members and proposals that are shown; the contract itself takes 64 rules. */
const MAX_PART = 500

type OfAgent =
  | typeof tables.scopeRule
  | typeof tables.scopeCap
  | typeof tables.scopeMember
  | typeof tables.scopeProposal
  | typeof tables.scopeChange
type ChangeRow = typeof tables.scopeChange.$inferSelect

function ofAgent(table: OfAgent, { chainId, address }: PathOf<'agent'>): SQL | undefined {
  return and(eq(table.chainId, chainId), eq(table.agent, address))
}

/** The boundary of an Agent as events left it, with its history, the newest step first. */
export async function getScope(sources: Sources, at: PathOf<'agent'>, query: QueryOf<'list'>): Promise<AgentScope> {
  const { db } = sources
  const agent = await findAgent(sources, at)
  const { scopeRule, scopeCap, scopeMember, scopeProposal, scopeChange: t } = tables
  const descending = query.order === 'desc'
  const keys: OrderKey<ChangeRow>[] = [
    { column: sql`${t.block}`, kind: 'bigint', descending, of: (row) => String(row.block) },
    { column: sql`${t.logIndex}`, kind: 'bigint', descending, of: (row) => String(row.logIndex) },
  ]
  const list = `scope/${query.order}`
  const [rules, caps, members, proposals, changes] = await Promise.all([
    db.select().from(scopeRule).where(ofAgent(scopeRule, at)).orderBy(scopeRule.key).limit(MAX_PART),
    db.select().from(scopeCap).where(ofAgent(scopeCap, at)).orderBy(scopeCap.key).limit(MAX_PART),
    db
      .select()
      .from(scopeMember)
      .where(ofAgent(scopeMember, at))
      .orderBy(scopeMember.set, scopeMember.member)
      .limit(MAX_PART),
    db
      .select()
      .from(scopeProposal)
      .innerJoin(
        t,
        and(
          ...[eq(t.chainId, scopeProposal.chainId), eq(t.agent, scopeProposal.agent)],
          ...[eq(t.changeId, scopeProposal.changeId), eq(t.kind, 'proposed')],
          ...[eq(t.block, scopeProposal.block), eq(t.logIndex, scopeProposal.logIndex)],
        ),
      )
      .where(ofAgent(scopeProposal, at))
      .orderBy(desc(scopeProposal.readyAtSec))
      .limit(MAX_PART),
    db
      .select()
      .from(t)
      .where(and(ofAgent(t, at), behind(query.cursor, list, keys)))
      .orderBy(...orderOf(keys))
      .limit(query.limit + 1),
  ])
  const page = pageOf(changes, query.limit, list, keys)
  return {
    ...{ contract: agent.scope, delaySec: wholeOrNull(agent.scopeDelaySec) },
    rules: rules.map((row) => ({
      ...{ key: row.key, target: row.target, selector: row.selector, plain: row.plain, rule: { ...row.rule } },
      ...{ conditions: conditionsOf(row.rule), expiresAtSec: wholeOrNull(row.expiresAtSec), place: placeOf(row) },
    })),
    caps: caps.map((row) => ({
      ...{ key: row.key, asset: row.asset, limit: whole(row.limit), periodSec: wholeOrNull(row.periodSec) },
      ...{ lifetime: whole(row.lifetime), place: placeOf(row) },
    })),
    members: members.map((row) => ({ set: whole(row.set), member: whole(row.member), place: placeOf(row) })),
    proposals: proposals.map(({ scope_change: row }) => showChange(row)),
    history: page.rows.map(showChange),
    nextCursor: page.nextCursor,
  }
}

function showChange(row: ChangeRow): ScopeChange {
  return {
    ...{ kind: row.kind as ScopeChange['kind'], changeId: row.changeId, readyAtSec: wholeOrNull(row.readyAtSec) },
    ...{ by: row.by, policy: row.policy === null ? null : { ...row.policy }, details: { ...row.details } },
    place: placeOf(row),
  }
}

type Condition = AgentScope['rules'][number]['conditions'][number]

/** The conditions of a rule as it was kept: numbers are decimal text there. */
function conditionsOf(rule: Readonly<Record<string, unknown>>): Condition[] {
  const list = rule['conditions']
  if (!Array.isArray(list)) return []
  return (list as readonly Readonly<Record<string, unknown>>[]).map(({ offset, op, value }) => ({
    ...{ offset: Number(offset), op: Number(op), value: String(value) },
  }))
}
