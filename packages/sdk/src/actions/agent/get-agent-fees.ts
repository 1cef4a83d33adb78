import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Fees of an Agent. They are fixed at settlement and only ever lowered. */
export type AgentFees = {
  /** Basis points of a deposit, rounded up. */
  readonly mintFeeBps: number
  /** Basis points of a payout, rounded up. */
  readonly redeemFeeBps: number
  /** The zero address where there never was a fee. */
  readonly recipient: Address
  /** Accept Token that claimFees would pay, in smallest units; part of the reserve. */
  readonly owedAtomic: bigint
}

/** Parameters of {@link getAgentFees}. */
export type GetAgentFeesParameters = AgentReadParameters

/** The fees of settlements, and what is owed to their recipient. */
export async function getAgentFees(client: Client, parameters: GetAgentFeesParameters): Promise<AgentFees> {
  const [mintFeeBps, redeemFeeBps, recipient, owedAtomic] = await readAgent(client, parameters, 'feesOf', [])
  return { mintFeeBps, redeemFeeBps, recipient, owedAtomic }
}
