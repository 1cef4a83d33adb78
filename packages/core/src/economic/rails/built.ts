import type { Rail } from '../catalog.ts'
import type { UnsignedDigest } from '../digest.ts'
import { unsignedDigest } from '../digest.ts'
import type { UnsignedFormat, UnsignedRef } from '../references.ts'

declare const transactionMark: unique symbol

/**
 * How a chain names a transaction: `0x` and the Keccak-256 of the signed bytes (EVM), base58 of the first signature
 * (Solana), the reversed double SHA-256 of the transaction without witnesses in hexadecimal (Bitcoin).
 */
export type TransactionId = string & { readonly [transactionMark]: true }

/** Form of the unsigned bytes on each rail. */
export const UNSIGNED_FORMATS = {
  evm: 'eip1559-unsigned-v1',
  solana: 'solana-message-v0',
  bitcoin: 'psbt-v2',
} as const satisfies Record<Rail, UnsignedFormat>

/** Unsigned bytes of a transfer. `feeAtomic` is what it pays: exact, or on EVM the most it can pay. */
export type BuiltTransaction = {
  readonly rail: Rail
  readonly format: UnsignedFormat
  readonly bytes: Uint8Array
  readonly digest: UnsignedDigest
  readonly feeAtomic: bigint
}

/** Joins unsigned bytes with their digest and form. */
export function builtTransaction(rail: Rail, bytes: Uint8Array, feeAtomic: bigint): BuiltTransaction {
  return { rail, format: UNSIGNED_FORMATS[rail], bytes, digest: unsignedDigest(bytes), feeAtomic }
}

/** The reference to unsigned bytes. */
export function unsignedRefOf(built: BuiltTransaction): UnsignedRef {
  return { digest: built.digest, bytes: BigInt(built.bytes.length), format: built.format }
}
