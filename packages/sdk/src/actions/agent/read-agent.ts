import { agentAbi } from '@oikos/core/abi'
import type { Client, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { AgentTarget } from './target.ts'

type AgentViewName = ContractFunctionName<typeof agentAbi, 'pure' | 'view'>

/** A read of one Agent. */
export type AgentReadParameters = AgentTarget & AtBlock

/** Calls a view function of an Agent; failures are OikosErrors. */
export function readAgent<name extends AgentViewName>(
  client: Client,
  parameters: AgentReadParameters,
  functionName: name,
  args: ContractFunctionArgs<typeof agentAbi, 'pure' | 'view', name>,
): Promise<ContractFunctionReturnType<typeof agentAbi, 'pure' | 'view', name>> {
  return read(client, parameters, { abi: agentAbi, address: parameters.agent, functionName, args })
}
