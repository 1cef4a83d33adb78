import { agentAbi } from '@oikos/core/abi'
import type { ContractEventName, ContractFunctionArgs, ContractFunctionReturnType } from 'viem'
import type { StoredReasoning } from '../../content/stored-reasoning.ts'
import { type Confirmed, defineWrite, type WriteAction } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import { assertReasoned } from './assert-reasoned.ts'
import type { LeadingArguments, ReasonedAction } from './build-action-reasoning.ts'
import type { AgentTarget } from './target.ts'

type AgentAbi = typeof agentAbi

/**
 * An agent action in its three forms. It cites a record that was stored before and is bound to this very call; another
 * one is refused before anything is sent.
 */
export function defineReasonedWrite<
  name extends ReasonedAction,
  event extends ContractEventName<AgentAbi>,
  parameters extends AgentTarget & WriteParameters & { reasoning: StoredReasoning },
  const args extends LeadingArguments<name>,
>(definition: {
  functionName: name
  event: event
  /** The arguments before hash and URI of the record. */
  args: (parameters: parameters) => args
}): WriteAction<
  parameters,
  ContractFunctionReturnType<AgentAbi, 'nonpayable' | 'payable', name>,
  Confirmed<AgentAbi, event>
> {
  const agent = ({ agent }: parameters) => agent
  return defineWrite({
    ...{ abi: agentAbi, eventAbi: agentAbi, contract: agent, emitter: agent },
    ...{ functionName: definition.functionName, event: definition.event },
    // the tuple without its end and the end again: equal to the whole, which the compiler cannot see for a name
    args: (parameters: parameters) =>
      [
        ...definition.args(parameters),
        parameters.reasoning.reasoningHash,
        parameters.reasoning.reasoningURI,
      ] as unknown as ContractFunctionArgs<AgentAbi, 'nonpayable' | 'payable', name>,
    assertCall: ({ agent, reasoning }, call) => assertReasoned(reasoning, { agent, ...call }),
  })
}
