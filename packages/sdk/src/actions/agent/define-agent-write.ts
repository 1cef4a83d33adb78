import { agentAbi } from '@oikos/core/abi'
import type { ContractEventName, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { type Completed, type Confirmed, defineQuietWrite, defineWrite, type WriteAction } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { AgentTarget } from './target.ts'

type AgentAbi = typeof agentAbi
type AgentWriteName = ContractFunctionName<AgentAbi, 'nonpayable' | 'payable'>
type AgentEventName = ContractEventName<AgentAbi>
type Arguments<name extends AgentWriteName> = ContractFunctionArgs<AgentAbi, 'nonpayable' | 'payable', name>
type Result<name extends AgentWriteName> = ContractFunctionReturnType<AgentAbi, 'nonpayable' | 'payable', name>

/** Result of a confirmed write to an Agent, by the event that reports its effect. */
export type ConfirmedAgentWrite<event extends AgentEventName> = Confirmed<AgentAbi, event>

/** As {@link ConfirmedAgentWrite}, where the event may be missing because there was nothing to do. */
export type CompletedAgentWrite<event extends AgentEventName> = Completed<AgentAbi, event>

type AgentWrite<name extends AgentWriteName, event extends AgentEventName, parameters, args> = {
  functionName: name
  event: event
  args: (parameters: parameters) => args
}

/** A write to an Agent in its three forms. */
export function defineAgentWrite<
  name extends AgentWriteName,
  event extends AgentEventName,
  parameters extends AgentTarget & WriteParameters,
  const args extends Arguments<name>,
>(
  definition: AgentWrite<name, event, parameters, args>,
): WriteAction<parameters, Result<name>, ConfirmedAgentWrite<event>> {
  const agent = ({ agent }: parameters) => agent
  return defineWrite({ abi: agentAbi, eventAbi: agentAbi, contract: agent, emitter: agent, ...definition })
}

/** A write to an Agent that succeeds without its event when there is nothing to do. */
export function defineQuietAgentWrite<
  name extends AgentWriteName,
  event extends AgentEventName,
  parameters extends AgentTarget & WriteParameters,
  const args extends Arguments<name>,
>(
  definition: AgentWrite<name, event, parameters, args>,
): WriteAction<parameters, Result<name>, CompletedAgentWrite<event>> {
  const agent = ({ agent }: parameters) => agent
  return defineQuietWrite({ abi: agentAbi, eventAbi: agentAbi, contract: agent, emitter: agent, ...definition })
}
