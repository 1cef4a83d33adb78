import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** One side of an account at an Agent. */
export type MintStatus = {
  /** Accept Token deposited and not yet settled, in smallest units. */
  readonly pendingAssetsAtomic: bigint
  /** Shares settled and not yet claimed, in smallest units. */
  readonly claimableSharesAtomic: bigint
}

/** Parameters of {@link getMintStatus}. */
export type GetMintStatusParameters = AgentReadParameters & {
  user: Address
}

/** What an account has deposited and is owed in shares. Source: ERC-8406, section 6.3. */
export async function getMintStatus(client: Client, parameters: GetMintStatusParameters): Promise<MintStatus> {
  const [pendingAssetsAtomic, claimableSharesAtomic] = await readAgent(client, parameters, 'queryMintStatus', [
    parameters.user,
  ])
  return { pendingAssetsAtomic, claimableSharesAtomic }
}
