import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'
import { fromContractTerms, type TenderTerms } from './tender-terms.ts'

/** Parameters of {@link getTenderTerms}. */
export type GetTenderTermsParameters = TaskReadParameters

/** What is paid, in which asset, how often and until when. The terms of a tender never change. */
export async function getTenderTerms(client: Client, parameters: GetTenderTermsParameters): Promise<TenderTerms> {
  return fromContractTerms(await readTask(client, parameters, 'tenderTermsOf', [parameters.tokenId]))
}
