import { erc4626ValuationAbi } from '@oikos/core/abi'
import type { Client, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { read } from '../read.ts'
import type { ValuationReadParameters } from './read-valuation.ts'

type VaultValuationView = ContractFunctionName<typeof erc4626ValuationAbi, 'pure' | 'view'>

/** Calls a view function of an ERC-4626 valuation; failures are OikosErrors. */
export function readVaultValuation<name extends VaultValuationView>(
  client: Client,
  parameters: ValuationReadParameters,
  functionName: name,
  args: ContractFunctionArgs<typeof erc4626ValuationAbi, 'pure' | 'view', name>,
): Promise<ContractFunctionReturnType<typeof erc4626ValuationAbi, 'pure' | 'view', name>> {
  return read(client, parameters, { abi: erc4626ValuationAbi, address: parameters.valuation, functionName, args })
}
