import { concatBytes } from '@noble/hashes/utils.js'
import { digestBytes, type Sha256Digest, sha256 } from '../digest/index.ts'
import { bindToFulfiller, toHex, word } from './bytes.ts'
import { VerifierProfileError } from './errors.ts'
import { branchOf, buildLevels, MAX_BRANCH_LENGTH } from './merkle-tree.ts'

/** Acceptance profile of MerkleSecretVerifier.sol. Twin of that contract; vectors/verifier-profiles holds both. */
export const MERKLE_SECRETS_PROFILE = 'x-merkle-secrets-sha256-minage-v1'

/** Most secrets of one tree that is built here: a branch of 20, and 32 MiB of leaves. */
export const MAX_SECRETS = 1 << 20

const SECRET_BYTES = 32
const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** A tree of secrets; `leaves`, `branches` and `proofs` are in the order in which the secrets were given. */
export type SecretTree = {
  /** What the publisher commits to. */
  readonly root: Sha256Digest
  readonly leaves: readonly Sha256Digest[]
  /** Siblings from the leaf up. A node without a sibling moves up as it is and adds nothing. */
  readonly branches: readonly (readonly Sha256Digest[])[]
  /** What whoever holds each secret settles with. */
  readonly proofs: readonly `0x${string}`[]
}

/** The leaf of a secret: SHA-256 of 0x00 || secret. Throws {@link VerifierProfileError} unless it has 32 bytes. */
export function secretLeaf(secret: Uint8Array): Sha256Digest {
  return sha256(concatBytes(LEAF, secretBytes('secret', secret)))
}

/**
 * What the holder of a secret delivers: SHA-256 of secret || fulfiller.
 * @param fulfiller address of 20 bytes in hexadecimal, in any case; the sender of the delivery
 * @throws VerifierProfileError when the secret has not 32 bytes or the fulfiller is no address
 */
export function secretResultHash(secret: Uint8Array, fulfiller: string): Sha256Digest {
  return sha256(bindToFulfiller(secretBytes('secret', secret), fulfiller))
}

/**
 * Builds the tree of the secrets of a tender. Whoever guesses a secret is paid, so take each from 32 random bytes.
 * @throws VerifierProfileError for no secrets, too many, one that has not 32 bytes, or the same one twice, of which only
 *   one could ever settle
 */
export function buildSecretTree(secrets: readonly Uint8Array[]): SecretTree {
  if (secrets.length === 0 || secrets.length > MAX_SECRETS) {
    throw new VerifierProfileError('secrets', `${secrets.length}`, `1 to ${MAX_SECRETS} secrets`)
  }
  const seen = new Set<Sha256Digest>()
  const leaves = secrets.map((secret, index) => {
    const leaf = secretLeaf(secretBytes(`secrets[${index}]`, secret))
    if (seen.has(leaf)) throw new VerifierProfileError(`secrets[${index}]`, leaf, 'a leaf that no other secret has')
    seen.add(leaf)
    return leaf
  })
  const levels = buildLevels(leaves, hashNode)
  const branches = leaves.map((_, index) => branchOf(levels, index))
  const proofs = secrets.map((secret, index) => encodeSecretProof({ secret, branch: branches[index] ?? [] }))
  const root = levels.at(-1)?.[0]
  if (root === undefined) throw new VerifierProfileError('secrets', 'an empty tree', 'a root')
  return { root, leaves, branches, proofs }
}

/** Whether a leaf belongs to a root by its branch, as the contract checks it; false for a branch that is too long. */
export function verifySecretBranch(claim: {
  leaf: Sha256Digest
  branch: readonly Sha256Digest[]
  root: Sha256Digest
}): boolean {
  if (claim.branch.length > MAX_BRANCH_LENGTH) return false
  return claim.branch.reduce(hashNode, claim.leaf) === claim.root
}

/**
 * The proof that settles a delivery: `abi.encode(bytes32 secret, bytes32[] branch)`. Source: Solidity ABI specification,
 * Use of Dynamic Types.
 * @throws VerifierProfileError unless the secret has 32 bytes and the branch at most {@link MAX_BRANCH_LENGTH} digests
 */
export function encodeSecretProof(parts: { secret: Uint8Array; branch: readonly Sha256Digest[] }): `0x${string}` {
  const { secret, branch } = parts
  if (branch.length > MAX_BRANCH_LENGTH) {
    throw new VerifierProfileError('branch', `${branch.length} digests`, `at most ${MAX_BRANCH_LENGTH}`)
  }
  const branchAt = 64 // behind the secret and this offset
  return toHex(
    concatBytes(secretBytes('secret', secret), word(branchAt), word(branch.length), ...branch.map(digestBytes)),
  )
}

function secretBytes(field: string, secret: Uint8Array): Uint8Array {
  if (secret.length === SECRET_BYTES) return secret
  throw new VerifierProfileError(field, `${secret.length} bytes`, `${SECRET_BYTES} bytes`)
}

/** Digests are lower-case hexadecimal of one length, so their text sorts like their numbers. */
function hashNode(a: Sha256Digest, b: Sha256Digest): Sha256Digest {
  const [first, second] = a < b ? [a, b] : [b, a]
  return sha256(concatBytes(NODE, digestBytes(first), digestBytes(second)))
}
