import { agentAbi } from '@oikos/core/abi'
import type { BuiltReasoning, ReasoningClaims, ReasoningInput } from '@oikos/core/reasoning'
import { buildActionReasoning, type ReasonedAction } from '@oikos/sdk'
import {
  type Address,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  stringToHex,
} from 'viem'
import type { ActionKind, ActionPlan, CitedReasoning } from '../action.ts'

/** A call of the Agent that cites a record. `args` are those of the contract without hash and URI of the record. */
type ReasonedCall = {
  readonly form: 'reasoned'
  readonly action: ReasonedAction
  readonly args: readonly unknown[]
  readonly claims: ReasoningClaims
  /** When it was decided, so that an operator whose database was lost does not use the nonce of a record again. */
  readonly decidedAtMs: bigint
  readonly links?: NonNullable<ReasoningInput['links']>
}

/** A call that anyone may make, which cites nothing. */
type PlainCall = { readonly form: 'plain'; readonly to: Address; readonly data: Hex }

/** Something to be done, fixed by the operator's own code. */
export type Intent = {
  readonly kind: ActionKind
  readonly subject: string
  readonly title: string
  readonly once?: string
  readonly decisionId?: string
  readonly spendAtomic: bigint
  readonly call: ReasonedCall | PlainCall
}

/** An intent with its record and its call data. */
export type PreparedIntent = {
  readonly reasoning: BuiltReasoning | undefined
  readonly plan: ActionPlan
}

/**
 * Makes the record and the call data of an intent. Equal inputs give equal bytes: the nonce of the record follows from the
 * number that the action will have, so an operator that dies before the action is planned writes the same record again.
 * @throws ReasoningRecordError for claims that no record can hold
 */
export function prepareIntent(
  intent: Intent,
  { chainId, agent, number }: { chainId: number; agent: Address; number: bigint },
): PreparedIntent {
  const { call, ...rest } = intent
  if (call.form === 'plain') return { reasoning: undefined, plan: { ...rest, to: call.to, data: call.data } }
  const { action, claims, links, decidedAtMs } = call
  const situation = `${chainId}/${agent.toLowerCase()}/${number}/${decidedAtMs}/${intent.kind}/${intent.subject}`
  const nonce = keccak256(stringToHex(situation))
  const built = buildActionReasoning({
    ...{ chainId, agent, action, claims, nonce },
    args: call.args as never,
    ...(links !== undefined && { links }),
  })
  const { reasoningHash, reasoningURI } = built
  const cited: CitedReasoning = { reasoningHash, reasoningURI }
  const args = [...call.args, reasoningHash, reasoningURI]
  const data = encodeFunctionData({
    abi: agentAbi,
    functionName: action,
    args,
  } as unknown as EncodeFunctionDataParameters)
  return { reasoning: built, plan: { ...rest, to: agent, data, reasoning: cited } }
}
