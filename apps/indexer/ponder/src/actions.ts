import schema from 'ponder:schema'
import type { Hex } from 'viem'
import { boundCallData, boundReply, innerCallData } from '../../src/ledger/index.ts'
import { type AgentRow, changeAgent } from './agent-rows.ts'
import { type Indexing, type Logged, low, placeOf } from './kept.ts'

/** What an Agent did. */
export type ActionFacts = {
  readonly kind: 'execute' | 'settle-mint' | 'settle-redeem' | 'reasoned'
  readonly actor?: Hex
  readonly target?: Hex
  readonly value?: bigint
  readonly selector?: Hex
  readonly returnData?: Hex
  readonly amount?: bigint
  readonly reasoningHash: Hex
  readonly reasoningUri: string
}

/** Keeps an action, with the call where the transaction shows it. */
export async function keepAction(context: Indexing, event: Logged, agent: AgentRow, facts: ActionFacts): Promise<void> {
  const { db, chain } = context
  const { transaction } = event
  const isDirect = transaction.to !== null && low(transaction.to) === agent.address
  const inner = facts.kind === 'execute' && isDirect ? innerCallData(transaction.input) : undefined
  await db.insert(schema.action).values({
    ...{ id: event.id, chainId: chain.id, ...placeOf(event), agent: agent.address, sender: low(transaction.from) },
    ...facts,
    callData: inner === undefined ? null : boundCallData(inner),
    ...(facts.returnData === undefined ? { returnData: null } : boundReply(facts.returnData)),
  })
  await changeAgent(context, event, (row) => ({ actionCount: row.actionCount + 1 }))
  if (facts.actor === undefined || facts.kind !== 'execute') return
  const key = { chainId: chain.id, agent: agent.address, account: low(facts.actor) }
  if ((await db.find(schema.executor, key)) === null) return
  await db.update(schema.executor, key).set((row) => ({ actionCount: row.actionCount + 1 }))
}

/** What cites a record. */
export type CitingFacts = {
  readonly kind: 'settled' | 'executed' | 'reasoned'
  /** Name of the agent action, or `reasoned`. */
  readonly firstKind: string
  readonly reasonedAction?: Hex
  readonly reasoningHash: Hex
  readonly reasoningUri: string
}

/** Keeps that a transaction cites a record, once for all its events. */
export async function citeRecord({ db, chain }: Indexing, event: Logged, facts: CitingFacts): Promise<void> {
  const one = (kind: CitingFacts['kind']): number => (facts.kind === kind ? 1 : 0)
  await db
    .insert(schema.citation)
    .values({
      ...{ chainId: chain.id, ...placeOf(event), agent: low(event.log.address) },
      ...{ reasoningHash: facts.reasoningHash, reasoningUri: facts.reasoningUri, firstKind: facts.firstKind },
      reasonedAction: facts.reasonedAction ?? null,
      ...{ settledCount: one('settled'), executedCount: one('executed'), reasonedCount: one('reasoned') },
    })
    .onConflictDoUpdate((row) => ({
      reasonedAction: row.reasonedAction ?? facts.reasonedAction ?? null,
      settledCount: row.settledCount + one('settled'),
      executedCount: row.executedCount + one('executed'),
      reasonedCount: row.reasonedCount + one('reasoned'),
    }))
}
