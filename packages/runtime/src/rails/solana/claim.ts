import type { PaymentIntent, Sealed } from '@oikos/core/economic'
import { RailRefusalError } from '../adapter/call.ts'
import { claimFor } from '../adapter/claim.ts'
import { BLOCKHASH_LIFE, type SolanaContext } from './context.ts'
import type { LatestBlockhash, SolanaNode } from './node.ts'

/** Blocks before the newest one whose blockhash may be used instead: they must live long enough for an approval. */
const MAX_AGE = 32n

/** A blockhash, and how many blocks came after its own. */
export type ClaimedBlockhash = LatestBlockhash & { readonly age: bigint }

/**
 * A blockhash that no other payment of the same amount to the same recipient was given. Two payments that are equal in all
 * that a message holds, their blockhash included, are one transaction, which can be paid only once; so the second one gets
 * the blockhash of an earlier block. The memory keeps who got which. Throws RailRefusalError when the last 33 are all taken.
 */
export async function claimBlockhash(
  context: SolanaContext,
  node: SolanaNode,
  intent: Sealed<'intent', PaymentIntent>,
): Promise<ClaimedBlockhash> {
  const latest = await node.getLatestBlockhash('confirmed')
  if (await claim(context, intent, latest.blockhash)) return { ...latest, age: 0n }
  const newest = latest.lastValidBlockHeight - BLOCKHASH_LIFE
  const slots = await node.listSlots(latest.slot > 2n * MAX_AGE ? latest.slot - 2n * MAX_AGE : 0n, latest.slot)
  for (const slot of slots.slice(-2 * Number(MAX_AGE)).toReversed()) {
    const block = await node.getBlock(slot)
    if (block.kind !== 'block' || block.height >= newest) continue
    if (block.height + MAX_AGE < newest) break
    if (await claim(context, intent, block.blockhash))
      return {
        blockhash: block.blockhash,
        lastValidBlockHeight: block.height + BLOCKHASH_LIFE,
        slot: latest.slot,
        age: newest - block.height,
      }
  }
  throw new RailRefusalError(`payment: ${MAX_AGE + 1n} equal ones are under way; try again in half a minute`)
}

/** Takes a blockhash for an intent, among payments of this account that pay the same to the same. */
function claim(
  { account, sent }: SolanaContext,
  intent: Sealed<'intent', PaymentIntent>,
  blockhash: string,
): Promise<boolean> {
  const { payment } = intent.document
  const recipient = payment.kind === 'x402' ? payment.payee : payment.recipient
  const what = ['blockhash', blockhash, account, recipient, payment.amount_atomic].join(' ')
  return claimFor(sent, what, intent.digest)
}
