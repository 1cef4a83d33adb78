import { bytesToHex } from '@noble/hashes/utils.js'
import { bigEndianValue, requireThat } from './bytes.ts'
import type { RlpItem } from './rlp.ts'
import { decodeRlpList } from './rlp.ts'

/** An EIP-1559 transfer as decoded. Fees in wei per gas, value in wei. */
export type DecodedEvmTransfer = {
  readonly chainId: bigint
  readonly nonce: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly gasLimit: bigint
  /** `0x` and 40 digits. */
  readonly to: string
  readonly value: bigint
}

/** A signature as decoded; `r` and `s` are not yet compared with the curve. */
export type DecodedEvmSignature = { readonly yParity: 0 | 1; readonly r: bigint; readonly s: bigint }

const UNSIGNED_ITEMS = 9
const SIGNED_ITEMS = 12

/** Decodes an unsigned EIP-1559 transfer without data and access list. Throws SPX-G213. */
export function decodeEvmUnsigned(bytes: Uint8Array): DecodedEvmTransfer {
  return transferOf(decodeType2(bytes, UNSIGNED_ITEMS))
}

/** Decodes a signed one. `y` must be empty or `01`, `r` and `s` 1 to 32 bytes without leading zero. Throws SPX-G213. */
export function decodeEvmSigned(bytes: Uint8Array): {
  readonly transfer: DecodedEvmTransfer
  readonly signature: DecodedEvmSignature
} {
  const items = decodeType2(bytes, SIGNED_ITEMS)
  const parity = integerAt(items, UNSIGNED_ITEMS, 1)
  requireThat(parity <= 1n, 'signature: y parity is neither 0 nor 1')
  const signature = {
    yParity: parity === 1n ? (1 as const) : (0 as const),
    r: integerAt(items, UNSIGNED_ITEMS + 1, 32),
    s: integerAt(items, UNSIGNED_ITEMS + 2, 32),
  }
  return { transfer: transferOf(items), signature }
}

function decodeType2(bytes: Uint8Array, count: number): readonly RlpItem[] {
  requireThat(bytes[0] === 2, 'expected a transaction of type 2')
  const items = decodeRlpList(bytes.subarray(1))
  requireThat(items.length === count, `expected ${count} items, got ${items.length}`)
  return items
}

function transferOf(items: readonly RlpItem[]): DecodedEvmTransfer {
  const to = stringAt(items, 5)
  requireThat(to.length === 20, 'expected a recipient of 20 bytes')
  requireThat(stringAt(items, 7).length === 0, 'expected no call data')
  requireThat(items[8] === 'empty list', 'expected an empty access list')
  return {
    chainId: integerAt(items, 0, 8),
    nonce: integerAt(items, 1, 8),
    maxPriorityFeePerGas: integerAt(items, 2, 32),
    maxFeePerGas: integerAt(items, 3, 32),
    gasLimit: integerAt(items, 4, 8),
    to: `0x${bytesToHex(to)}`,
    value: integerAt(items, 6, 32),
  }
}

function stringAt(items: readonly RlpItem[], index: number): Uint8Array {
  const item = items[index]
  requireThat(item instanceof Uint8Array, `item ${index}: expected a byte string`)
  return item
}

function integerAt(items: readonly RlpItem[], index: number, maxLength: number): bigint {
  const bytes = stringAt(items, index)
  requireThat(bytes.length <= maxLength && bytes[0] !== 0, `item ${index}: not a minimal integer`)
  return bigEndianValue(bytes)
}
