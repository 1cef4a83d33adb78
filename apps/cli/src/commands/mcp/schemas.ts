import { formatAmount, type Asset as SdkAsset } from '@oikos/sdk'
import { z } from 'zod'

/** Digits of the largest uint256. */
const MAX_DIGITS = 78

/** A whole number as decimal text: amounts are beyond what JSON numbers can hold. */
export const decimal = z.string().regex(/^(?:0|[1-9]\d*)$/)

/** {@link decimal} as callers may give it. */
export const decimalInput = decimal.max(MAX_DIGITS)

/** An address, in any case. */
export const addressInput = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** An address, a hash or bytes, as results have them. */
export const hex = z.string().regex(/^0x[0-9a-fA-F]*$/)

/** A tender as callers name it. */
export const taskInput = z
  .string()
  .regex(/^(?:\d{1,78}|\d{1,15}:0x[0-9a-fA-F]{40}:\d{1,78})$/)
  .describe('number in the task contract of the deployment, or chain:contract:number')

/** An Agent as callers name it. */
export const agentInput = z
  .string()
  .regex(/^(?:(?:\d{1,15}:)?0x[0-9a-fA-F]{40}|[A-Za-z0-9][A-Za-z0-9._-]{0,63})$/)
  .describe('address, chain:address, or its name in the deployments')

/** An amount, exact, and as a person writes it. */
export const amount = z.strictObject({ atomic: decimal, text: z.string() })

/** Writes an {@link amount}. */
export function amountOf(atomic: bigint, asset: SdkAsset) {
  return { atomic, text: formatAmount(atomic, asset) }
}

/** An asset; its symbol is a claim of its contract. */
export const asset = z.strictObject({ address: hex, symbol: z.string(), decimals: z.number() })

/** Writes an {@link asset}. */
export function assetOf({ address, symbol, decimals }: SdkAsset) {
  return { address, symbol, decimals }
}

/** Something that a careful reader would want to know. */
export const warning = z.strictObject({ code: z.string(), message: z.string() })
