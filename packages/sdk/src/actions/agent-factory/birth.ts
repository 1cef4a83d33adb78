import type { agentFactoryAbi } from '@oikos/core/abi'
import type { ContractFunctionArgs } from 'viem'

/**
 * Everything that an Agent is born with, as the factory takes it. Source: Birth.sol. `initialRate` is in Accept Token
 * smallest units per 1e18 share units.
 */
export type AgentBirth = ContractFunctionArgs<typeof agentFactoryAbi, 'nonpayable', 'create'>[0]
