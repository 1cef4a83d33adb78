import type { BitcoinFees } from './node.ts'

/**
 * The engine plans a transfer with 72 + 68n virtual bytes, one less than it can take when signatures are long: with one input
 * 141 for the 140 that are paid. What it pays must still reach the floor of the node. Source: notes, section 7; BIP 141.
 */
const PLANNED_VBYTES = 140n
const LARGEST_VBYTES = 141n
const KVB = 1000n

/** The lowest rate in whole satoshi per virtual byte that is at least what the node estimates, and is relayed by it. */
export function feeRateOf({ floorPerKvb, estimatePerKvb = 0n }: BitcoinFees): bigint {
  const floor = dividedUp(floorPerKvb * LARGEST_VBYTES, PLANNED_VBYTES * KVB)
  const estimate = dividedUp(estimatePerKvb, KVB)
  return [1n, floor, estimate].reduce((highest, rate) => (rate > highest ? rate : highest))
}

/** Whether a fee for so many virtual bytes is relayed, and not less than half of what the node estimates by now. */
export function isFeeEnough(
  feeAtomic: bigint,
  vbytes: bigint,
  { floorPerKvb, estimatePerKvb = 0n }: BitcoinFees,
): boolean {
  return feeAtomic * KVB >= floorPerKvb * vbytes && 2n * feeAtomic * KVB >= estimatePerKvb * vbytes
}

function dividedUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}
