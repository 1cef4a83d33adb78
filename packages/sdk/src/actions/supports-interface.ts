import { taskTokenAbi } from '@oikos/core/abi'
import type { Address, Client, Hex } from 'viem'
import { read } from './read.ts'
import type { AtBlock } from './target.ts'

/** ERC-165 identifiers of the interfaces. Source: ERC-8406 and ERC-8414; the contracts declare the same. */
export const interfaceIds = {
  IAgent: '0xfebed61d',
  ITaskToken: '0xcdaeb26d',
  ITaskTender: '0xc319d532',
  IOnchainTaskDocument: '0xeb078d05',
  ITaskVerifier: '0x9977db15',
} as const satisfies Record<string, Hex>

/** Parameters of {@link supportsInterface}. */
export type SupportsInterfaceParameters = AtBlock & {
  contract: Address
  chainId?: number
  /** Four bytes. */
  interfaceId: Hex
}

/** Whether a contract declares an interface. What it declares is its own claim. Source: ERC-165. */
export function supportsInterface(client: Client, parameters: SupportsInterfaceParameters): Promise<boolean> {
  const call = { abi: taskTokenAbi, address: parameters.contract, functionName: 'supportsInterface' } as const
  return read(client, parameters, { ...call, args: [parameters.interfaceId] })
}
