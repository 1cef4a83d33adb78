import type { Client } from 'viem'
import { getBlock } from 'viem/actions'
import type { GasCeilings } from '../options.ts'

/** Fees of one attempt, in wei. */
export type Fees = { readonly maxFeePerGasWei: bigint; readonly maxPriorityFeePerGasWei: bigint }

/** Fees within the ceilings, or why there are none. */
export type FeeQuote = { readonly ok: true; readonly fees: Fees } | { readonly ok: false; readonly reason: string }

/** A pool takes a replacement only when both fees rise by a tenth; an eighth is on the safe side. Source: geth, PriceBump. */
const BUMP_NUMERATOR = 9n
const BUMP_DENOMINATOR = 8n

/**
 * Fees that the next blocks take, or that replace an attempt. The base fee may double before they no longer suffice, as far as
 * the ceiling allows. Source: EIP-1559.
 */
export async function quoteFees(client: Client, ceilings: GasCeilings, replaced?: Fees): Promise<FeeQuote> {
  const { baseFeePerGas } = await getBlock(client, { blockTag: 'latest' })
  const base = baseFeePerGas ?? 0n
  let tip = ceilings.maxPriorityFeePerGasWei
  let most = base * 2n + tip
  if (replaced !== undefined) {
    tip = larger(tip, bumped(replaced.maxPriorityFeePerGasWei))
    most = larger(most, bumped(replaced.maxFeePerGasWei))
    if (most > ceilings.maxFeePerGasWei)
      return refuse(`a replacement would offer ${most} wei for a unit of gas, and the ceiling is`, ceilings)
  }
  // the base fee of the next block may be an eighth higher than that of this one
  const least = base + base / 8n + tip
  if (least > ceilings.maxFeePerGasWei) return refuse(`a unit of gas costs ${least} wei, and the ceiling is`, ceilings)
  const maxFeePerGasWei = most > ceilings.maxFeePerGasWei ? ceilings.maxFeePerGasWei : most
  return { ok: true, fees: { maxFeePerGasWei, maxPriorityFeePerGasWei: tip } }
}

function refuse(sentence: string, { maxFeePerGasWei }: GasCeilings): FeeQuote {
  return { ok: false, reason: `${sentence} ${maxFeePerGasWei}` }
}

function bumped(wei: bigint): bigint {
  return (wei * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
