import {
  type Abi,
  type Account,
  type Address,
  type Client,
  encodeDeployData,
  getAddress,
  type Hash,
  type Hex,
} from 'viem'
import { type Receipt, type WaitParameters, waitForReceipt } from '../actions/receipt.ts'
import { sendOnce } from '../actions/send-once.ts'
import { assertConnected } from '../actions/target.ts'
import { AccountMissingError } from '../errors/chain-errors.ts'
import { UnexpectedReceiptError } from '../errors/transaction-errors.ts'

/** Who deploys, and how long that is waited for. */
export type DeployParameters = WaitParameters & {
  /** Default: the account of the wallet client. */
  account?: Account | Address
}

/** A contract that was just deployed. */
export type DeployedContract = { readonly address: Address; readonly hash: Hash; readonly receipt: Receipt }

/** The two clients of a deployment and its account, on one chain. Throws AccountMissingError, WrongChainError. */
export async function openDeployment(
  walletClient: Client,
  publicClient: Client,
  parameters: DeployParameters,
  what: string,
): Promise<{
  chainId: number
  account: Account | Address
  deploy: (abi: Abi, bytecode: Hex, args: readonly unknown[]) => Promise<DeployedContract>
}> {
  const account = parameters.account ?? walletClient.account
  if (account === undefined) throw new AccountMissingError(what)
  const chainId = await assertConnected(publicClient)
  await assertConnected(walletClient, chainId)
  const context = { functionName: 'deploy', account: typeof account === 'object' ? account.address : account }
  const deploy = async (abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<DeployedContract> => {
    const data = encodeDeployData({ abi, bytecode, args })
    const hash = await sendOnce(walletClient, { account, data }, context)
    parameters.onSent?.(hash)
    const receipt = await waitForReceipt(publicClient, { ...parameters, hash }, context)
    const { contractAddress } = receipt
    if (contractAddress === null || contractAddress === undefined) throw new UnexpectedReceiptError(hash, 'deployment')
    return { address: getAddress(contractAddress), hash: receipt.transactionHash, receipt }
  }
  return { chainId, account, deploy }
}
