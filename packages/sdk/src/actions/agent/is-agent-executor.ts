import type { Address, Client } from 'viem'
import { type AgentReadParameters, readAgent } from './read-agent.ts'

/** Parameters of {@link isAgentExecutor}. */
export type IsAgentExecutorParameters = AgentReadParameters & {
  account: Address
}

/** Whether an account may act for the Agent. */
export function isAgentExecutor(client: Client, parameters: IsAgentExecutorParameters): Promise<boolean> {
  return readAgent(client, parameters, 'isExecutor', [parameters.account])
}
