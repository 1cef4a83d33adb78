import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getSubmissionCount}. */
export type GetSubmissionCountParameters = TaskReadParameters

/** How many deliveries were ever made; they are numbered from 1. */
export function getSubmissionCount(client: Client, parameters: GetSubmissionCountParameters): Promise<bigint> {
  return readTask(client, parameters, 'submissionCountOf', [parameters.tokenId])
}
