import { attestedValuationAbi } from '@oikos/core/abi'
import type { ContractEventName, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { type Confirmed, defineWrite, type WriteAction } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { ValuationTarget } from './target.ts'

type ValuationAbi = typeof attestedValuationAbi
type ValuationWriteName = ContractFunctionName<ValuationAbi, 'nonpayable' | 'payable'>

/** A write to an attested valuation in its three forms. */
export function defineAttestedValuationWrite<
  name extends ValuationWriteName,
  event extends ContractEventName<ValuationAbi>,
  parameters extends ValuationTarget & WriteParameters,
  const args extends ContractFunctionArgs<ValuationAbi, 'nonpayable' | 'payable', name>,
>(definition: {
  functionName: name
  event: event
  args: (parameters: parameters) => args
}): WriteAction<
  parameters,
  ContractFunctionReturnType<ValuationAbi, 'nonpayable' | 'payable', name>,
  Confirmed<ValuationAbi, event>
> {
  const contract = ({ valuation }: parameters) => valuation
  return defineWrite({
    ...{ abi: attestedValuationAbi, eventAbi: attestedValuationAbi, contract, emitter: contract },
    ...definition,
  })
}
