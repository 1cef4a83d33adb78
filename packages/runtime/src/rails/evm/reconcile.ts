import { isTransactionId, type TransactionId } from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { type Observation, pushObservation, type SeenBlock } from '../adapter/documents.ts'
import { EndpointError, readFromAny } from '../endpoint/index.ts'
import type { SentTransaction } from '../sent/sent-transactions.ts'
import { type EvmContext, type EvmObservation, factsOf, readFacts, type SurveyedNode, surveyNodes } from './context.ts'
import type { EvmBlock, EvmNode, EvmSlot } from './node.ts'
import { findNonceHolder } from './nonce-holder.ts'

/** An observation and why. */
type Verdict = {
  readonly observation: Observation
  readonly reason: EvmObservation['reason']
  readonly replacedBy?: string | null
}

/**
 * Looks a transaction up on the node that is furthest; the others are witnesses that it is not somewhere else. What is final
 * for the engine is said only when it cannot be otherwise: see `docs/rails.md`, Statuses.
 */
export async function reconcileEvm(context: EvmContext, transactionId: string, sink: PushSink): Promise<void> {
  if (!isTransactionId('evm', transactionId))
    throw new RailRefusalError(`transaction id: got ${transactionId.slice(0, 80)}, expected 0x and 64 digits`)
  const surveyed = await surveyNodes(context)
  const note = await context.sent.find(transactionId)
  const {
    observation,
    reason,
    replacedBy = null,
  } = await readFromAny(surveyed, (best) => {
    const witnesses = surveyed.filter(({ node }) => node !== best.node)
    return judge(context, { transactionId, note, best, witnesses })
  })
  pushObservation(sink, { rail: 'evm', transactionId, observedAtMs: context.clockMs() }, observation)
  try {
    context.onObservation?.({ transactionId, status: observation.status, reason, replacedBy })
  } catch {
    // a listener cannot change what was seen
  }
}

type Case = {
  readonly transactionId: TransactionId
  readonly note: SentTransaction | undefined
  readonly best: SurveyedNode
  readonly witnesses: readonly SurveyedNode[]
}

/** What one node shows. */
type View =
  | { readonly kind: 'included'; readonly block: SeenBlock; readonly hasSucceeded: boolean }
  | { readonly kind: 'in-pool' | 'absent' }

async function judge(context: EvmContext, about: Case): Promise<Verdict> {
  const { transactionId, note, best, witnesses } = about
  const view = await look(best, transactionId)
  if (view.kind === 'included') return judgeIncluded(context, about, view)
  if (view.kind === 'in-pool') {
    if (note === undefined) await learn(context, best.node, transactionId)
    return { observation: pending(null), reason: 'in-pool' }
  }
  const slot = note === undefined ? undefined : readFacts(note.facts)
  if (slot !== undefined) {
    const replaced = await judgeNonce(context, about, slot)
    if (replaced !== undefined) return replaced
  }
  if (await isSeenByAny(witnesses, transactionId)) return { observation: pending(null), reason: 'in-pool' }
  if (note !== undefined) return judgeUnseen(best, note)
  if (!context.sent.isComplete) return { observation: pending(null), reason: 'not-seen' }
  return { observation: { status: 'dropped', block: null }, reason: 'never-sent' }
}

function pending(block: SeenBlock | null): Observation {
  return { status: 'pending', block }
}

async function look({ node, head }: SurveyedNode, transactionId: TransactionId): Promise<View> {
  const inclusion = await node.getInclusion(transactionId)
  if (inclusion === undefined)
    return { kind: (await node.getTransaction(transactionId)) === undefined ? 'absent' : 'in-pool' }
  const { height, blockId, hasSucceeded } = inclusion
  const canonical = await node.getBlock(height)
  // The chain moved between two questions.
  if (canonical?.blockId !== blockId) return { kind: 'in-pool' }
  return { kind: 'included', hasSucceeded, block: { height, blockId, confirmations: depthOf(height, head) } }
}

/** Blocks on a height, its own included. A block that came after the survey is itself the newest. */
function depthOf(height: bigint, head: EvmBlock): bigint {
  return head.height < height ? 1n : head.height - height + 1n
}

async function judgeIncluded(
  context: EvmContext,
  { transactionId, note, best }: Case,
  { block, hasSucceeded }: View & { kind: 'included' },
): Promise<Verdict> {
  if (note === undefined) await learn(context, best.node, transactionId)
  await context.sent.noteSeen(transactionId, { height: block.height, blockId: block.blockId })
  const final = await finalHeight(context, best)
  if (final === undefined || block.height > final) return { observation: pending(block), reason: 'included' }
  if (!hasSucceeded) return { observation: { status: 'dropped', block }, reason: 'failed' }
  return { observation: { status: 'confirmed', block }, reason: 'included' }
}

/** The newest height that counts as final; undefined when none does yet. */
async function finalHeight({ finality }: EvmContext, { node, head }: SurveyedNode): Promise<bigint | undefined> {
  if (typeof finality !== 'number') return (await node.getBlock(finality))?.height
  const height = head.height - BigInt(finality) + 1n
  return height < 0n ? undefined : height
}

/** Notes a transaction that was sent before this memory began, while a node still says whose it is. */
async function learn(context: EvmContext, node: EvmNode, transactionId: TransactionId): Promise<void> {
  const slot = await node.getTransaction(transactionId)
  if (slot !== undefined) await context.sent.note(transactionId, factsOf(slot))
}

/**
 * The nonce is taken: dropped once it is certain by whom, and that is final. A node may have forgotten, or not yet found, a
 * transaction that it has included, so a taken nonce alone says nothing. Undefined while the nonce is free.
 */
async function judgeNonce(
  context: EvmContext,
  { transactionId, best }: Case,
  slot: EvmSlot,
): Promise<Verdict | undefined> {
  const { node, head } = best
  if ((await node.getNonce(slot.from, head.height)) <= slot.nonce) return undefined
  const final = await finalHeight(context, best)
  if (final === undefined || (await node.getNonce(slot.from, final)) <= slot.nonce)
    return { observation: pending(null), reason: 'replaced' }
  const holder = await findNonceHolder(node, slot, final)
  if (holder === undefined) return { observation: pending(null), reason: 'replaced' }
  const block = { ...holder.block, confirmations: depthOf(holder.block.height, head) }
  if (holder.transactionId === transactionId) return { observation: pending(block), reason: 'included' }
  return { observation: { status: 'dropped', block }, reason: 'replaced', replacedBy: holder.transactionId }
}

async function isSeenByAny(witnesses: readonly SurveyedNode[], transactionId: TransactionId): Promise<boolean> {
  const views = witnesses.map(async (witness) => {
    try {
      return (await look(witness, transactionId)).kind !== 'absent'
    } catch (cause) {
      if (cause instanceof EndpointError) return false
      throw cause
    }
  })
  return (await Promise.all(views)).includes(true)
}

/** No node has it and its nonce is free. If its block is gone, that is a reorganisation; a node below that block cannot tell. */
async function judgeUnseen({ node, head }: SurveyedNode, { seenIn }: SentTransaction): Promise<Verdict> {
  if (seenIn === null) return { observation: pending(null), reason: 'not-seen' }
  const canonical = await node.getBlock(seenIn.height)
  if (canonical === undefined || canonical.blockId === seenIn.blockId)
    return { observation: pending(null), reason: 'not-seen' }
  const { height, blockId } = canonical
  const block = { height, blockId, confirmations: depthOf(height, head) }
  return { observation: { status: 'reorged', block }, reason: 'block-gone' }
}
