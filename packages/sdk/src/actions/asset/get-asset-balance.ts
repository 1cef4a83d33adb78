import { type Address, type Client, erc20Abi } from 'viem'
import { getBalance } from 'viem/actions'
import { isNativeAsset } from '../../asset/asset.ts'
import { toOikosError } from '../../errors/to-oikos-error.ts'
import { read } from '../read.ts'
import { type AtBlock, assertChain } from '../target.ts'

/** Parameters of {@link getAssetBalance}. */
export type GetAssetBalanceParameters = AtBlock & {
  chainId?: number
  /** Token contract; the zero address is the native currency. */
  asset: Address
  account: Address
}

/** What an account holds of an asset, in smallest units; of a token, as the token says. */
export async function getAssetBalance(client: Client, parameters: GetAssetBalanceParameters): Promise<bigint> {
  const { asset, account, chainId, blockNumber } = parameters
  if (!isNativeAsset({ address: asset })) {
    return read(client, parameters, { abi: erc20Abi, address: asset, functionName: 'balanceOf', args: [account] })
  }
  await assertChain(client, chainId)
  try {
    return await getBalance(client, { address: account, ...(blockNumber === undefined ? {} : { blockNumber }) })
  } catch (error) {
    throw toOikosError(error)
  }
}
