import { parseSha256Digest } from '@oikos/core'
import { encodeReceiptProof, MAX_BRANCH_LENGTH } from '@oikos/core/verifier-profiles'
import * as fc from 'fast-check'
import { bytesToHex, encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'

test('a receipt proof is what an ABI library encodes: abi.encode(bytes, bytes32[])', () => {
  const receipt = fc.uint8Array({ maxLength: 300 })
  const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => parseSha256Digest(bytesToHex(bytes)))
  fc.assert(
    fc.property(receipt, fc.array(digest, { maxLength: MAX_BRANCH_LENGTH }), (bytes, branch) => {
      const expected = encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes32[]' }], [bytesToHex(bytes), branch])
      expect(encodeReceiptProof({ receipt: bytes, branch })).toBe(expected)
    }),
    { numRuns: 500 },
  )
})
