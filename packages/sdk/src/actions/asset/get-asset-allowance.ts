import { type Address, type Client, erc20Abi } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'

/** Parameters of {@link getAssetAllowance}. */
export type GetAssetAllowanceParameters = AtBlock & {
  chainId?: number
  token: Address
  owner: Address
  /** To fund a tender, the task contract. */
  spender: Address
}

/** What a spender may still take of a token, in smallest units. Source: ERC-20, allowance. */
export function getAssetAllowance(client: Client, parameters: GetAssetAllowanceParameters): Promise<bigint> {
  const { token, owner, spender } = parameters
  return read(client, parameters, { abi: erc20Abi, address: token, functionName: 'allowance', args: [owner, spender] })
}
