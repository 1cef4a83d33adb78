import { isTransactionId } from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { type Observation, pushObservation, type SeenBlock } from '../adapter/documents.ts'
import { askAll } from '../endpoint/index.ts'
import type { SeenIn } from '../sent/sent-transactions.ts'
import {
  type BitcoinContext,
  type BitcoinFacts,
  type BitcoinObservation,
  factsOf,
  GRACE_MS,
  readFacts,
} from './context.ts'
import { type BitcoinNode, type Outpoint, seenBlock } from './node.ts'

/**
 * What one node shows of a transaction: in a block of the chain; in the pool; nowhere while another one spends an input of
 * it (`displaced`); nowhere, and the block in which it was seen is none of the chain (`orphaned`); nowhere (`absent`).
 */
type View =
  | { readonly kind: 'included'; readonly block: SeenBlock; readonly inputs: readonly Outpoint[] }
  | { readonly kind: 'pool'; readonly inputs: readonly Outpoint[]; readonly newest: bigint }
  | { readonly kind: 'displaced'; readonly spentBy: string; readonly block: SeenBlock | null }
  | { readonly kind: 'orphaned' | 'absent' }

/**
 * Looks a transaction up on all nodes. One that has it outweighs those that have not; its end is told only when a node shows
 * what took its place, deep enough, or that it has another chain than the one in which it was seen.
 */
export async function reconcileBitcoin(context: BitcoinContext, transactionId: string, sink: PushSink): Promise<void> {
  if (!isTransactionId('bitcoin', transactionId))
    throw new RailRefusalError(`transaction id: got ${transactionId.slice(0, 80)}, expected 64 digits`)
  const { sent, nodes, clockMs } = context
  const note = await sent.find(transactionId)
  const facts = note === undefined ? undefined : readFacts(note.facts)
  const about = { transactionId, seenIn: note?.seenIn ?? null, facts }
  const { answers } = await askAll(nodes, (node) => viewOf(node, about), GRACE_MS)
  const views = answers.map(({ result }) => result)
  const { observation, reason, spentBy = null } = judge(context, views, facts)
  await learn(context, about, views)
  pushObservation(sink, { rail: 'bitcoin', transactionId, observedAtMs: clockMs() }, observation)
  try {
    context.onObservation?.({ transactionId, status: observation.status, reason, spentBy })
  } catch {
    // a listener cannot change what was seen
  }
}

/** Notes where it was seen; also what it spends, if it was sent before this memory began. */
async function learn(
  { sent, confirmationTarget }: BitcoinContext,
  { transactionId, facts, seenIn }: Case,
  views: readonly View[],
): Promise<void> {
  const seen = views.find((view) => view.kind === 'included') ?? views.find((view) => view.kind === 'pool')
  if (seen === undefined) return
  if (facts === undefined) {
    const height = seen.kind === 'included' ? seen.block.height - 1n : seen.newest
    await sent.note(transactionId, factsOf({ target: confirmationTarget, height, inputs: seen.inputs }))
  }
  if (seen.kind !== 'included' || seen.block.blockId === seenIn?.blockId) return
  await sent.noteSeen(transactionId, { height: seen.block.height, blockId: seen.block.blockId })
}

/** An observation and why. */
type Verdict = {
  readonly observation: Observation
  readonly reason: BitcoinObservation['reason']
  readonly spentBy?: string
}

function judge(
  { confirmationTarget, sent }: BitcoinContext,
  views: readonly View[],
  facts: BitcoinFacts | undefined,
): Verdict {
  const asked = facts?.target ?? 0n
  const target = asked > confirmationTarget ? asked : confirmationTarget
  const included = deepest(views.filter((view) => view.kind === 'included'))
  if (included !== undefined) {
    const status = included.block.confirmations >= target ? 'confirmed' : 'pending'
    return { observation: { status, block: included.block }, reason: 'included' }
  }
  const pending = { status: 'pending', block: null } as const
  if (views.some(({ kind }) => kind === 'pool')) return { observation: pending, reason: 'in-pool' }
  const displaced = deepest(views.filter((view) => view.kind === 'displaced'))
  if (displaced !== undefined) {
    const { block, spentBy } = displaced
    const isFinal = block !== null && block.confirmations >= target
    return { observation: isFinal ? { status: 'dropped', block } : pending, reason: 'double-spent', spentBy }
  }
  if (views.some(({ kind }) => kind === 'orphaned'))
    return { observation: { status: 'reorged', block: null }, reason: 'block-gone' }
  if (facts !== undefined || !sent.isComplete) return { observation: pending, reason: 'not-seen' }
  return { observation: { status: 'dropped', block: null }, reason: 'never-sent' }
}

function deepest<V extends { readonly block: SeenBlock | null }>(views: readonly V[]): V | undefined {
  const depth = ({ block }: V): bigint => block?.confirmations ?? 0n
  return views.toSorted((left, right) => Number(depth(right) - depth(left)))[0]
}

type Case = {
  readonly transactionId: string
  readonly seenIn: SeenIn | null
  readonly facts: BitcoinFacts | undefined
}

async function viewOf(node: BitcoinNode, about: Case): Promise<View> {
  const { transactionId, seenIn, facts } = about
  await node.checkNetwork()
  const found = await look(node, about)
  if (found !== undefined) return found
  const spending = facts === undefined ? undefined : await node.findSpending(facts.inputs, facts.height)
  if (spending !== undefined) {
    const block = spending.block === null ? null : seenBlock(spending.block, await node.getHeight())
    if (spending.txid !== transactionId) return { kind: 'displaced', spentBy: spending.txid, block }
    // A node without an index of transactions finds the payment only by what it spends.
    if (block !== null) return { kind: 'included', inputs: facts?.inputs ?? [], block }
  }
  if (seenIn === null || !(await isOrphaned(node, seenIn))) return { kind: 'absent' }
  // Once more, since the chain may have moved between two questions.
  return (await look(node, about)) ?? { kind: 'orphaned' }
}

/** The transaction in a block of the chain or in the pool. */
async function look(node: BitcoinNode, { transactionId, seenIn, facts }: Case): Promise<View | undefined> {
  const place = await node.locate(transactionId, seenIn)
  if (place.kind === 'block') return { kind: 'included', inputs: place.inputs, block: place.block }
  if (place.kind !== 'pool') return undefined
  return { kind: 'pool', inputs: place.inputs, newest: facts === undefined ? await node.getHeight() : facts.height }
}

/** Whether a node that is as far as the block in which a transaction was seen has another one at its height. */
async function isOrphaned(node: BitcoinNode, seenIn: SeenIn): Promise<boolean> {
  const blockId = await node.getBlockId(seenIn.height)
  return blockId !== undefined && blockId !== seenIn.blockId
}
