import { batchReceiptVerifierAbi, hashlockVerifierAbi, taskTokenAbi } from '@oikos/core/abi'
import { type Abi, type Account, type Address, type Client, encodeDeployData, getAddress, type Hex } from 'viem'
import { getBlockMoment } from '../actions/block.ts'
import { type WaitParameters, waitForReceipt } from '../actions/receipt.ts'
import { sendOnce } from '../actions/send-once.ts'
import { assertConnected } from '../actions/target.ts'
import { batchReceiptVerifierBytecode, hashlockVerifierBytecode, taskTokenBytecode } from '../bytecode/index.ts'
import type { Deployment } from '../deployments/deployment.ts'
import { AccountMissingError } from '../errors/chain-errors.ts'
import { UnexpectedReceiptError } from '../errors/transaction-errors.ts'

/** Parameters of {@link deployTaskMarket}. */
export type DeployTaskMarketParameters = WaitParameters & {
  /** Name and symbol of the ERC-721 collection. */
  name: string
  symbol: string
  /** Name of the network for the deployment; `local` says that it is gone with its chain. Default: `chain-<id>`. */
  network?: string
  /** Default: the account of the wallet client. */
  account?: Account | Address
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
  const account = parameters.account ?? walletClient.account
  if (account === undefined) throw new AccountMissingError('deployTaskMarket')
  const chainId = await assertConnected(publicClient)
  await assertConnected(walletClient, chainId)
  const [genesis, before] = await Promise.all([getBlockMoment(publicClient, 0n), getBlockMoment(publicClient)])

  const deploy = async (abi: Abi, bytecode: Hex, args: readonly string[]): Promise<Address> => {
    const data = encodeDeployData({ abi, bytecode, args })
    const hash = await sendOnce(walletClient, { account, data }, { functionName: 'deploy' })
    parameters.onSent?.(hash)
    const { contractAddress } = await waitForReceipt(publicClient, { ...parameters, hash }, { functionName: 'deploy' })
    if (contractAddress === null || contractAddress === undefined) throw new UnexpectedReceiptError(hash, 'deployment')
    return getAddress(contractAddress)
  }
  const taskToken = await deploy(taskTokenAbi, taskTokenBytecode, [parameters.name, parameters.symbol])
  const hashlockVerifier = await deploy(hashlockVerifierAbi, hashlockVerifierBytecode, [])
  const batchReceiptVerifier = await deploy(batchReceiptVerifierAbi, batchReceiptVerifierBytecode, [])
  return {
    ...{ chainId, network: parameters.network ?? `chain-${chainId}`, genesisHash: genesis.hash },
    ...{ deployedAtBlock: before.number, taskToken, hashlockVerifier, batchReceiptVerifier },
  }
}
