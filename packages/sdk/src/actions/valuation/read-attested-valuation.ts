import { attestedValuationAbi } from '@oikos/core/abi'
import type { Client, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { read } from '../read.ts'
import type { ValuationReadParameters } from './read-valuation.ts'

type AttestedValuationView = ContractFunctionName<typeof attestedValuationAbi, 'pure' | 'view'>

/** Calls a view function of an attested valuation; failures are OikosErrors. */
export function readAttestedValuation<name extends AttestedValuationView>(
  client: Client,
  parameters: ValuationReadParameters,
  functionName: name,
  args: ContractFunctionArgs<typeof attestedValuationAbi, 'pure' | 'view', name>,
): Promise<ContractFunctionReturnType<typeof attestedValuationAbi, 'pure' | 'view', name>> {
  return read(client, parameters, { abi: attestedValuationAbi, address: parameters.valuation, functionName, args })
}
