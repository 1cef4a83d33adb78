import { scopeAbi } from '@oikos/core/abi'
import type { Client, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { ScopeContractTarget, ScopeTarget } from './target.ts'

type ScopeViewName = ContractFunctionName<typeof scopeAbi, 'pure' | 'view'>

/** A read of a Scope as a whole. */
export type ScopeContractReadParameters = ScopeContractTarget & AtBlock

/** A read of the boundary of one Agent. */
export type ScopeReadParameters = ScopeTarget & AtBlock

/** Calls a view function of a Scope; failures are OikosErrors. */
export function readScope<name extends ScopeViewName>(
  client: Client,
  parameters: ScopeContractReadParameters,
  functionName: name,
  args: ContractFunctionArgs<typeof scopeAbi, 'pure' | 'view', name>,
): Promise<ContractFunctionReturnType<typeof scopeAbi, 'pure' | 'view', name>> {
  return read(client, parameters, { abi: scopeAbi, address: parameters.scope, functionName, args })
}
