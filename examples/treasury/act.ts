import { taskTokenAbi } from '@oikos/core/abi'
import type { ReasoningInput } from '@oikos/core/reasoning'
import {
  type BuildActionReasoningParameters,
  buildActionReasoning,
  executeAndWait,
  executeWithAllowanceAndWait,
  getExchangeRate,
  type ReasonedAction,
  type TaskTarget,
} from '@oikos/sdk'
import { type StoredReasoning, storeReasoning } from '@oikos/sdk/node'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { amount, type Stage, tellTransaction } from '../market/stage.ts'

/** What an action says about itself. */
export type Reason = Pick<ReasoningInput, 'claims' | 'links'>

/** Writes the record of one action, stores it and reads it back. Nothing can be cited that was not stored. */
export async function reasonFor<action extends ReasonedAction>(
  stage: Stage,
  agent: Address,
  action: Pick<BuildActionReasoningParameters<action>, 'action' | 'args'>,
  reason: Reason,
): Promise<StoredReasoning> {
  const built = buildActionReasoning({ chainId: stage.deployment.chainId, agent, ...action, ...reason })
  const stored = await storeReasoning(stage.store, built)
  stage.say.fact('reason', `“${reason.claims.decision}” ${stored.reasoningURI}`)
  return stored
}

/** Lets the Agent call a contract. The operator signs; who the other contract sees is the Agent. */
export async function act(
  stage: Stage,
  agent: Address,
  call: { target: Address; data: Hex; allowanceAtomic?: bigint },
  reason: Reason,
): Promise<{ returnData: Hex }> {
  const { target, data, allowanceAtomic } = call
  const { operator } = stage.client
  if (allowanceAtomic === undefined) {
    const reasoning = await reasonFor(stage, agent, { action: 'execute', args: [target, 0n, data] }, reason)
    const executed = await executeAndWait(operator, { agent, target, valueWei: 0n, data, reasoning })
    tellTransaction(stage, executed)
    return executed.event.args
  }
  const action = { action: 'executeWithAllowance', args: [target, 0n, data, allowanceAtomic] } as const
  const reasoning = await reasonFor(stage, agent, action, reason)
  const parameters = { agent, target, valueWei: 0n, data, allowanceAtomic, reasoning }
  const executed = await executeWithAllowanceAndWait(operator, parameters)
  tellTransaction(stage, executed)
  return executed.event.args
}

/** Delivers to a tender in the name of the Agent, which the tender will pay. Returns the number of the submission. */
export async function deliverAs(
  stage: Stage,
  agent: Address,
  { task, tokenId, resultHash, resultURI }: TaskTarget & { resultHash: Hex; resultURI: string },
  reason: Reason,
): Promise<bigint> {
  const functionName = 'submitFulfillment'
  const data = encodeFunctionData({ abi: taskTokenAbi, functionName, args: [tokenId, resultHash, resultURI] })
  const { returnData } = await act(stage, agent, { target: task, data }, reason)
  return decodeFunctionResult({ abi: taskTokenAbi, functionName, data: returnData })
}

/** Tells what a share is worth now. */
export async function tellRate(stage: Stage, agent: Address): Promise<bigint> {
  const rate = await getExchangeRate(stage.client.stranger, { agent })
  stage.say.fact('rate', `${amount(rate, stage.dollar)} a share`)
  return rate
}
