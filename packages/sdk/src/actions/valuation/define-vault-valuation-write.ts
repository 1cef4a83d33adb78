import { erc4626ValuationAbi } from '@oikos/core/abi'
import type { ContractEventName, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { type Completed, defineQuietWrite, type WriteAction } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { ValuationTarget } from './target.ts'

type ValuationAbi = typeof erc4626ValuationAbi
type ValuationWriteName = ContractFunctionName<ValuationAbi, 'nonpayable' | 'payable'>

/** A write to an ERC-4626 valuation that succeeds without its event when there is nothing to do. */
export function defineQuietVaultValuationWrite<
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
  Completed<ValuationAbi, event>
> {
  const contract = ({ valuation }: parameters) => valuation
  return defineQuietWrite({
    ...{ abi: erc4626ValuationAbi, eventAbi: erc4626ValuationAbi, contract, emitter: contract },
    ...definition,
  })
}
