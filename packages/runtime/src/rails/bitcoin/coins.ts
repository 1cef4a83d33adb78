import { type DocumentDigest, PRODUCTION_LIMITS } from '@oikos/core/economic'
import { RailRefusalError } from '../adapter/call.ts'
import { claimFor } from '../adapter/claim.ts'
import type { BitcoinContext } from './context.ts'
import { type BitcoinCoin, type BitcoinNode, outpointName } from './node.ts'

/** Blocks that must stand on the reward of a block before it is spent. Source: Bitcoin Core, COINBASE_MATURITY. */
const MATURITY = 100n

/** Outputs of greatest value that are looked at, since some of them may not be spendable yet. */
const MAX_CANDIDATES = 200

/** An output that can be spent now. */
export type SpendableCoin = BitcoinCoin & { readonly confirmations: bigint }

/**
 * The outputs of the wallet that can be spent in the next block, of greatest value first, at most 100: confirmed, spent by
 * nothing that waits, and no young rewards of blocks.
 */
export async function listSpendable(
  node: BitcoinNode,
  account: string,
): Promise<{ readonly height: bigint; readonly coins: readonly SpendableCoin[] }> {
  const { height, coins } = await node.listCoins(account)
  const candidates = coins
    .toSorted((left, right) => Number(right.valueAtomic - left.valueAtomic))
    .map((coin) => ({ ...coin, confirmations: height - coin.height + 1n }))
    .filter(({ confirmations }) => confirmations >= 1n)
    .slice(0, MAX_CANDIDATES)
  const isYoungReward = await Promise.all(
    candidates.map(({ confirmations, isReward, txid }) =>
      confirmations <= MATURITY ? (isReward ?? node.isReward(txid)) : false,
    ),
  )
  const spendable = candidates.filter((_, index) => !isYoungReward[index]).slice(0, Number(PRODUCTION_LIMITS.max_utxos))
  return { height, coins: spendable }
}

/**
 * The coins for one payment, as few as are worth `neededAtomic`, and none that another payment was given (`isExclusive`): two
 * that are prepared at the same time then both come through. Where that does not suffice it is all coins, and the chain
 * decides between payments that compete. The memory keeps which payment has what.
 */
export async function chooseCoins(
  { sent }: BitcoinContext,
  coins: readonly SpendableCoin[],
  neededAtomic: bigint,
  intentDigest: DocumentDigest<'intent'>,
): Promise<{ readonly coins: readonly SpendableCoin[]; readonly isExclusive: boolean }> {
  const chosen: SpendableCoin[] = []
  let worth = 0n
  for (const coin of coins) {
    if (!(await claimFor(sent, `coin ${outpointName(coin)}`, intentDigest))) continue
    chosen.push(coin)
    worth += coin.valueAtomic
    if (worth >= neededAtomic) return { coins: chosen, isExclusive: true }
  }
  return { coins, isExclusive: false }
}

/** Payments of the same coins that are told apart in one block. */
const MAX_RIVALS = 100n

/**
 * A rate for a payment of coins that another one may have: the lowest one above the suggested that no other payment has which
 * is otherwise the same. Throws RailRefusalError when there are too many.
 */
export async function distinctRate(
  { sent }: BitcoinContext,
  payment: string,
  suggested: bigint,
  intentDigest: DocumentDigest<'intent'>,
): Promise<bigint> {
  for (let rate = suggested + 1n; rate <= suggested + MAX_RIVALS; rate += 1n)
    if (await claimFor(sent, `${payment} at ${rate}`, intentDigest)) return rate
  throw new RailRefusalError(`payment: ${MAX_RIVALS} equal ones were planned; try again after the next block`)
}
