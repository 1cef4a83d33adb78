import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { sha256Hex } from '#sha256'

declare const family: unique symbol

/** A nominal mark: values of two families share a representation and still cannot be swapped. */
type Marked<Name extends string> = { readonly [family]: { readonly [key in Name]: true } }

/** SHA-256 digest of 32 bytes as `0x` and 64 lower-case hexadecimal digits. Source: FIPS 180-4. */
export type Sha256Digest = `0x${string}` & Marked<'sha256'>

/** Keccak-256 digest (the EVM's hash, not SHA3-256), written like {@link Sha256Digest}. */
export type Keccak256Digest = `0x${string}` & Marked<'keccak256'>

/** SHA-256 of the encoded TaskRoot bytes. Source: ERC-8414, Hash definitions. */
export type TaskHash = Sha256Digest & Marked<'task'>

/** SHA-256 of the plaintext bytes of a task's primary document. Source: ERC-8414, Hash definitions. */
export type TdHash = Sha256Digest & Marked<'td'>

/** SHA-256 of the encoded SkillRoot bytes. Source: ERC-8338. */
export type PackageHash = Sha256Digest & Marked<'package'>

/** SHA-256 of the plaintext bytes of a skill's primary document. Source: ERC-8338. */
export type MdHash = Sha256Digest & Marked<'md'>

/** A text is not a 32-byte digest. Not retryable: the caller holds a wrong value. */
export class DigestFormatError extends Error {
  override readonly name = 'DigestFormatError'
  readonly retryable = false
  readonly digestFamily: string
  readonly got: string

  constructor(digestFamily: string, got: string) {
    super(`${digestFamily} digest: got ${JSON.stringify(got.slice(0, 80))}, expected 0x and 64 hexadecimal digits`)
    this.digestFamily = digestFamily
    this.got = got
  }
}

const DIGEST_TEXT = /^0x[0-9a-fA-F]{64}$/

function parseDigest(digestFamily: string, text: string): `0x${string}` {
  if (!DIGEST_TEXT.test(text)) throw new DigestFormatError(digestFamily, text)
  return text.toLowerCase() as `0x${string}`
}

/** Reads a SHA-256 digest; upper-case digits are lowered. Throws {@link DigestFormatError}. */
export function parseSha256Digest(text: string): Sha256Digest {
  return parseDigest('SHA-256', text) as Sha256Digest
}

/** Reads a Keccak-256 digest; upper-case digits are lowered. Throws {@link DigestFormatError}. */
export function parseKeccak256Digest(text: string): Keccak256Digest {
  return parseDigest('Keccak-256', text) as Keccak256Digest
}

/** Reads a `taskHash` as the chain gives it. Throws {@link DigestFormatError}. */
export function parseTaskHash(text: string): TaskHash {
  return parseDigest('taskHash', text) as TaskHash
}

/** Reads a `tdHash` as the chain gives it. Throws {@link DigestFormatError}. */
export function parseTdHash(text: string): TdHash {
  return parseDigest('tdHash', text) as TdHash
}

/** Reads a skill's `packageHash`. Throws {@link DigestFormatError}. */
export function parsePackageHash(text: string): PackageHash {
  return parseDigest('packageHash', text) as PackageHash
}

/** Reads a skill's `mdHash`. Throws {@link DigestFormatError}. */
export function parseMdHash(text: string): MdHash {
  return parseDigest('mdHash', text) as MdHash
}

/** SHA-256 of the bytes as they are: no normalisation, salt or key. */
export function sha256(bytes: Uint8Array): Sha256Digest {
  return `0x${sha256Hex(bytes)}` as Sha256Digest
}

/** Keccak-256 of the bytes as they are. */
export function keccak256(bytes: Uint8Array): Keccak256Digest {
  return `0x${bytesToHex(keccak_256(bytes))}` as Keccak256Digest
}

/** The 32 raw bytes of a digest. Throws {@link DigestFormatError} on a value that was marked without being parsed. */
export function digestBytes(digest: Sha256Digest | Keccak256Digest): Uint8Array {
  return hexToBytes(parseDigest('32-byte', digest).slice(2))
}

/** Marks 32 bytes that a SHA-256 implementation returned. Throws {@link DigestFormatError} on another length. */
export function digestFromBytes(bytes: Uint8Array): Sha256Digest {
  return parseSha256Digest(`0x${bytesToHex(bytes)}`)
}
