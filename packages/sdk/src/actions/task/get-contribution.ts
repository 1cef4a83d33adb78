import type { Address, Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getContribution}. */
export type GetContributionParameters = TaskReadParameters & {
  /** Who called fundTask. */
  funder: Address
}

/** What one account put in and has not reclaimed, in smallest units. */
export function getContribution(client: Client, parameters: GetContributionParameters): Promise<bigint> {
  return readTask(client, parameters, 'contributionOf', [parameters.tokenId, parameters.funder])
}
