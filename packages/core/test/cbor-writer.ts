import { concatBytes } from '@noble/hashes/utils.js'
import { type Cid, cidBytes } from '../src/digest/index.ts'

/**
 * A CBOR writer that is not the library's, and that also writes what a sound encoder refuses. Maps are pairs, written in
 * deterministic order by {@link map} and as given by {@link unsortedMap}. Source: RFC 8949.
 */
export type Encoded = Uint8Array

function head(major: number, count: number): Encoded {
  const type = major << 5
  if (count < 24) return Uint8Array.of(type | count)
  if (count < 0x100) return Uint8Array.of(type | 24, count)
  if (count < 0x1_0000) return Uint8Array.of(type | 25, count >> 8, count & 0xff)
  return Uint8Array.of(type | 26, count >>> 24, (count >>> 16) & 0xff, (count >>> 8) & 0xff, count & 0xff)
}

/** A text string. */
export function text(value: string): Encoded {
  const bytes = new TextEncoder().encode(value)
  return concatBytes(head(3, bytes.length), bytes)
}

/** A text string of bytes that need not be UTF-8. */
export function rawText(bytes: Uint8Array): Encoded {
  return concatBytes(head(3, bytes.length), bytes)
}

/** A byte string. */
export function byteString(bytes: Uint8Array): Encoded {
  return concatBytes(head(2, bytes.length), bytes)
}

/** An array. */
export function array(...items: readonly Encoded[]): Encoded {
  return concatBytes(head(4, items.length), ...items)
}

/** A tagged item. */
export function tagged(tag: number, item: Encoded): Encoded {
  return concatBytes(head(6, tag), item)
}

/** A map in the given order. */
export function unsortedMap(...pairs: readonly (readonly [Encoded, Encoded])[]): Encoded {
  return concatBytes(head(5, pairs.length), ...pairs.flat())
}

/** A map of text keys in deterministic order: bytewise by the encoded key. */
export function map(fields: Readonly<Record<string, Encoded>>): Encoded {
  const pairs = Object.entries(fields).map(([key, value]): [Encoded, Encoded] => [text(key), value])
  return unsortedMap(...pairs.sort(([left], [right]) => Buffer.compare(left, right)))
}

/** A link: tag 42 over 00 and the binary CID. */
export function link(cid: Cid): Encoded {
  return tagged(42, byteString(concatBytes(Uint8Array.of(0), cidBytes(cid))))
}

/** null, undefined, and 1.5 as a double. */
export const NULL: Encoded = Uint8Array.of(0xf6)
export const UNDEFINED: Encoded = Uint8Array.of(0xf7)
export const ONE_AND_A_HALF: Encoded = Uint8Array.of(0xfb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0)
