import { U64_MAX } from '@oikos/core/economic'
import { EndpointFaultError, type ExactJson, isExactArray, JsonDecimal, memberOf } from '../endpoint/index.ts'
import type { Outpoint } from './node.ts'

const HASH = /^[0-9a-f]{64}$/
const SCRIPT = /^(?:[0-9a-f]{2}){0,10000}$/
/** All the bitcoin there can be, in satoshi. Source: Bitcoin Core, MAX_MONEY. */
const MAX_MONEY = 2_100_000_000_000_000n
const DECIMAL = /^(\d{1,16})(?:\.(\d{1,20}))?$/

/** Reads answers of a node strictly; what does not fit is `malformed`. */
export type AnswerReader = ReturnType<typeof answerReader>

/** A reader for the answers of one node. `at` names the question. */
export function answerReader(origin: string) {
  const malformed = (at: string, detail: string): EndpointFaultError =>
    new EndpointFaultError(origin, 'malformed', 'uncertain', `${at}: ${detail}`)
  const u64 = (at: string, value: ExactJson | undefined): bigint => {
    if (typeof value !== 'bigint' || value < 0n || value > U64_MAX) throw malformed(at, 'expected 0 to 2^64-1')
    return value
  }
  const hash = (at: string, value: ExactJson | undefined): string => {
    if (typeof value !== 'string' || !HASH.test(value)) throw malformed(at, 'expected a hash of 64 digits')
    return value
  }
  const satoshi = (at: string, value: ExactJson | undefined): bigint => {
    const amount = u64(at, value)
    if (amount > MAX_MONEY) throw malformed(at, 'more than all bitcoin')
    return amount
  }
  return {
    malformed,
    u64,
    hash,
    satoshi,
    /** An amount in BTC as satoshi; more than eight decimals are refused. */
    bitcoin: (at: string, value: ExactJson | undefined): bigint => {
      const scaled = scale(value, 8)
      if (scaled === undefined || scaled.rest) throw malformed(at, 'expected BTC with at most eight decimals')
      return satoshi(at, scaled.whole)
    },
    /** A number of any decimals, times 10^`decimals`, rounded up: the node is owed the part that is lost. */
    scaledUp: (at: string, value: ExactJson | undefined, decimals: number): bigint => {
      const scaled = scale(value, decimals)
      if (scaled === undefined) throw malformed(at, 'expected a number without sign and exponent')
      return u64(at, scaled.rest ? scaled.whole + 1n : scaled.whole)
    },
    flag: (at: string, value: ExactJson | undefined): boolean => {
      if (typeof value !== 'boolean') throw malformed(at, 'expected true or false')
      return value
    },
    script: (at: string, value: ExactJson | undefined): string => {
      if (typeof value !== 'string' || !SCRIPT.test(value)) throw malformed(at, 'expected a script in hexadecimal')
      return value
    },
    list: (at: string, value: ExactJson | undefined, maximum: number): readonly ExactJson[] => {
      if (!isExactArray(value) || value.length > maximum) throw malformed(at, `expected a list of at most ${maximum}`)
      return value
    },
    outpoint: (at: string, value: ExactJson | undefined): Outpoint => ({
      txid: hash(at, memberOf(value, 'txid')),
      vout: u64(at, memberOf(value, 'vout')),
    }),
  }
}

/** Inputs that a transaction can have: one takes at least 41 of the 1,000,000 bytes of a block without witnesses. */
export const MAX_INPUTS = 24_390

/** A number times 10^`decimals`: what is whole of it, and whether anything is left. */
function scale(
  value: ExactJson | undefined,
  decimals: number,
): { readonly whole: bigint; readonly rest: boolean } | undefined {
  if (typeof value === 'bigint') return value < 0n ? undefined : { whole: value * 10n ** BigInt(decimals), rest: false }
  const [, integer, fraction = ''] = DECIMAL.exec(value instanceof JsonDecimal ? value.text : '') ?? []
  if (integer === undefined) return undefined
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0')
  return { whole: BigInt(`${integer}${kept}`), rest: /[1-9]/.test(fraction.slice(decimals)) }
}
