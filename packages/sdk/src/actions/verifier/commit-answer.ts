import type { Sha256Digest } from '@oikos/core'
import { hashlockVerifierAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link commitAnswer}. */
export type CommitAnswerParameters = VerifierTarget &
  WriteParameters & {
    /** SHA-256 of the answer; see hashlockAnswerHash. */
    answerHash: Sha256Digest
  }

const write = defineWrite({
  abi: hashlockVerifierAbi,
  eventAbi: hashlockVerifierAbi,
  functionName: 'commitAnswer',
  event: 'AnswerCommitted',
  contract: ({ verifier }: CommitAnswerParameters) => verifier,
  emitter: ({ verifier }) => verifier,
  args: ({ task, tokenId, answerHash }) => [task, tokenId, answerHash],
})

/** Commits a hash lock verifier to the answer of a tender, once, as its update authority. Simulates, then sends. */
export const commitAnswer = write.send

/** What {@link commitAnswer} would do, on the latest state; nothing is sent. */
export const simulateCommitAnswer = write.simulate

/** {@link commitAnswer}, then waits for the event AnswerCommitted. */
export const commitAnswerAndWait = write.sendAndWait
