import type { Address, Client } from 'viem'
import { type CollectionReadParameters, readTask } from './read-task.ts'

/** Parameters of {@link isTaskApprovedForAll}. */
export type IsTaskApprovedForAllParameters = CollectionReadParameters & {
  /** Holder of tasks. */
  owner: Address
  /** Who may move them. */
  operator: Address
}

/** Whether an operator may move all tasks of an owner. Source: ERC-721. */
export function isTaskApprovedForAll(client: Client, parameters: IsTaskApprovedForAllParameters): Promise<boolean> {
  return readTask(client, parameters, 'isApprovedForAll', [parameters.owner, parameters.operator])
}
