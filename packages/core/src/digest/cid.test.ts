import { describe, expect, it } from 'vitest'
import {
  CidFormatError,
  cidBytes,
  cidCodec,
  cidDigest,
  cidFromBytes,
  dagCborCidOf,
  isCid,
  parseCid,
  rawCidOf,
  toDagCborCid,
  toRawCid,
} from './cid.ts'
import { DigestFormatError, keccak256, parseKeccak256Digest, parseSha256Digest, sha256 } from './digest.ts'

const EMPTY = new Uint8Array()

describe('digests', () => {
  it('are those of the standards for no bytes', () => {
    expect(sha256(EMPTY)).toBe('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(keccak256(EMPTY)).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  })

  it('are read in any case and only in full', () => {
    expect(parseSha256Digest(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    for (const text of ['', '0x', `0x${'a'.repeat(63)}`, 'a'.repeat(66), `0x${'g'.repeat(64)}`])
      expect(() => parseKeccak256Digest(text)).toThrow(DigestFormatError)
  })
})

describe('CIDs', () => {
  it('have the published spelling', () => {
    expect(rawCidOf(EMPTY)).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
    expect(dagCborCidOf(EMPTY)).toBe('bafyreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
  })

  it('go to bytes and back, with codec and digest', () => {
    const digest = sha256(Uint8Array.of(1))
    for (const cid of [toRawCid(digest), toDagCborCid(digest)]) {
      expect(cidFromBytes(cidBytes(cid))).toBe(cid)
      expect(cidDigest(cid)).toBe(digest)
    }
    expect(cidCodec(toRawCid(digest))).toBe('raw')
    expect(cidCodec(toDagCborCid(digest))).toBe('dag-cbor')
  })

  it('are read in one spelling only', () => {
    const cid = rawCidOf(EMPTY)
    expect(parseCid(cid)).toBe(cid)
    const others = [
      '',
      'b',
      cid.toUpperCase(),
      `${cid}a`,
      cid.slice(0, -1),
      'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG',
      `${cid.slice(0, -1)}v`,
      `b${'a'.repeat(58)}`,
    ]
    for (const text of others) {
      expect(isCid(text), text).toBe(false)
      expect(() => parseCid(text)).toThrow(CidFormatError)
    }
  })
})
