import { scopeAbi } from '@oikos/core/abi'
import type { ContractEventName, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { type Confirmed, defineWrite, type WriteAction } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { ScopeTarget } from './target.ts'

type ScopeAbi = typeof scopeAbi
type ScopeWriteName = ContractFunctionName<ScopeAbi, 'nonpayable' | 'payable'>

/** A write to the boundary of an Agent in its three forms. */
export function defineScopeWrite<
  name extends ScopeWriteName,
  event extends ContractEventName<ScopeAbi>,
  parameters extends ScopeTarget & WriteParameters,
  const args extends ContractFunctionArgs<ScopeAbi, 'nonpayable' | 'payable', name>,
>(definition: {
  functionName: name
  event: event
  args: (parameters: parameters) => args
}): WriteAction<
  parameters,
  ContractFunctionReturnType<ScopeAbi, 'nonpayable' | 'payable', name>,
  Confirmed<ScopeAbi, event>
> {
  const scope = ({ scope }: parameters) => scope
  return defineWrite({ abi: scopeAbi, eventAbi: scopeAbi, contract: scope, emitter: scope, ...definition })
}
