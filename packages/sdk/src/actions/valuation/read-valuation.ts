import { iValuationAbi } from '@oikos/core/abi'
import type { Client, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { ValuationTarget } from './target.ts'

type ValuationView = ContractFunctionName<typeof iValuationAbi, 'pure' | 'view'>

/** A read of one valuation. */
export type ValuationReadParameters = ValuationTarget & AtBlock

/** Calls a view function of any valuation; failures are OikosErrors. */
export function readValuation<name extends ValuationView>(
  client: Client,
  parameters: ValuationReadParameters,
  functionName: name,
  args: ContractFunctionArgs<typeof iValuationAbi, 'pure' | 'view', name>,
): Promise<ContractFunctionReturnType<typeof iValuationAbi, 'pure' | 'view', name>> {
  return read(client, parameters, { abi: iValuationAbi, address: parameters.valuation, functionName, args })
}
