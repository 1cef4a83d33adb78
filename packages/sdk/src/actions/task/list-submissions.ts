import type { Client } from 'viem'
import { latestBlockNumber } from '../block.ts'
import { mapBounded, type PageParameters, planPage } from '../page.ts'
import { getSubmission, type Submission } from './get-submission.ts'
import { getSubmissionCount } from './get-submission-count.ts'
import type { TaskReadParameters } from './read-task.ts'

/** Submissions that one page holds unless the caller says otherwise. */
export const DEFAULT_SUBMISSIONS_PER_PAGE = 50

/** Most submissions in one page, each of which takes one request. */
export const MAX_SUBMISSIONS_PER_PAGE = 200

/** Submissions that are read at the same time. */
const CONCURRENCY = 25

/** Parameters of {@link listSubmissions}. */
export type ListSubmissionsParameters = TaskReadParameters & PageParameters

/** One page of submissions, all at one block. */
export type SubmissionPage = { submissions: Submission[]; blockNumber: bigint; nextCursor?: bigint }

/**
 * One page of the deliveries to a tender.
 * @throws RangeError for a page that is out of range; ContractRevertedError, NoContractError, WrongChainError, RpcError
 */
export async function listSubmissions(client: Client, parameters: ListSubmissionsParameters): Promise<SubmissionPage> {
  const blockNumber = parameters.blockNumber ?? (await latestBlockNumber(client))
  const at = { ...parameters, blockNumber }
  const limits = { defaultSize: DEFAULT_SUBMISSIONS_PER_PAGE, maxSize: MAX_SUBMISSIONS_PER_PAGE }
  const { numbers, nextCursor } = planPage(parameters, await getSubmissionCount(client, at), limits)
  const submissions = await mapBounded(numbers, CONCURRENCY, (submissionId) =>
    getSubmission(client, { ...at, submissionId }),
  )
  return { submissions, blockNumber, ...(nextCursor === undefined ? {} : { nextCursor }) }
}
