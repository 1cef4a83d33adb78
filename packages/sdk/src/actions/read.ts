import type {
  Abi,
  Address,
  Client,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  ReadContractParameters,
} from 'viem'
import { readContract } from 'viem/actions'
import { toOikosError } from '../errors/to-oikos-error.ts'
import { type AtBlock, assertChain } from './target.ts'

type ViewName<abi extends Abi> = ContractFunctionName<abi, 'pure' | 'view'>

/** One read of one contract. */
export type ReadCall<abi extends Abi, name extends ViewName<abi>> = {
  abi: abi
  address: Address
  functionName: name
  args: ContractFunctionArgs<abi, 'pure' | 'view', name>
}

/**
 * Calls a view function and gives failures as OikosError. Every read action goes through here.
 * @throws ContractRevertedError, NoContractError, WrongChainError, RpcError
 */
export async function read<const abi extends Abi, name extends ViewName<abi>>(
  client: Client,
  { chainId, blockNumber }: AtBlock & { chainId?: number },
  call: ReadCall<abi, name>,
): Promise<ContractFunctionReturnType<abi, 'pure' | 'view', name>> {
  await assertChain(client, chainId)
  try {
    const block = blockNumber === undefined ? {} : { blockNumber }
    return (await readContract(client, { ...call, ...block } as unknown as ReadContractParameters)) as never
  } catch (error) {
    throw toOikosError(error, { contract: call.address, functionName: call.functionName })
  }
}
