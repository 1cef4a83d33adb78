import { durationParts, writeDurationSec } from '@oikos/core'
import { type Asset, isNativeAsset } from '@oikos/sdk'
import type { Address } from 'viem'

/** Last second that a JavaScript Date can hold. Source: ECMA-262, Time Values and Time Range. */
const MAX_DATE_SEC = 8_640_000_000_000n

/** A moment as `2026-03-01 12:00:00 UTC`. */
export function absoluteTime(unixSec: bigint): string {
  if (unixSec > MAX_DATE_SEC) return `unix second ${unixSec}`
  return `${new Date(Number(unixSec) * 1000).toISOString().slice(0, -5).replace('T', ' ')} UTC`
}

/** A length of time in full, as `2 days 3 hours`. */
export function exactDuration(lengthSec: bigint): string {
  return writeDurationSec(lengthSec)
}

/** A length of time by its two largest units, rounded down: `2 days 3 hours`. */
export function roughDuration(lengthSec: bigint): string {
  const parts = durationParts(lengthSec)
  return parts.length === 0 ? '0 seconds' : parts.slice(0, 2).join(' ')
}

/** A moment beside the clock that decides about it: `2026-03-01 12:00:00 UTC (in 2 days 3 hours)`. */
export function momentText(unixSec: bigint, nowSec: bigint): string {
  const distance = unixSec - nowSec
  const relative =
    distance > 0n ? `in ${roughDuration(distance)}` : distance === 0n ? 'now' : `${roughDuration(-distance)} ago`
  return `${absoluteTime(unixSec)} (${relative})`
}

/** A limit of a tender, where 0 means that there is none. */
export function limitText(unixSec: bigint, nowSec: bigint): string {
  return unixSec === 0n ? 'no limit' : momentText(unixSec, nowSec)
}

/** Which asset this is, beyond its symbol, which anyone can copy. */
export function assetText(asset: Pick<Asset, 'address'>): string {
  return isNativeAsset(asset) ? 'in the native currency' : `in the token ${asset.address}`
}

/** `1 completion`, `3 completions`. */
export function countOf(count: bigint | number, singular: string, plural = `${singular}s`): string {
  return `${count} ${BigInt(count) === 1n ? singular : plural}`
}

/** Who an address is to the reader, before the address itself: `you 0x…`, `judge (key "anna") 0x…`. */
export type AddressBook = (address: Address) => string
