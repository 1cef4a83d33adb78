import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { equalBytes } from '../cbor.ts'

/** Identifier of our confidentiality profile. Source: docs/confidential-profile.md. */
export const SEALED_PROFILE = 'x-oikos-sealed-v1'

/** `mode` of its descriptors. */
export const SEALED_MODE = 'encrypted'

/** Plaintext bytes of a chunk; the last one may be shorter. 64 KiB keeps the tags at 0.02 % of the size. */
export const CHUNK_BYTES = 65_536

/** Bytes of a Poly1305 tag. Source: RFC 8439. */
export const TAG_BYTES = 16

/** Bytes of a content key, of an X25519 key and of a package id. */
export const KEY_BYTES = 32

/** Bytes of the salt of one object. */
export const SALT_BYTES = 32

const MAGIC = utf8ToBytes('OIKSEAL1')
const KEY_CHECK_BYTES = 16
const CONTEXT_TAG_BYTES = 16

/** Bytes of the header before the chunks: magic 8, key check 16, context tag 16, salt 32, plaintext length 8. */
export const HEADER_BYTES = 80

/** Header of one sealed object. `plaintextBytes` is a number: an object is below 2^53 bytes. */
export type SealedHeader = {
  readonly keyCheck: Uint8Array
  readonly contextTag: Uint8Array
  readonly salt: Uint8Array
  readonly plaintextBytes: number
  /** The header as it stands in the object. */
  readonly bytes: Uint8Array
}

/** A text that separates one use of a hash or key from every other use. */
function domain(use: string): Uint8Array {
  return concatBytes(utf8ToBytes(`${SEALED_PROFILE} ${use}`), Uint8Array.of(0))
}

function bigEndian(value: number, length: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  if (length === 4) view.setUint32(0, value)
  else view.setBigUint64(0, BigInt(value))
  return bytes
}

/** Package id and path as one byte string: id, length of the path, path. */
export function contextOf(packageId: Uint8Array, path: string): Uint8Array {
  const name = utf8ToBytes(path)
  return concatBytes(packageId, bigEndian(name.length, 4), name)
}

/** Says for which path of which package version an object was sealed. Public, and no proof: the chunks are. */
export function contextTag(context: Uint8Array): Uint8Array {
  return sha256(concatBytes(domain('context'), context)).subarray(0, CONTEXT_TAG_BYTES)
}

/** Commits an object to its content key, so that a wrong key is told from a damaged object. */
export function keyCheck(contentKey: Uint8Array, packageId: Uint8Array, salt: Uint8Array): Uint8Array {
  return hkdf(sha256, contentKey, concatBytes(packageId, salt), domain('key check'), KEY_CHECK_BYTES)
}

/** The key of one object: of the content key, the object's salt and its whole header and context. */
export function objectKey(
  contentKey: Uint8Array,
  header: Pick<SealedHeader, 'salt' | 'bytes'>,
  context: Uint8Array,
): Uint8Array {
  return hkdf(sha256, contentKey, header.salt, concatBytes(domain('object'), header.bytes, context), KEY_BYTES)
}

/** The key that wraps the content key for one recipient. */
export function wrapKey(
  shared: Uint8Array,
  packageId: Uint8Array,
  ephemeralKey: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  return hkdf(sha256, shared, packageId, concatBytes(domain('wrap'), ephemeralKey, publicKey), KEY_BYTES)
}

/** Associated data of a wrapped content key. */
export function wrapData(packageId: Uint8Array, keyId: Uint8Array): Uint8Array {
  return concatBytes(domain('wrapped key'), packageId, keyId)
}

/** The 16-byte name of a recipient's public key. */
export function keyIdOf(publicKey: Uint8Array): Uint8Array {
  return sha256(concatBytes(domain('key id'), publicKey)).subarray(0, 16)
}

/** Associated data of every chunk of one object. */
export function chunkData(context: Uint8Array): Uint8Array {
  return concatBytes(domain('chunk'), context)
}

/** Nonce of a chunk: 7 zero bytes, its index, and 1 for the last chunk. The STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár. */
export function chunkNonce(index: number, last: boolean): Uint8Array {
  return concatBytes(new Uint8Array(7), bigEndian(index, 4), Uint8Array.of(last ? 1 : 0))
}

/** Chunks of a plaintext; an empty one has one empty chunk, so that its absence shows. */
export function countChunks(plaintextBytes: number): number {
  return Math.max(1, Math.ceil(plaintextBytes / CHUNK_BYTES))
}

/** Bytes of a whole sealed object. */
export function sealedBytes(plaintextBytes: number): number {
  return HEADER_BYTES + plaintextBytes + countChunks(plaintextBytes) * TAG_BYTES
}

/** Writes a header. */
export function writeHeader(fields: Omit<SealedHeader, 'bytes'>): SealedHeader {
  const { keyCheck: check, contextTag: tag, salt, plaintextBytes } = fields
  return { ...fields, bytes: concatBytes(MAGIC, check, tag, salt, bigEndian(plaintextBytes, 8)) }
}

/** Reads a header, or undefined when the object does not start with one. */
export function readHeader(object: Uint8Array): SealedHeader | undefined {
  if (object.length < HEADER_BYTES || !equalBytes(object.subarray(0, MAGIC.length), MAGIC)) return undefined
  const bytes = object.slice(0, HEADER_BYTES)
  const length = new DataView(bytes.buffer).getBigUint64(72)
  if (length > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return {
    keyCheck: bytes.subarray(8, 24),
    contextTag: bytes.subarray(24, 40),
    salt: bytes.subarray(40, 72),
    plaintextBytes: Number(length),
    bytes,
  }
}
