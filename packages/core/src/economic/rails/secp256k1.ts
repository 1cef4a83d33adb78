import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bigEndianValue, requireThat } from './bytes.ts'

/** Order of the curve. Source: SEC 2, section 2.4.1. */
export const SECP256K1_ORDER = secp256k1.Point.Fn.ORDER
/** The largest `s` that is not replaceable by its negative. Source: BIP 146; EIP-2. */
export const SECP256K1_HALF_ORDER = SECP256K1_ORDER >> 1n

/** The two numbers of a signature. */
export type EcdsaSignature = { readonly r: bigint; readonly s: bigint }

/** Throws SPX-G213 unless 0 < r < n and 0 < s <= n/2. */
export function requireCanonicalSignature({ r, s }: EcdsaSignature): void {
  requireThat(r > 0n && r < SECP256K1_ORDER, 'signature: r is out of range')
  requireThat(s > 0n && s <= SECP256K1_HALF_ORDER, 'signature: s is out of range or high')
}

/** Decodes a DER signature in its strict form (BIP 66), positive and minimal. Throws SPX-G213. */
export function decodeDerSignature(der: Uint8Array): EcdsaSignature {
  requireThat(der.length >= 8 && der[0] === 0x30 && der[1] === der.length - 2, 'DER: not a sequence of this length')
  const r = derInteger(der, 2)
  const s = derInteger(der, 4 + (der[3] ?? 0))
  requireThat(6 + (der[3] ?? 0) + (der[5 + (der[3] ?? 0)] ?? 0) === der.length, 'DER: bytes follow the signature')
  return { r, s }
}

function derInteger(der: Uint8Array, at: number): bigint {
  const length = der[at + 1] ?? 0
  const digits = der.subarray(at + 2, at + 2 + length)
  requireThat(der[at] === 0x02 && length > 0 && digits.length === length, 'DER: not an integer')
  const [first = 0, second = 0] = digits
  requireThat(first < 0x80 && (first !== 0 || (length > 1 && second >= 0x80)), 'DER: negative or not minimal')
  return bigEndianValue(digits)
}
