import type { Address, Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Parameters of {@link getCredit}. */
export type GetCreditParameters = TaskReadParameters & {
  /** Fulfiller whose payment could not be delivered. */
  creditor: Address
}

/** What the tender owes to one account and has not been able to pay out, in smallest units. */
export function getCredit(client: Client, parameters: GetCreditParameters): Promise<bigint> {
  return readTask(client, parameters, 'creditOf', [parameters.tokenId, parameters.creditor])
}
