import { writeDurationSec } from '@oikos/core'
import { type Address, getAddress } from 'viem'
import { formatAmount } from '../asset/amount.ts'
import type { Asset } from '../asset/asset.ts'

/** How the sentences of errors write amounts and times. */
export type Speech = {
  /** An amount of the tender's asset or of the Accept Token, exact; in smallest units where it is not known. */
  amount: (amountAtomic: bigint) => string
  /** A moment in unix seconds, as `2026-03-01 12:00:00 UTC`. */
  time: (unixSec: bigint) => string
  /** A length of time, as `2 days 3 hours`. */
  duration: (lengthSec: bigint) => string
  /** An address with its checksum, in full so that it can be copied. */
  address: (address: Address) => string
}

/** The {@link Speech} for a tender in `asset`, or in an asset that is not known. */
export function speechFor(asset: Asset | undefined): Speech {
  return {
    amount: (amountAtomic) =>
      asset === undefined ? `${amountAtomic} smallest units` : formatAmount(amountAtomic, asset),
    time: formatTime,
    duration: writeDurationSec,
    address: getAddress,
  }
}

/** Last second that a JavaScript Date can hold. Source: ECMA-262, Time Values and Time Range. */
const MAX_DATE_SEC = 8_640_000_000_000n

function formatTime(unixSec: bigint): string {
  if (unixSec > MAX_DATE_SEC) return `unix second ${unixSec}`
  return `${new Date(Number(unixSec) * 1000).toISOString().slice(0, -5).replace('T', ' ')} UTC`
}
