import { type Sha256Digest, sha256 } from '../digest/index.ts'
import { bindToFulfiller } from './bytes.ts'

/** Acceptance profile of HashlockVerifier.sol. Twin of that contract; vectors/verifier-profiles holds both. */
export const HASHLOCK_PROFILE = 'x-hashlock-v1'

/** What the publisher commits to: SHA-256 of the answer. */
export function hashlockAnswerHash(answer: Uint8Array): Sha256Digest {
  return sha256(answer)
}

/**
 * What the fulfiller delivers: SHA-256 of answer || fulfiller. The proof that settles the delivery is the answer itself.
 * @param fulfiller address of 20 bytes in hexadecimal, in any case; the sender of the delivery
 * @throws VerifierProfileError when the fulfiller is no address
 */
export function hashlockResultHash(answer: Uint8Array, fulfiller: string): Sha256Digest {
  return sha256(bindToFulfiller(answer, fulfiller))
}
