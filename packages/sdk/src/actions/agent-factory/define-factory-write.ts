import { agentFactoryAbi } from '@oikos/core/abi'
import type { ContractEventName, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { type Confirmed, defineWrite, type WriteAction } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { FactoryTarget } from './target.ts'

type FactoryAbi = typeof agentFactoryAbi
type FactoryWriteName = ContractFunctionName<FactoryAbi, 'nonpayable' | 'payable'>

/** A write to a factory in its three forms. */
export function defineFactoryWrite<
  name extends FactoryWriteName,
  event extends ContractEventName<FactoryAbi>,
  parameters extends FactoryTarget & WriteParameters,
  const args extends ContractFunctionArgs<FactoryAbi, 'nonpayable' | 'payable', name>,
>(definition: {
  functionName: name
  event: event
  args: (parameters: parameters) => args
}): WriteAction<
  parameters,
  ContractFunctionReturnType<FactoryAbi, 'nonpayable' | 'payable', name>,
  Confirmed<FactoryAbi, event>
> {
  const factory = ({ factory }: parameters) => factory
  return defineWrite({
    abi: agentFactoryAbi,
    eventAbi: agentFactoryAbi,
    contract: factory,
    emitter: factory,
    ...definition,
  })
}
