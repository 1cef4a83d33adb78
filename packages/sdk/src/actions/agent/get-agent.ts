import type { Address, Client, Hash } from 'viem'
import { getBlockMoment } from '../block.ts'
import { getScopeConfig } from '../scope/get-scope-config.ts'
import { connectedChainId } from '../target.ts'
import { type AgentBooks, readBooks } from './get-agent-books.ts'
import { getAgentFactory } from './get-agent-factory.ts'
import { getAgentGuardian } from './get-agent-guardian.ts'
import { getAgentName } from './get-agent-name.ts'
import { getAgentOwner } from './get-agent-owner.ts'
import { getAgentScope } from './get-agent-scope.ts'
import { getAgentSymbol } from './get-agent-symbol.ts'
import { getAgentURI } from './get-agent-uri.ts'
import { getPendingAgentOwner } from './get-pending-agent-owner.ts'
import { getReclaimHorizon } from './get-reclaim-horizon.ts'
import type { AgentReadParameters } from './read-agent.ts'

/** What an Agent says about itself, all at one block. */
export type AgentSnapshot = {
  readonly chainId: number
  readonly agent: Address
  readonly blockNumber: bigint
  readonly blockTimestampSec: bigint
  /** Texts of the creator and of the Owner; not verified. */
  readonly name: string
  readonly symbol: string
  readonly agentURI: string
  /** The zero address after renouncing. */
  readonly owner: Address
  /** The zero address for nobody. */
  readonly pendingOwner: Address
  readonly guardian: Address
  readonly factory: Address
  readonly scope: Address
  /** Delay of changes that loosen the Scope, and the hash that names its history. */
  readonly scopeDelaySec: number
  readonly scopeRevision: Hash
  readonly reclaimHorizonSec: bigint
  readonly books: AgentBooks
}

/** Parameters of {@link getAgent}. */
export type GetAgentParameters = AgentReadParameters

/**
 * One snapshot of an Agent: plain calls at one block number.
 * @throws ContractRevertedError, NoContractError, WrongChainError, RpcError
 */
export async function getAgent(client: Client, parameters: GetAgentParameters): Promise<AgentSnapshot> {
  const { agent } = parameters
  const [chainId, block] = await Promise.all([connectedChainId(client), getBlockMoment(client, parameters.blockNumber)])
  const at = { ...parameters, blockNumber: block.number }
  const [name, symbol, agentURI, owner, pendingOwner, guardian, factory, scope, horizon, books] = await Promise.all([
    getAgentName(client, at),
    getAgentSymbol(client, at),
    getAgentURI(client, at),
    getAgentOwner(client, at),
    getPendingAgentOwner(client, at),
    getAgentGuardian(client, at),
    getAgentFactory(client, at),
    getAgentScope(client, at),
    getReclaimHorizon(client, at),
    readBooks(client, parameters, block),
  ])
  const { delaySec, revision } = await getScopeConfig(client, { ...at, scope })
  return {
    ...{ chainId, agent, blockNumber: block.number, blockTimestampSec: block.timestampSec, name, symbol, agentURI },
    ...{ owner, pendingOwner, guardian, factory, scope, scopeDelaySec: delaySec, scopeRevision: revision },
    ...{ reclaimHorizonSec: horizon, books },
  }
}
