import { base32 } from 'multiformats/bases/base32'
import { CID } from 'multiformats/cid'
import * as multihash from 'multiformats/hashes/digest'
import { digestBytes, digestFromBytes, type Sha256Digest, sha256 } from './digest.ts'

declare const codecMark: unique symbol

/** The two content codecs of a package. Source: ERC-8414, TaskRoot, link form. */
export type CidCodec = 'raw' | 'dag-cbor'

/** CIDv1 with SHA-256 as lower-case base32 text (59 characters, first `b`), of either codec. */
export type Cid = string & { readonly [codecMark]: CidCodec }

/** A {@link Cid} of raw bytes (`bafkrei…`). */
export type RawCid = string & { readonly [codecMark]: 'raw' }

/** A {@link Cid} of a DAG-CBOR block (`bafyrei…`). */
export type DagCborCid = string & { readonly [codecMark]: 'dag-cbor' }

const SHA2_256 = 0x12
const CODEC_BYTE: Record<CidCodec, number> = { raw: 0x55, 'dag-cbor': 0x71 }

/** Bytes of a binary CIDv1 of this kind: version, codec, hash function, hash length, 32 digest bytes. */
export const CID_BYTES = 36

/** A text is not a CID of the kind that packages use. Not retryable. */
export class CidFormatError extends Error {
  override readonly name = 'CidFormatError'
  readonly retryable = false
  readonly got: string

  constructor(got: string, options?: { cause?: unknown }) {
    super(
      `CID: got ${JSON.stringify(got.slice(0, 100))}, expected CIDv1 in lower-case base32, codec raw or dag-cbor, SHA-256`,
      options,
    )
    this.got = got
  }
}

function toCid(codec: CidCodec, digest: Sha256Digest): string {
  return CID.createV1(CODEC_BYTE[codec], multihash.create(SHA2_256, digestBytes(digest))).toString(base32)
}

/** The CID of raw bytes with this digest. */
export function toRawCid(digest: Sha256Digest): RawCid {
  return toCid('raw', digest) as RawCid
}

/** The CID of a DAG-CBOR block with this digest; of a `taskHash`, the root's CID. */
export function toDagCborCid(digest: Sha256Digest): DagCborCid {
  return toCid('dag-cbor', digest) as DagCborCid
}

/** The CID of the bytes taken as a raw block. */
export function rawCidOf(bytes: Uint8Array): RawCid {
  return toRawCid(sha256(bytes))
}

/** The CID of the bytes taken as a DAG-CBOR block; the bytes themselves are not decoded. */
export function dagCborCidOf(bytes: Uint8Array): DagCborCid {
  return toDagCborCid(sha256(bytes))
}

/** Codec of a binary CID that has our exact form, else undefined. */
export function codecOfCidBytes(bytes: Uint8Array): CidCodec | undefined {
  if (bytes.length !== CID_BYTES || bytes[0] !== 1 || bytes[2] !== SHA2_256 || bytes[3] !== 32) return undefined
  if (bytes[1] === CODEC_BYTE.raw) return 'raw'
  return bytes[1] === CODEC_BYTE['dag-cbor'] ? 'dag-cbor' : undefined
}

/** The text of a binary CID ({@link CID_BYTES} bytes), or undefined when it is not of the form {@link Cid}. */
export function cidFromBytes(bytes: Uint8Array): Cid | undefined {
  return codecOfCidBytes(bytes) === undefined ? undefined : (base32.encode(bytes) as Cid)
}

/** The binary form of a CID, {@link CID_BYTES} bytes. */
export function cidBytes(cid: Cid): Uint8Array {
  return base32.decode(cid)
}

/** The CID as the object that IPLD libraries take. */
export function toIpldCid(cid: Cid): CID {
  return CID.decode(cidBytes(cid))
}

/** Reads a CID; other bases, versions, codecs and hash functions are refused. Throws {@link CidFormatError}. */
export function parseCid(text: string): Cid {
  if (!isCid(text)) throw new CidFormatError(text)
  return text
}

const CID_TEXT = /^b[a-z2-7]{58}$/

/** Whether a text is a {@link Cid} in its one canonical spelling. */
export function isCid(text: string): text is Cid {
  if (!CID_TEXT.test(text)) return false
  try {
    const bytes = base32.decode(text)
    return codecOfCidBytes(bytes) !== undefined && base32.encode(bytes) === text
  } catch {
    return false
  }
}

/** Codec inside a CID. */
export function cidCodec(cid: Cid): CidCodec {
  const codec = codecOfCidBytes(cidBytes(cid))
  if (codec === undefined) throw new CidFormatError(cid)
  return codec
}

/** SHA-256 digest inside a CID. */
export function cidDigest(cid: Cid): Sha256Digest {
  return digestFromBytes(cidBytes(cid).subarray(4))
}
