import { concatBytes } from '@noble/hashes/utils.js'
import { digestBytes, type Sha256Digest, sha256 } from '../digest/index.ts'
import { bindToFulfiller, toHex, word } from './bytes.ts'
import { VerifierProfileError } from './errors.ts'
import { branchOf, buildLevels, MAX_BRANCH_LENGTH } from './merkle-tree.ts'

/** Acceptance profile of BatchReceiptVerifier.sol. Twin of that contract; vectors/verifier-profiles holds both. */
export const BATCH_RECEIPT_PROFILE = 'x-batch-receipt-merkle-minage-v1'

/** Most receipts of one tree that is built here: a branch of 20, and 32 MiB of leaves. */
export const MAX_RECEIPTS = 1 << 20

/** Shortest receipt that a tree takes: whoever guesses a receipt is paid, and 128 bits cannot be guessed. */
export const MIN_RECEIPT_BYTES = 16

/** Longest receipt that a tree takes. A receipt is a secret, not a document, and goes into a transaction. */
export const MAX_RECEIPT_BYTES = 4_096

/** A secret of the publisher for one completion, and whom it pays. */
export type BatchReceipt = { readonly receipt: Uint8Array; readonly fulfiller: string }

/** A tree of receipts; `leaves`, `branches` and `proofs` are in the order in which the receipts were given. */
export type ReceiptTree = {
  /** What the publisher commits to. */
  readonly root: Sha256Digest
  /** What each fulfiller delivers as its resultHash. */
  readonly leaves: readonly Sha256Digest[]
  /** Siblings from the leaf up. A node without a sibling moves up as it is and adds nothing. */
  readonly branches: readonly (readonly Sha256Digest[])[]
  /** What each fulfiller settles with. */
  readonly proofs: readonly `0x${string}`[]
}

/** The leaf of one receipt, which is also the resultHash of its delivery: SHA-256 of receipt || fulfiller. */
export function batchReceiptLeaf(receipt: Uint8Array, fulfiller: string): Sha256Digest {
  return sha256(bindToFulfiller(receipt, fulfiller))
}

/**
 * Builds the tree of a batch: SHA-256 over sorted pairs.
 * @throws VerifierProfileError for no receipts, too many, one that is too short or too long, a fulfiller that is no
 *   address, or the same receipt twice for one fulfiller, of which only one could ever settle
 */
export function buildReceiptTree(receipts: readonly BatchReceipt[]): ReceiptTree {
  if (receipts.length === 0 || receipts.length > MAX_RECEIPTS) {
    throw new VerifierProfileError('receipts', `${receipts.length}`, `1 to ${MAX_RECEIPTS} receipts`)
  }
  const leaves = receipts.map(({ receipt, fulfiller }, index) => {
    if (receipt.length < MIN_RECEIPT_BYTES || receipt.length > MAX_RECEIPT_BYTES) {
      const expected = `${MIN_RECEIPT_BYTES} to ${MAX_RECEIPT_BYTES} bytes`
      throw new VerifierProfileError(`receipts[${index}].receipt`, `${receipt.length} bytes`, expected)
    }
    return batchReceiptLeaf(receipt, fulfiller)
  })
  const seen = new Set<Sha256Digest>()
  for (const [index, leaf] of leaves.entries()) {
    if (seen.has(leaf)) throw new VerifierProfileError(`receipts[${index}]`, leaf, 'a leaf that no other receipt has')
    seen.add(leaf)
  }
  const levels = buildLevels(leaves, hashSortedPair)
  const branches = leaves.map((_, index) => branchOf(levels, index))
  const proofs = receipts.map(({ receipt }, index) => encodeReceiptProof({ receipt, branch: branches[index] ?? [] }))
  const root = levels.at(-1)?.[0]
  if (root === undefined) throw new VerifierProfileError('receipts', 'an empty tree', 'a root')
  return { root, leaves, branches, proofs }
}

/** Digests are lower-case hexadecimal of one length, so their text sorts like their numbers. */
function hashSortedPair(a: Sha256Digest, b: Sha256Digest): Sha256Digest {
  const [first, second] = a < b ? [a, b] : [b, a]
  return sha256(concatBytes(digestBytes(first), digestBytes(second)))
}

/** Whether a leaf belongs to a root by its branch, as the contract checks it; false for a branch that is too long. */
export function verifyReceiptBranch(claim: {
  leaf: Sha256Digest
  branch: readonly Sha256Digest[]
  root: Sha256Digest
}): boolean {
  if (claim.branch.length > MAX_BRANCH_LENGTH) return false
  return claim.branch.reduce(hashSortedPair, claim.leaf) === claim.root
}

/**
 * The proof that settles a delivery: `abi.encode(bytes receipt, bytes32[] branch)`. Source: Solidity ABI specification,
 * Use of Dynamic Types.
 * @throws VerifierProfileError for a branch of more than {@link MAX_BRANCH_LENGTH} digests
 */
export function encodeReceiptProof(parts: { receipt: Uint8Array; branch: readonly Sha256Digest[] }): `0x${string}` {
  const { receipt, branch } = parts
  if (branch.length > MAX_BRANCH_LENGTH) {
    throw new VerifierProfileError('branch', `${branch.length} digests`, `at most ${MAX_BRANCH_LENGTH}`)
  }
  const padded = new Uint8Array(Math.ceil(receipt.length / 32) * 32)
  padded.set(receipt)
  const receiptAt = 64 // behind the two offsets
  const branchAt = receiptAt + 32 + padded.length
  const head = [word(receiptAt), word(branchAt), word(receipt.length)]
  return toHex(concatBytes(...head, padded, word(branch.length), ...branch.map(digestBytes)))
}
