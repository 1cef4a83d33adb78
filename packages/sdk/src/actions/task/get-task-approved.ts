import type { Address, Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getTaskApproved}. */
export type GetTaskApprovedParameters = TaskReadParameters

/** Who may move this token beside its owner; the zero address when nobody. Source: ERC-721. */
export function getTaskApproved(client: Client, parameters: GetTaskApprovedParameters): Promise<Address> {
  return readTask(client, parameters, 'getApproved', [parameters.tokenId])
}
