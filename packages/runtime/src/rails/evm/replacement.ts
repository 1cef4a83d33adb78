import { RpcAnswerError } from '../endpoint/index.ts'
import type { EvmNode, EvmSlot } from './node.ts'

/** Blocks behind which a node need not know the state any more. Source: geth, which keeps 128 by default. */
const STATE_BLOCKS = 120n

/** What has the nonce of another transaction. */
export type Replacement = {
  readonly transactionId: string
  readonly block: { readonly height: bigint; readonly blockId: string }
}

/**
 * Finds the transaction that has a nonce, among the last 120 blocks up to a height at which the nonce is taken. Undefined
 * when it is older or the node does not keep that state.
 */
export async function findReplacement(node: EvmNode, slot: EvmSlot, upTo: bigint): Promise<Replacement | undefined> {
  const isTakenAt = async (height: bigint): Promise<boolean> => (await node.getNonce(slot.from, height)) > slot.nonce
  try {
    let free = upTo > STATE_BLOCKS ? upTo - STATE_BLOCKS : 0n
    let taken = upTo
    if (await isTakenAt(free)) return undefined
    while (taken - free > 1n) {
      const middle = (taken + free) / 2n
      if (await isTakenAt(middle)) taken = middle
      else free = middle
    }
    const [block, slots] = await Promise.all([node.getBlock(taken), node.listSlots(taken)])
    const found = slots?.find(({ from, nonce }) => from === slot.from && nonce === slot.nonce)
    if (block === undefined || found === undefined) return undefined
    return { transactionId: found.transactionId, block: { height: block.height, blockId: block.blockId } }
  } catch (cause) {
    if (cause instanceof RpcAnswerError) return undefined
    throw cause
  }
}
