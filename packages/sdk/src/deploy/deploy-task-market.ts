import { batchReceiptVerifierAbi, hashlockVerifierAbi, taskTokenAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import { getBlockMoment } from '../actions/block.ts'
import { batchReceiptVerifierBytecode, hashlockVerifierBytecode, taskTokenBytecode } from '../bytecode/index.ts'
import type { Deployment } from '../deployments/deployment.ts'
import { type DeployParameters, openDeployment } from './deploy-contract.ts'

/** Parameters of {@link deployTaskMarket}. */
export type DeployTaskMarketParameters = DeployParameters & {
  /** Name and symbol of the ERC-721 collection. */
  name: string
  symbol: string
  /** Name of the network for the deployment; `local` says that it is gone with its chain. Default: `chain-<id>`. */
  network?: string
}

/**
 * Deploys a task contract and the two stock verifiers, one after the other, and waits for each. The verifiers serve
 * every task contract, so a second market could share them.
 * @param walletClient signs and sends
 * @param publicClient reads; may be the same client
 * @throws AccountMissingError, WrongChainError when the two clients are on different chains, InsufficientFundsError,
 *   RequestRejectedError, TransactionPendingError, SendOutcomeUnknownError, TransactionRevertedError, RpcError
 */
export async function deployTaskMarket(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployTaskMarketParameters,
): Promise<Deployment> {
  const { chainId, deploy } = await openDeployment(walletClient, publicClient, parameters, 'deployTaskMarket')
  const [genesis, before] = await Promise.all([getBlockMoment(publicClient, 0n), getBlockMoment(publicClient)])
  const naming = [parameters.name, parameters.symbol]
  const { address: taskToken } = await deploy(taskTokenAbi, taskTokenBytecode, naming)
  const { address: hashlockVerifier } = await deploy(hashlockVerifierAbi, hashlockVerifierBytecode, [])
  const { address: batchReceiptVerifier } = await deploy(batchReceiptVerifierAbi, batchReceiptVerifierBytecode, [])
  return {
    ...{ chainId, network: parameters.network ?? `chain-${chainId}`, genesisHash: genesis.hash },
    ...{ deployedAtBlock: before.number, taskToken, hashlockVerifier, batchReceiptVerifier },
  }
}
