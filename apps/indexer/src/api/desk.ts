import type { DeskItem } from '../rest/types.ts'

/** Three ranks: what a running clock takes away, what can be done now, what opens later. */
function rankOf(item: DeskItem, nowSec: bigint): 0 | 1 | 2 {
  if (item.opensAtSec !== null && BigInt(item.opensAtSec) > nowSec) return 2
  return item.deadlineSec !== null && item.loss !== 'nothing' && BigInt(item.deadlineSec) >= nowSec ? 0 : 1
}

const compare = (left: bigint, right: bigint): number => (left < right ? -1 : left > right ? 1 : 0)

/** Orders a desk by what is lost by waiting: the clock that ends first, then the larger amount. */
export function orderDesk(items: readonly DeskItem[], nowSec: bigint): DeskItem[] {
  const clockOf = (item: DeskItem, rank: 0 | 1 | 2): bigint =>
    rank === 0 ? BigInt(item.deadlineSec ?? 0) : rank === 2 ? BigInt(item.opensAtSec ?? 0) : 0n
  return [...items].sort((left, right) => {
    const [a, b] = [rankOf(left, nowSec), rankOf(right, nowSec)]
    if (a !== b) return a - b
    const byClock = compare(clockOf(left, a), clockOf(right, b))
    return byClock === 0 ? compare(BigInt(right.amount ?? 0), BigInt(left.amount ?? 0)) : byClock
  })
}
