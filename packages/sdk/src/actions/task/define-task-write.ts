import { taskTokenAbi } from '@oikos/core/abi'
import type {
  Client,
  ContractEventName,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
} from 'viem'
import { type Confirmed, defineWrite, type WriteAction } from '../define-write.ts'
import type { ContractTarget, WriteParameters } from '../target.ts'

type TaskWriteName = ContractFunctionName<typeof taskTokenAbi, 'nonpayable' | 'payable'>

/** Result of a confirmed write to a task contract, by the event that reports its effect. */
export type ConfirmedTaskWrite<event extends ContractEventName<typeof taskTokenAbi>> = Confirmed<
  typeof taskTokenAbi,
  event
>

/** A write to a task contract in its three forms. */
export function defineTaskWrite<
  name extends TaskWriteName,
  event extends ContractEventName<typeof taskTokenAbi>,
  parameters extends ContractTarget & WriteParameters,
  const args extends ContractFunctionArgs<typeof taskTokenAbi, 'nonpayable' | 'payable', name>,
>(definition: {
  functionName: name
  event: event
  args: (parameters: parameters) => args
  value?: (client: Client, parameters: parameters) => Promise<bigint>
}): WriteAction<
  parameters,
  ContractFunctionReturnType<typeof taskTokenAbi, 'nonpayable' | 'payable', name>,
  ConfirmedTaskWrite<event>
> {
  const task = ({ task }: parameters) => task
  return defineWrite({ abi: taskTokenAbi, eventAbi: taskTokenAbi, contract: task, emitter: task, ...definition })
}
