import type { Address, Client } from 'viem'
import { type CollectionReadParameters, readTask } from './read-task.ts'

/** Parameters of {@link getTaskBalance}. */
export type GetTaskBalanceParameters = CollectionReadParameters & {
  /** Other than zero. */
  owner: Address
}

/** How many tasks of one contract an account holds. Source: ERC-721. */
export function getTaskBalance(client: Client, parameters: GetTaskBalanceParameters): Promise<bigint> {
  return readTask(client, parameters, 'balanceOf', [parameters.owner])
}
