import { transactionMismatch } from '../diagnostics.ts'

/** Reads bytes from front to back; every step throws SPX-G213 when the bytes do not fit. */
export type ByteReader = {
  readonly take: (length: number) => Uint8Array
  readonly byte: () => number
  /** Little-endian unsigned integer of `length` bytes. */
  readonly little: (length: number) => bigint
  readonly left: () => number
}

/** A reader over bytes. */
export function readerOf(bytes: Uint8Array): ByteReader {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw transactionMismatch('the transaction ends too early')
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    take,
    byte: () => take(1)[0] ?? 0,
    little: (length) => take(length).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
    left: () => bytes.length - at,
  }
}

/** Throws SPX-G213 when bytes are left over. */
export function requireEnd(reader: ByteReader): void {
  if (reader.left() !== 0) throw transactionMismatch(`${reader.left()} bytes follow the transaction`)
}

/** Throws SPX-G213 when a rule of a transaction does not hold. */
export function requireThat(holds: boolean, rule: string): asserts holds {
  if (!holds) throw transactionMismatch(rule)
}

/** An unsigned integer as `length` little-endian bytes. The caller has checked the range. */
export function littleEndian(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn))
}

/** An unsigned integer from big-endian bytes; empty bytes are zero. */
export function bigEndianValue(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}
