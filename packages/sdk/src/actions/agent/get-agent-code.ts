import { type AgentCode, readAgentCode } from '@oikos/core/agent-metadata'
import type { Client } from 'viem'
import { getCode } from 'viem/actions'
import { toOikosError } from '../../errors/to-oikos-error.ts'
import { assertChain } from '../target.ts'
import type { AgentReadParameters } from './read-agent.ts'

/** Parameters of {@link getAgentCode}. */
export type GetAgentCodeParameters = AgentReadParameters

/**
 * What the code of an Agent says and nobody can change; undefined for an address without code and for code that is no
 * clone of the form that our factory makes. Whose clone it is, is for the caller to compare; see checkAgent.
 * @throws WrongChainError, RpcError
 */
export async function getAgentCode(client: Client, parameters: GetAgentCodeParameters): Promise<AgentCode | undefined> {
  await assertChain(client, parameters.chainId)
  const { agent: address, blockNumber } = parameters
  try {
    const code = await getCode(client, { address, ...(blockNumber === undefined ? {} : { blockNumber }) })
    return code === undefined ? undefined : readAgentCode(code)
  } catch (error) {
    throw toOikosError(error, { contract: address })
  }
}
