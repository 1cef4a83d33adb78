import type { Keccak256Digest, Sha256Digest, TaskHash, TdHash } from '@oikos/core'

/** Fields of the contracts whose 32 bytes belong to a digest family of `core`; other bytes32 stay plain. */
type DigestFields = {
  tdHash: TdHash
  taskHash: TaskHash
  answerHash: Sha256Digest
  root: Sha256Digest
  reasoningHash: Keccak256Digest
}

/**
 * Decoded arguments with their digest families. viem decodes a bytes32 to lower-case hexadecimal of full length, which
 * is the form of `core`'s digests, so only the type changes.
 */
export type Branded<fields> = {
  readonly [name in keyof fields]: name extends keyof DigestFields ? DigestFields[name] : fields[name]
}
