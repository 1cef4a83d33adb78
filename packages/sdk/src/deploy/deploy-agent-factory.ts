import { agentFactoryAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { getFactoryTerms } from '../actions/agent-factory/get-factory-terms.ts'
import { agentFactoryBytecode } from '../bytecode/index.ts'
import { checkFactoryCode } from './check-factory-code.ts'
import { type DeployedContract, type DeployParameters, openDeployment } from './deploy-contract.ts'
import { DeployedCodeError } from './deployed-code-error.ts'

/** Parameters of {@link deployAgentFactory}. */
export type DeployAgentFactoryParameters = DeployParameters

/** A factory with what its Agents share. */
export type DeployedAgentFactory = Omit<DeployedContract, 'address'> & {
  readonly factory: Address
  readonly scope: Address
  readonly implementation: Address
}

/**
 * Deploys a factory of Agents, which deploys their Scope and their implementation with it, and checks the code of all
 * three.
 * @param walletClient signs and sends
 * @param publicClient reads; may be the same client
 * @throws DeployedCodeError, AccountMissingError, WrongChainError, InsufficientFundsError, RequestRejectedError,
 *   TransactionPendingError, SendOutcomeUnknownError, TransactionRevertedError, RpcError
 */
export async function deployAgentFactory(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployAgentFactoryParameters = {},
): Promise<DeployedAgentFactory> {
  const { deploy } = await openDeployment(walletClient, publicClient, parameters, 'deployAgentFactory')
  const { address: factory, ...sent } = await deploy(agentFactoryAbi, agentFactoryBytecode, [])
  const problem = await checkFactoryCode(publicClient, { factory })
  if (problem !== undefined) throw new DeployedCodeError(factory, problem)
  const { scope, implementation } = await getFactoryTerms(publicClient, { factory })
  return { factory, scope, implementation, ...sent }
}
