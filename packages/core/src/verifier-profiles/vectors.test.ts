import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hexToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { parseSha256Digest } from '../digest/index.ts'
import { BATCH_RECEIPT_PROFILE, buildReceiptTree, encodeReceiptProof, verifyReceiptBranch } from './batch-receipt.ts'
import { VerifierProfileError } from './errors.ts'
import { HASHLOCK_PROFILE, hashlockAnswerHash, hashlockResultHash } from './hashlock.ts'
import {
  buildSecretTree,
  encodeSecretProof,
  MERKLE_SECRETS_PROFILE,
  secretLeaf,
  secretResultHash,
  verifySecretBranch,
} from './merkle-secrets.ts'
import { MAX_BRANCH_LENGTH } from './merkle-tree.ts'
import {
  encodeOutcomeProof,
  type OutcomeProfile,
  outcomeDigest,
  recoverOutcomeSigner,
  SIGNED_OUTCOME_PROFILE,
  STREAK_PROFILE,
  sortAttestors,
} from './signed-outcome.ts'

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

type SecretVectors = {
  profile: string
  sets: {
    name: string
    root: string
    secrets: string[]
    fulfillers: string[]
    resultHashes: string[]
    leaves: string[]
    branches: string[][]
    proofs: string[]
  }[]
}
const merkleSecrets = vectors<SecretVectors>('merkle-secrets.json')

test.each(merkleSecrets.sets)('x-merkle-secrets-sha256-minage-v1: $name', (set) => {
  expect(merkleSecrets.profile).toBe(MERKLE_SECRETS_PROFILE)
  const secrets = set.secrets.map(bytes)
  const { root, leaves, branches, proofs } = buildSecretTree(secrets)
  expect({ root, leaves, branches, proofs }).toEqual({
    ...{ root: set.root, leaves: set.leaves, branches: set.branches, proofs: set.proofs },
  })
  for (const [index, secret] of secrets.entries()) {
    const branch = (set.branches[index] ?? []).map(parseSha256Digest)
    expect(secretResultHash(secret, set.fulfillers[index] ?? '')).toBe(set.resultHashes[index])
    expect(encodeSecretProof({ secret, branch })).toBe(set.proofs[index])
    expect(verifySecretBranch({ leaf: secretLeaf(secret), branch, root })).toBe(true)
    expect(verifySecretBranch({ leaf: root, branch, root })).toBe(branch.length === 0)
  }
})

test('a tree of secrets takes 32 bytes each, once, and a branch that the contract would read', () => {
  const secret = new Uint8Array(32)
  const leaf = secretLeaf(secret)
  const long = Array.from({ length: MAX_BRANCH_LENGTH + 1 }, () => leaf)
  for (const [field, make] of [
    ['secrets', () => buildSecretTree([])],
    ['secrets[1]', () => buildSecretTree([secret, new Uint8Array(31)])],
    ['secrets[1]', () => buildSecretTree([secret, secret])],
    ['secret', () => secretResultHash(new Uint8Array(33), `0x${'1'.repeat(40)}`)],
    ['branch', () => encodeSecretProof({ secret, branch: long })],
  ] as const) {
    expect(make).toThrow(expect.objectContaining({ name: 'VerifierProfileError', field }))
  }
  expect(verifySecretBranch({ leaf, branch: long, root: leaf })).toBe(false)
})

type OutcomeVectors = {
  profile: OutcomeProfile
  cases: {
    name: string
    chainId: number
    verifier: string
    outcome: Record<'taskContract' | 'tokenId' | 'submissionId' | 'fulfiller' | 'resultHash', string>
    digest: string
    signers: string[]
    signatures: string[]
    proof: string
  }[]
}
const outcomes = [vectors<OutcomeVectors>('signed-outcome.json'), vectors<OutcomeVectors>('streak.json')]
const outcomeCases = outcomes.flatMap(({ profile, cases }) => cases.map((entry) => ({ profile, ...entry })))

test('the vectors of signed outcomes are of these profiles', () => {
  expect(outcomes.map(({ profile }) => profile)).toEqual([SIGNED_OUTCOME_PROFILE, STREAK_PROFILE])
})

test.each(outcomeCases)('$profile: $name', (entry) => {
  const { profile, chainId, verifier, signers, signatures, proof } = entry
  const { tokenId, submissionId, ...named } = entry.outcome
  const outcome = { ...named, tokenId: BigInt(tokenId), submissionId: BigInt(submissionId) }
  const digest = outcomeDigest({ profile, chainId, verifier }, outcome)
  expect(digest).toBe(entry.digest)
  expect(signatures.map((signature) => recoverOutcomeSigner(digest, signature))).toEqual(signers)
  const threshold = signatures.length
  expect(encodeOutcomeProof({ digest, threshold, signatures: [...signatures].reverse(), attestors: signers })).toBe(
    proof,
  )
  // whatever is signed is about one delivery on one chain
  const others = [
    outcomeDigest({ profile, chainId: 1, verifier }, outcome),
    outcomeDigest({ profile, chainId, verifier: outcome.fulfiller }, outcome),
    outcomeDigest({ profile, chainId, verifier }, { ...outcome, submissionId: 4n }),
    outcomeDigest({ profile, chainId, verifier }, { ...outcome, fulfiller: verifier }),
    outcomeDigest({ profile, chainId, verifier }, { ...outcome, resultHash: digest }),
    outcomeDigest({ profile, chainId, verifier }, { ...outcome, tokenId: 2n }),
    outcomeDigest({ profile, chainId, verifier }, { ...outcome, taskContract: verifier }),
  ]
  expect(new Set([digest, ...others]).size).toBe(8)
})

test('a proof of too few, and what is no address, number or digest, is refused by name', () => {
  const [first] = outcomeCases
  if (first === undefined) throw new Error('no case')
  const domain = { profile: first.profile, chainId: 1, verifier: first.verifier }
  const { tokenId, submissionId, ...named } = first.outcome
  const outcome = { ...named, tokenId: BigInt(tokenId), submissionId: BigInt(submissionId) }
  const digest = outcomeDigest({ ...domain, chainId: first.chainId }, outcome)
  const [signature = ''] = first.signatures
  for (const [field, make] of [
    ['signatures', () => encodeOutcomeProof({ digest, signatures: [signature, signature], threshold: 2 })],
    ['signatures', () => encodeOutcomeProof({ digest, signatures: [], threshold: 0 })],
    ['signatures', () => encodeOutcomeProof({ digest, signatures: [signature], threshold: 1, attestors: [] })],
    ['verifier', () => outcomeDigest({ ...domain, verifier: '0x12' }, outcome)],
    ['chainId', () => outcomeDigest({ ...domain, chainId: -1 }, outcome)],
    ['tokenId', () => outcomeDigest(domain, { ...outcome, tokenId: 2n ** 256n })],
    ['resultHash', () => outcomeDigest(domain, { ...outcome, resultHash: '0x12' })],
    ['attestors', () => sortAttestors([])],
    ['attestors', () => sortAttestors([first.verifier, first.verifier.toUpperCase().replace('0X', '0x')])],
    ['attestors', () => sortAttestors([`0x${'0'.repeat(40)}`])],
    ['attestors', () => sortAttestors(Array.from({ length: 33 }, () => first.verifier))],
    ['attestors[0]', () => sortAttestors(['judge'])],
  ] as const) {
    expect(make, field).toThrow(VerifierProfileError)
    expect(make, field).toThrow(expect.objectContaining({ field }))
  }
})
