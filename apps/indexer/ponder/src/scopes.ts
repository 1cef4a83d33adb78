import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import { capKeyOf, KEEP_DELAY, ruleKeyOf } from '@oikos/core/scope-policy'
import { and, eq } from 'ponder'
import type { Hex } from 'viem'
import { toDetails, toJson } from '../../src/ledger/index.ts'
import { changeAgent } from './agent-rows.ts'
import { type Indexing, keepActivity, type Logged, low, placeOf } from './kept.ts'

type Change = Pick<typeof schema.scopeChange.$inferInsert, 'kind'> & {
  readonly event: string
  readonly agent: Hex
  readonly changeId?: Hex
  readonly readyAtSec?: bigint
  readonly by?: Hex
  readonly policy?: unknown
  readonly args?: Readonly<Record<string, unknown>>
}

async function keepChange(context: Indexing, event: Logged, change: Change): Promise<void> {
  const { db, chain } = context
  await db.insert(schema.scopeChange).values({
    ...{ id: event.id, chainId: chain.id, ...placeOf(event), agent: low(change.agent), kind: change.kind },
    ...{ changeId: change.changeId ?? null, readyAtSec: change.readyAtSec ?? null },
    by: change.by === undefined ? null : low(change.by),
    policy: change.policy === undefined ? null : (toJson(change.policy) as Record<string, unknown>),
    details: toDetails(change.args ?? {}),
  })
  await keepActivity(context, event, { subject: 'scope', event: change.event, contract: change.agent })
}

ponder.on('Scope:PolicyProposed', async ({ event, context }) => {
  const { agent, changeId, readyAt: readyAtSec, policy } = event.args
  const key = { chainId: context.chain.id, agent: low(agent), changeId }
  const values = { readyAtSec, ...placeOf(event) }
  await context.db
    .insert(schema.scopeProposal)
    .values({ ...key, ...values })
    .onConflictDoUpdate(() => values)
  await keepChange(context, event, { kind: 'proposed', event: 'PolicyProposed', agent, changeId, readyAtSec, policy })
})

ponder.on('Scope:PolicyWithdrawn', async ({ event, context }) => {
  const { agent, changeId, by } = event.args
  await context.db.delete(schema.scopeProposal, { chainId: context.chain.id, agent: low(agent), changeId })
  await keepChange(context, event, { kind: 'withdrawn', event: 'PolicyWithdrawn', agent, changeId, by })
})

ponder.on('Scope:PolicyApplied', async ({ event, context }) => {
  const { db, chain } = context
  const { agent: emitterOf, changeId, policy } = event.args
  const agent = low(emitterOf)
  const place = placeOf(event)
  await db.delete(schema.scopeProposal, { chainId: chain.id, agent, changeId })
  for (const rule of policy.rules) {
    const { target, selector, plain, expiresAt } = rule
    const values = {
      ...{ target: low(target), selector, plain, rule: toJson(rule) as Record<string, unknown>, ...place },
      expiresAtSec: expiresAt === 0 ? null : BigInt(expiresAt),
    }
    await db
      .insert(schema.scopeRule)
      .values({ chainId: chain.id, agent, key: ruleKeyOf(rule), ...values })
      .onConflictDoUpdate(() => values)
  }
  for (const { asset, limit, periodSec, lifetime } of policy.caps) {
    const values = { asset: low(asset), limit, periodSec: BigInt(periodSec), lifetime, ...place }
    await db
      .insert(schema.scopeCap)
      .values({ chainId: chain.id, agent, key: capKeyOf(asset), ...values })
      .onConflictDoUpdate(() => values)
  }
  for (const { set, member } of policy.members) {
    await db
      .insert(schema.scopeMember)
      .values({ chainId: chain.id, agent, set, member, ...place })
      .onConflictDoUpdate(() => place)
  }
  // the policy of a birth is applied before the Agent has a row; its delay is then told by the birth's own row
  const known = await db.find(schema.agent, { chainId: chain.id, address: agent })
  if (policy.delaySec !== KEEP_DELAY) {
    const scopeDelaySec = BigInt(policy.delaySec)
    if (known !== null) await changeAgent(context, event, () => ({ scopeDelaySec }), agent)
  }
  await keepChange(context, event, { kind: 'applied', event: 'PolicyApplied', agent, changeId, policy })
})

ponder.on('Scope:RuleRemoved', async ({ event, context }) => {
  const { agent, key, by } = event.args
  await context.db.delete(schema.scopeRule, { chainId: context.chain.id, agent: low(agent), key })
  await keepChange(context, event, { kind: 'rule-removed', event: 'RuleRemoved', agent, by, args: { key } })
})

ponder.on('Scope:RulesRemoved', async ({ event, context }) => {
  const { agent, count, by } = event.args
  const { scopeRule } = schema
  await context.db.sql
    .delete(scopeRule)
    .where(and(eq(scopeRule.chainId, context.chain.id), eq(scopeRule.agent, low(agent))))
  await keepChange(context, event, { kind: 'rules-removed', event: 'RulesRemoved', agent, by, args: { count } })
})

ponder.on('Scope:RuleExpirySet', async ({ event, context }) => {
  const { agent, key, expiresAt, by } = event.args
  const row = { chainId: context.chain.id, agent: low(agent), key }
  if ((await context.db.find(schema.scopeRule, row)) !== null) {
    const change = { expiresAtSec: BigInt(expiresAt), ...placeOf(event) }
    await context.db.update(schema.scopeRule, row).set(change)
  }
  const args = { key, expiresAt }
  await keepChange(context, event, { kind: 'rule-expiry', event: 'RuleExpirySet', agent, by, args })
})

ponder.on('Scope:CapLowered', async ({ event, context }) => {
  const { agent, key, limit, lifetimeLeft: lifetime, by } = event.args
  const row = { chainId: context.chain.id, agent: low(agent), key }
  if ((await context.db.find(schema.scopeCap, row)) !== null) {
    await context.db.update(schema.scopeCap, row).set({ limit, lifetime, ...placeOf(event) })
  }
  const args = { key, limit, lifetime }
  await keepChange(context, event, { kind: 'cap-lowered', event: 'CapLowered', agent, by, args })
})

ponder.on('Scope:MemberRemoved', async ({ event, context }) => {
  const { agent, set, member, by } = event.args
  await context.db.delete(schema.scopeMember, { chainId: context.chain.id, agent: low(agent), set, member })
  const args = { set, member }
  await keepChange(context, event, { kind: 'member-removed', event: 'MemberRemoved', agent, by, args })
})
