import { PRODUCTION_LIMITS } from '@oikos/core/economic'
import type { BitcoinContext } from './context.ts'
import type { BitcoinCoin, BitcoinNode, BitcoinTip, Outpoint } from './node.ts'

/** Blocks that must stand on the reward of a block before it is spent. Source: Bitcoin Core, COINBASE_MATURITY. */
const MATURITY = 100n

/** An output that can be spent now. */
export type SpendableCoin = BitcoinCoin & { readonly confirmations: bigint }

/**
 * The outputs of the wallet that can be spent in the next block, of greatest value first, at most 100: confirmed, spent by
 * nothing that waits, and no young rewards of blocks.
 */
export async function listSpendable(
  node: BitcoinNode,
  account: string,
): Promise<{ readonly tip: BitcoinTip; readonly coins: readonly SpendableCoin[] }> {
  const { tip, coins } = await node.listCoins(account)
  const maximum = Number(PRODUCTION_LIMITS.max_utxos)
  const spendable: SpendableCoin[] = []
  for (const coin of coins.toSorted((left, right) => Number(right.valueAtomic - left.valueAtomic))) {
    const confirmations = tip.height - coin.height + 1n
    if (confirmations < 1n) continue
    const isYoung = confirmations <= MATURITY
    if (isYoung && (coin.isReward ?? (await node.isReward(coin.txid)))) continue
    spendable.push({ ...coin, confirmations })
    if (spendable.length === maximum) break
  }
  return { tip, coins: spendable }
}

/** What an output is called. */
export function outpointName({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`
}

/**
 * Leaves out what another planned payment is about to spend, if the rest is worth enough: two payments that are prepared at
 * the same time then do not compete. Nothing depends on it: one of two spendings of an output is refused by the chain.
 */
export function preferFree(
  { planned, clockMs }: BitcoinContext,
  coins: readonly SpendableCoin[],
  neededAtomic: bigint,
): readonly SpendableCoin[] {
  const nowMs = clockMs()
  const held = new Set(
    [...planned.values()]
      .filter(({ heldUntilMs }) => heldUntilMs > nowMs)
      .flatMap(({ inputs }) => inputs.map(outpointName)),
  )
  const free = coins.filter((coin) => !held.has(outpointName(coin)))
  const worth = free.reduce((sum, { valueAtomic }) => sum + valueAtomic, 0n)
  return worth >= neededAtomic ? free : coins
}
