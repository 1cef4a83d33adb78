import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Sha256Digest, sha256 } from '../digest/index.ts'
import {
  type BatchReceipt,
  batchReceiptLeaf,
  buildReceiptTree,
  encodeReceiptProof,
  MAX_RECEIPT_BYTES,
  MIN_RECEIPT_BYTES,
  verifyReceiptBranch,
} from './batch-receipt.ts'
import { VerifierProfileError } from './errors.ts'
import { hashlockResultHash } from './hashlock.ts'
import { MAX_BRANCH_LENGTH } from './merkle-tree.ts'

const fulfiller = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const receiptOf = (seed: number, length = 32): BatchReceipt => ({
  receipt: new Uint8Array(length).fill(seed),
  fulfiller,
})

describe('a tree', () => {
  const count = fc.integer({ min: 1, max: 200 })

  test('proves every one of its leaves and no other', () => {
    fc.assert(
      fc.property(count, fc.nat(), (length, pick) => {
        const receipts = Array.from({ length }, (_, index) => receiptOf(index))
        const { root, leaves, branches } = buildReceiptTree(receipts)
        const index = pick % length
        const branch = branches[index] ?? []
        const leaf = leaves[index] as Sha256Digest
        expect(branch.length).toBeLessThanOrEqual(Math.ceil(Math.log2(length)))
        expect(verifyReceiptBranch({ leaf, branch, root })).toBe(true)
        expect(verifyReceiptBranch({ leaf: sha256(new Uint8Array(1)), branch, root })).toBe(false)
        if (branch.length > 0) expect(verifyReceiptBranch({ leaf, branch: branch.slice(1), root })).toBe(false)
        expect(verifyReceiptBranch({ leaf, branch: [...branch, leaf], root })).toBe(false)
      }),
      { numRuns: 100 },
    )
  })

  test('a receipt pays its fulfiller and nobody else', () => {
    const { receipt } = receiptOf(1)
    expect(batchReceiptLeaf(receipt, fulfiller)).not.toBe(batchReceiptLeaf(receipt, `0x${'1'.repeat(40)}`))
  })
})

describe('what a tree refuses', () => {
  test.each<[string, readonly BatchReceipt[], string]>([
    ['no receipts', [], 'receipts'],
    ['a receipt that can be guessed', [receiptOf(1, MIN_RECEIPT_BYTES - 1)], 'receipts[0].receipt'],
    ['a receipt that is a document', [receiptOf(1, MAX_RECEIPT_BYTES + 1)], 'receipts[0].receipt'],
    ['the same receipt twice for one fulfiller', [receiptOf(1), receiptOf(2), receiptOf(1)], 'receipts[2]'],
    ['a fulfiller that is no address', [{ ...receiptOf(1), fulfiller: '0x12' }], 'fulfiller'],
  ])('%s', (_, receipts, field) => {
    expect(() => buildReceiptTree(receipts)).toThrow(expect.objectContaining({ name: 'VerifierProfileError', field }))
  })

  test('the same secret for two fulfillers is two leaves', () => {
    const other = { ...receiptOf(1), fulfiller: `0x${'1'.repeat(40)}` }
    expect(new Set(buildReceiptTree([receiptOf(1), other]).leaves).size).toBe(2)
  })
})

test('a branch that the contract would not read is neither encoded nor accepted', () => {
  const leaf = sha256(new Uint8Array(1))
  const branch = Array.from({ length: MAX_BRANCH_LENGTH + 1 }, () => leaf)
  expect(() => encodeReceiptProof({ receipt: new Uint8Array(32), branch })).toThrow(VerifierProfileError)
  expect(verifyReceiptBranch({ leaf, branch, root: leaf })).toBe(false)
})

test.each([['0x12'], ['5fbdb2315678afecb367f032d93f642f64180aa3'], [`0x${'g'.repeat(40)}`], ['']])(
  'a fulfiller %j is refused',
  (wrong) => {
    expect(() => hashlockResultHash(new Uint8Array(1), wrong)).toThrow(VerifierProfileError)
  },
)
