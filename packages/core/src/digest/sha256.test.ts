import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Hex as nodeHex } from './sha256-node.ts'
import { sha256Hex as portableHex } from './sha256-portable.ts'

const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 })

describe('SHA-256', () => {
  it.each([
    ['portable', portableHex],
    ['of Node.js', nodeHex],
  ])('%s: has the digests of FIPS 180-4, whole and in parts', (_, hex) => {
    const abc = new TextEncoder().encode('abc')
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(hex(abc)).toBe(digest)
    expect(hex(abc.subarray(0, 1), abc.subarray(1))).toBe(digest)
    expect(hex()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('is one function: both give the same digest of any bytes', () => {
    fc.assert(fc.property(parts, (bytes) => nodeHex(...bytes) === portableHex(...bytes)))
  })
})
