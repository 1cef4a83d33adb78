import { taskTokenAbi } from '@oikos/core/abi'
import type { Client, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { read } from '../read.ts'
import type { AtBlock, ContractTarget, TaskTarget } from '../target.ts'

type TaskViewName = ContractFunctionName<typeof taskTokenAbi, 'pure' | 'view'>

/** A read of one tender. */
export type TaskReadParameters = TaskTarget & AtBlock

/** A read of a task contract as a whole. */
export type CollectionReadParameters = ContractTarget & AtBlock

/** Calls a view function of a task contract; failures are OikosErrors. */
export function readTask<name extends TaskViewName>(
  client: Client,
  parameters: CollectionReadParameters,
  functionName: name,
  args: ContractFunctionArgs<typeof taskTokenAbi, 'pure' | 'view', name>,
): Promise<ContractFunctionReturnType<typeof taskTokenAbi, 'pure' | 'view', name>> {
  return read(client, parameters, { abi: taskTokenAbi, address: parameters.task, functionName, args })
}
