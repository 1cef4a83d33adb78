import { agentFactoryAbi } from '@oikos/core/abi'
import type { Client, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { FactoryTarget } from './target.ts'

type FactoryViewName = ContractFunctionName<typeof agentFactoryAbi, 'pure' | 'view'>

/** A read of one factory. */
export type FactoryReadParameters = FactoryTarget & AtBlock

/** Calls a view function of a factory; failures are OikosErrors. */
export function readFactory<name extends FactoryViewName>(
  client: Client,
  parameters: FactoryReadParameters,
  functionName: name,
  args: ContractFunctionArgs<typeof agentFactoryAbi, 'pure' | 'view', name>,
): Promise<ContractFunctionReturnType<typeof agentFactoryAbi, 'pure' | 'view', name>> {
  return read(client, parameters, { abi: agentFactoryAbi, address: parameters.factory, functionName, args })
}
