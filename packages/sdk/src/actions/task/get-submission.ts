import type { Address, Client, Hex } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Where a delivery stands. Source: ERC-8414, SubmissionStatus. */
export type SubmissionStatus = 'pending' | 'accepted' | 'rejected'

/** A delivery. Its resultURI is in the event FulfillmentSubmitted only. Source: ERC-8414, Submission. */
export type Submission = {
  /** Counts from 1 in each tender. */
  readonly submissionId: bigint
  /** Who is paid. */
  readonly fulfiller: Address
  /** Commitment to the deliverable, 32 bytes. */
  readonly resultHash: Hex
  /** Version of the binding when it was delivered. */
  readonly taskVersion: bigint
  /** Unix time; the judgment clock starts here. */
  readonly submittedAtSec: bigint
  /** Whether it was delivered to a verifier, so that silence rejects it, or to a judge, whose silence accepts it. */
  readonly machineSettled: boolean
  readonly status: SubmissionStatus
}

/** Parameters of {@link getSubmission}. */
export type GetSubmissionParameters = TaskReadParameters & { submissionId: bigint }

/** Order of the enum in ITaskTender.sol. */
const STATUSES: readonly SubmissionStatus[] = ['pending', 'accepted', 'rejected']

/** One delivery. Throws ContractRevertedError (NonexistentSubmission). */
export async function getSubmission(client: Client, parameters: GetSubmissionParameters): Promise<Submission> {
  const { submissionId, tokenId } = parameters
  const { submittedAt, status, ...rest } = await readTask(client, parameters, 'submissionOf', [tokenId, submissionId])
  const named = STATUSES[status]
  if (named === undefined) throw new RangeError(`submission status ${status} is none of 0, 1, 2`)
  return { submissionId, ...rest, submittedAtSec: submittedAt, status: named }
}
