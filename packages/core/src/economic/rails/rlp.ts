import { concatBytes } from '../text.ts'
import { bigEndianValue, readerOf, requireEnd, requireThat } from './bytes.ts'

/** Recursive Length Prefix, the subset of EIP-1559: a list of byte strings and empty lists. Source: yellow paper, appendix B. */
export type RlpItem = Uint8Array | 'empty list'

/** Encodes a list. */
export function encodeRlpList(items: readonly RlpItem[]): Uint8Array {
  const body = concatBytes(...items.map(encodeItem))
  return concatBytes(lengthPrefix(0xc0, body.length), body)
}

function encodeItem(item: RlpItem): Uint8Array {
  if (item === 'empty list') return Uint8Array.of(0xc0)
  if (item.length === 1 && (item[0] ?? 0) < 0x80) return item
  return concatBytes(lengthPrefix(0x80, item.length), item)
}

function lengthPrefix(base: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length)
  const digits = integerBytes(BigInt(length))
  return concatBytes(Uint8Array.of(base + 55 + digits.length), digits)
}

/** Minimal big-endian bytes of an integer; zero is empty. */
export function integerBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0)
  const digits = value.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return Uint8Array.from({ length: even.length / 2 }, (_, index) =>
    Number.parseInt(even.slice(2 * index, 2 * index + 2), 16),
  )
}

/**
 * Decodes one list that takes all the bytes, every length in its shortest form. Throws SPX-G213. Written from the yellow
 * paper's decoding rules; it shares nothing with the encoder.
 */
export function decodeRlpList(bytes: Uint8Array): readonly RlpItem[] {
  const outer = readerOf(bytes)
  const length = readLength(outer, outer.byte(), 0xc0)
  const inner = readerOf(outer.take(length))
  requireEnd(outer)
  const items: RlpItem[] = []
  while (inner.left() > 0) {
    const prefix = inner.byte()
    if (prefix < 0x80) {
      items.push(Uint8Array.of(prefix))
    } else if (prefix < 0xc0) {
      const item = inner.take(readLength(inner, prefix, 0x80))
      requireThat(item.length !== 1 || (item[0] ?? 0) >= 0x80, 'RLP: a single small byte has a length prefix')
      items.push(item)
    } else {
      requireThat(prefix === 0xc0, 'RLP: a list inside the list is not empty')
      items.push('empty list')
    }
  }
  return items
}

function readLength(reader: ReturnType<typeof readerOf>, prefix: number, base: number): number {
  const short = prefix - base
  requireThat(short >= 0 && short <= 63, 'RLP: expected another kind of item')
  if (short <= 55) return short
  const digits = reader.take(short - 55)
  const length = bigEndianValue(digits)
  requireThat(digits[0] !== 0 && length > 55n && length <= BigInt(reader.left()), 'RLP: a length is not minimal')
  return Number(length)
}
