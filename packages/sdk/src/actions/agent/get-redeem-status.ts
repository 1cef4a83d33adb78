import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** The other side of an account at an Agent. */
export type RedeemStatus = {
  /** Shares escrowed and not yet settled, in smallest units. */
  readonly pendingSharesAtomic: bigint
  /** Accept Token settled and not yet claimed, in smallest units. */
  readonly claimableAssetsAtomic: bigint
}

/** Parameters of {@link getRedeemStatus}. */
export type GetRedeemStatusParameters = AgentReadParameters & {
  user: Address
}

/** What an account has escrowed and is owed in Accept Token. Source: ERC-8406, section 6.4. */
export async function getRedeemStatus(client: Client, parameters: GetRedeemStatusParameters): Promise<RedeemStatus> {
  const [pendingSharesAtomic, claimableAssetsAtomic] = await readAgent(client, parameters, 'queryRedeemStatus', [
    parameters.user,
  ])
  return { pendingSharesAtomic, claimableAssetsAtomic }
}
