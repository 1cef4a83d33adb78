import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hexToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { parseSha256Digest } from '../digest/index.ts'
import { BATCH_RECEIPT_PROFILE, buildReceiptTree, encodeReceiptProof, verifyReceiptBranch } from './batch-receipt.ts'
import { HASHLOCK_PROFILE, hashlockAnswerHash, hashlockResultHash } from './hashlock.ts'

type HashlockVectors = {
  profile: string
  cases: { name: string; answer: string; fulfiller: string; answerHash: string; resultHash: string }[]
}
type BatchVectors = {
  profile: string
  batches: {
    name: string
    root: string
    receipts: string[]
    fulfillers: string[]
    leaves: string[]
    branches: string[][]
    proofs: string[]
  }[]
}

function vectors<file>(name: string): file {
  const path = join(import.meta.dirname, '../../../../vectors/verifier-profiles', name)
  return JSON.parse(readFileSync(path, 'utf8')) as file
}
const bytes = (hex: string): Uint8Array => hexToBytes(hex.slice(2))
const hashlock = vectors<HashlockVectors>('hashlock.json')
const batchReceipt = vectors<BatchVectors>('batch-receipt.json')

test('the vectors are of these profiles', () => {
  expect(hashlock.profile).toBe(HASHLOCK_PROFILE)
  expect(batchReceipt.profile).toBe(BATCH_RECEIPT_PROFILE)
})

test.each(hashlock.cases)('§2 x-hashlock-v1: $name', ({ answer, fulfiller, answerHash, resultHash }) => {
  expect(hashlockAnswerHash(bytes(answer))).toBe(answerHash)
  expect(hashlockResultHash(bytes(answer), fulfiller)).toBe(resultHash)
  expect(hashlockResultHash(bytes(answer), `0x${fulfiller.slice(2).toUpperCase()}`)).toBe(resultHash)
})

test.each(batchReceipt.batches)('§2 x-batch-receipt-merkle-minage-v1: a batch of $name', (batch) => {
  const receipts = batch.receipts.map((receipt, index) => ({
    receipt: bytes(receipt),
    fulfiller: batch.fulfillers[index] ?? '',
  }))
  const { root, leaves, branches, proofs } = buildReceiptTree(receipts)
  expect({ root, leaves, branches, proofs }).toEqual({
    root: batch.root,
    leaves: batch.leaves,
    branches: batch.branches,
    proofs: batch.proofs,
  })
  for (const [index, { receipt }] of receipts.entries()) {
    const branch = (batch.branches[index] ?? []).map(parseSha256Digest)
    expect(encodeReceiptProof({ receipt, branch })).toBe(batch.proofs[index])
    expect(verifyReceiptBranch({ leaf: parseSha256Digest(batch.leaves[index] ?? ''), branch, root })).toBe(true)
  }
})
