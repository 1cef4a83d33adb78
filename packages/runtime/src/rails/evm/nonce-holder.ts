import { RpcAnswerError } from '../endpoint/index.ts'
import type { EvmNode, EvmSlot } from './node.ts'

/** What has a nonce. */
export type NonceHolder = {
  readonly transactionId: string
  readonly block: { readonly height: bigint; readonly blockId: string }
}

/**
 * Finds the transaction that has a nonce which is taken at a height, by halving the blocks before: about 25 questions.
 * Undefined when the node no longer keeps the state of that time (geth keeps 128 blocks, an archive node all), since then
 * nothing says who has it.
 */
export async function findNonceHolder(node: EvmNode, slot: EvmSlot, upTo: bigint): Promise<NonceHolder | undefined> {
  let free = 0n
  let taken = upTo
  while (taken - free > 1n) {
    const middle = (taken + free) / 2n
    if (await isTakenAt(node, slot, middle)) taken = middle
    else free = middle
  }
  const [block, slots] = await Promise.all([node.getBlock(taken), node.listSlots(taken)])
  const found = slots?.find(({ from, nonce }) => from === slot.from && nonce === slot.nonce)
  if (block === undefined || found === undefined) return undefined
  return { transactionId: found.transactionId, block: { height: block.height, blockId: block.blockId } }
}

/** A height whose state the node does not keep counts as free: the search goes on among those that it keeps. */
async function isTakenAt(node: EvmNode, slot: EvmSlot, height: bigint): Promise<boolean> {
  try {
    return (await node.getNonce(slot.from, height)) > slot.nonce
  } catch (cause) {
    if (cause instanceof RpcAnswerError) return false
    throw cause
  }
}
