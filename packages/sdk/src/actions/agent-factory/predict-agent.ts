import type { Address, Client, Hash } from 'viem'
import type { AgentBirth } from './birth.ts'
import { type FactoryReadParameters, readFactory } from './read-factory.ts'

/** Parameters of {@link predictAgent}. */
export type PredictAgentParameters = FactoryReadParameters & {
  birth: AgentBirth
  /** Tells two births apart that are otherwise the same. */
  salt: Hash
}

/** Address that createFromBirth would give. It commits to the whole birth, whoever sends it. */
export function predictAgent(client: Client, parameters: PredictAgentParameters): Promise<Address> {
  return readFactory(client, parameters, 'predict', [parameters.birth, parameters.salt])
}
