import { isTransactionId, type TransactionId } from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { type Observation, pushObservation, type SeenBlock } from '../adapter/documents.ts'
import { askAll } from '../endpoint/index.ts'
import type { SeenIn, SentTransaction } from '../sent/sent-transactions.ts'
import { BLOCKHASH_LIFE, factsOf, GRACE_MS, readFacts, type SolanaContext, type SolanaObservation } from './context.ts'
import type { SolanaNode, SolanaStatus } from './node.ts'

/** The block of a transaction, and its slot. */
type Found = SeenBlock & { readonly slot: bigint }

/** A transaction in a block; `block` is null while only one node has that block, or the node does not name it. */
type Included = {
  readonly kind: 'included'
  readonly block: Found | null
  readonly isFinal: boolean
  readonly hasFailed: boolean
}

/**
 * What one node shows of a transaction: where it is; nowhere, and no block can hold it any more (`expired`); nowhere, and the
 * block in which it was seen is none of the chain (`orphaned`); nowhere, as far as this node knows (`absent`).
 */
type View = Included | { readonly kind: 'expired' | 'orphaned' | 'absent' }

/**
 * Looks a transaction up on all nodes. One that has it outweighs those that have not; its end is told only on the word of a
 * node that has seen everything in which it could be.
 */
export async function reconcileSolana(context: SolanaContext, transactionId: string, sink: PushSink): Promise<void> {
  const { sent, nodes, clockMs } = context
  if (!isTransactionId('solana', transactionId))
    throw new RailRefusalError(`transaction id: got ${transactionId.slice(0, 100)}, expected base58 of 64 bytes`)
  const note = await sent.find(transactionId)
  const { answers } = await askAll(nodes, (node) => viewOf(context, node, transactionId, note), GRACE_MS)
  const views = answers.map(({ result }) => result)
  const { observation, reason } = judge(context, views, note)
  if (observation.block !== null) await remember(context, transactionId, note, observation.block)
  pushObservation(sink, { rail: 'solana', transactionId, observedAtMs: clockMs() }, observation)
  try {
    context.onObservation?.({ transactionId, status: observation.status, reason })
  } catch {
    // a listener cannot change what was seen
  }
}

/** Notes where it was seen, also what was sent before this memory began: then its life is at most what a blockhash has. */
async function remember(
  { sent }: SolanaContext,
  transactionId: TransactionId,
  note: SentTransaction | undefined,
  { height, blockId, slot }: Found,
): Promise<void> {
  if (note?.seenIn?.blockId === blockId) return
  if (note === undefined)
    await sent.note(transactionId, factsOf({ lastValidBlockHeight: height + BLOCKHASH_LIFE, slot }))
  await sent.noteSeen(transactionId, { height, blockId })
}

/** An observation and why. */
type Verdict = {
  readonly observation: Observation & { readonly block: Found | null }
  readonly reason: SolanaObservation['reason']
}

function judge(
  { confirmationTarget, sent }: SolanaContext,
  views: readonly View[],
  note: SentTransaction | undefined,
): Verdict {
  const included = views.filter((view) => view.kind === 'included')
  const best = included.find(({ isFinal }) => isFinal) ?? included.find(({ block }) => block !== null) ?? included[0]
  if (best !== undefined) return judgeIncluded(best, confirmationTarget)
  const nowhere = (status: 'pending' | 'reorged' | 'dropped', reason: Verdict['reason']): Verdict => ({
    observation: { status, block: null },
    reason,
  })
  if (views.some(({ kind }) => kind === 'expired')) return nowhere('dropped', 'expired')
  if (views.some(({ kind }) => kind === 'orphaned')) return nowhere('reorged', 'block-gone')
  return note === undefined && sent.isComplete ? nowhere('dropped', 'never-sent') : nowhere('pending', 'not-seen')
}

function judgeIncluded({ block, isFinal, hasFailed }: Included, confirmationTarget: bigint): Verdict {
  const reason = hasFailed ? 'failed' : 'included'
  if (!isFinal || block === null || block.confirmations < confirmationTarget)
    return { observation: { status: 'pending', block }, reason }
  // What has failed has paid its fee and moved nothing, and can never be included again.
  return { observation: { status: hasFailed ? 'dropped' : 'confirmed', block }, reason }
}

async function viewOf(
  context: SolanaContext,
  node: SolanaNode,
  transactionId: string,
  note: SentTransaction | undefined,
): Promise<View> {
  await node.checkNetwork()
  const [tip, { atSlot, status }] = await Promise.all([node.getTip(context.finality), node.getStatus(transactionId)])
  if (status !== undefined) return includedView(context, node, status)
  // What could have been included up to the tip is known only to a node that answers from there or later.
  if (note === undefined || atSlot < tip.slot) return { kind: 'absent' }
  const { lastValidBlockHeight, slot } = readFacts(note.facts)
  if (tip.height > lastValidBlockHeight)
    return { kind: (await node.getFirstAvailableSlot()) <= slot ? 'expired' : 'absent' }
  if (note.seenIn === null || !(await isOrphaned(node, note.seenIn))) return { kind: 'absent' }
  // Once more, since the chain may have moved between two questions.
  const again = await node.getStatus(transactionId)
  return again.status === undefined ? { kind: 'orphaned' } : includedView(context, node, again.status)
}

async function includedView(context: SolanaContext, node: SolanaNode, status: SolanaStatus): Promise<View> {
  const { commitment, slot, hasFailed } = status
  const isFinal = commitment === 'finalized' || commitment === context.finality
  // What is only processed is in the block of one node.
  if (commitment === 'processed') return { kind: 'included', block: null, isFinal: false, hasFailed }
  const [answer, { height }] = await Promise.all([node.getBlock(slot), node.getTip('confirmed')])
  if (answer.kind !== 'block') return { kind: 'included', block: null, isFinal: false, hasFailed }
  const confirmations = height >= answer.height ? height - answer.height + 1n : 1n
  const block = { height: answer.height, blockId: answer.blockhash, confirmations, slot }
  return { kind: 'included', block, isFinal, hasFailed }
}

/**
 * Whether a node that has come as far as the block in which a transaction was seen has another chain. While the transaction
 * could still be included that block is at most as old as blockhashes live, so its own would be known.
 */
async function isOrphaned(node: SolanaNode, seenIn: SeenIn): Promise<boolean> {
  const tip = await node.getTip('confirmed')
  if (tip.height < seenIn.height) return false
  const { atSlot, isValid } = await node.getBlockhashValidity(seenIn.blockId)
  return !isValid && atSlot >= tip.slot
}
