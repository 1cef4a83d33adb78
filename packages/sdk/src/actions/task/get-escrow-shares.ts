import type { Client } from 'viem'
import { readTask, type TaskReadParameters } from './read-task.ts'

/** Whose the balance of a vault is, in smallest units. */
export type EscrowShares = {
  /** Owed to fulfillers whose payment could not be delivered. */
  readonly creditsAtomic: bigint
  /** What funders can take back when the tender is over, as far as rewards do not spend it before. */
  readonly fundersAtomic: bigint
  /** The rest, which rewards spend first and whose remainder is the owner's. */
  readonly residualAtomic: bigint
}

/** Parameters of {@link getEscrowShares}. */
export type GetEscrowSharesParameters = TaskReadParameters

/** Whose the balance of the vault is. */
export async function getEscrowShares(client: Client, parameters: GetEscrowSharesParameters): Promise<EscrowShares> {
  const [creditsAtomic, fundersAtomic, residualAtomic] = await readTask(client, parameters, 'escrowSharesOf', [
    parameters.tokenId,
  ])
  return { creditsAtomic, fundersAtomic, residualAtomic }
}
