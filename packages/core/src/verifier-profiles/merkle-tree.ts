import type { Sha256Digest } from '../digest/index.ts'

/** Longest branch that a verifier checks. Source: MAX_BRANCH of BatchReceiptVerifier.sol and MerkleSecretVerifier.sol. */
export const MAX_BRANCH_LENGTH = 32

/** Digest of two children, in whichever order the tree hashes them. */
type HashPair = (a: Sha256Digest, b: Sha256Digest) => Sha256Digest

/** The levels of a tree from the leaves up to the root. A node without a sibling moves up as it is. */
export function buildLevels(leaves: readonly Sha256Digest[], hashPair: HashPair): readonly (readonly Sha256Digest[])[] {
  const levels: Sha256Digest[][] = [[...leaves]]
  for (let level = levels[0] ?? []; level.length > 1; ) {
    const above: Sha256Digest[] = []
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] as Sha256Digest // index < level.length
      const right = level[index + 1]
      above.push(right === undefined ? left : hashPair(left, right))
    }
    levels.push(above)
    level = above
  }
  return levels
}

/** The siblings of a leaf from the bottom up. */
export function branchOf(levels: readonly (readonly Sha256Digest[])[], leafIndex: number): Sha256Digest[] {
  return levels.flatMap((level, depth) => {
    const sibling = level[(leafIndex >> depth) ^ 1]
    return sibling === undefined ? [] : [sibling]
  })
}
