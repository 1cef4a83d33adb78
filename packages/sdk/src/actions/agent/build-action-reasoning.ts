import { agentAbi } from '@oikos/core/abi'
import { type BuiltReasoning, buildReasoning, type ReasoningInput, readReasonedCall } from '@oikos/core/reasoning'
import {
  type Address,
  bytesToHex,
  type ContractFunctionArgs,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hash,
  zeroHash,
} from 'viem'

/** The actions of an Agent that cite a record. */
export type ReasonedAction =
  | 'settleMint'
  | 'settleRedeem'
  | 'settleMintBatch'
  | 'settleRedeemBatch'
  | 'decline'
  | 'execute'
  | 'executeWithAllowance'

/** Arguments of an action before the two of its record. */
export type LeadingArguments<action extends ReasonedAction> =
  ContractFunctionArgs<typeof agentAbi, 'nonpayable', action> extends readonly [...infer leading, unknown, unknown]
    ? readonly [...leading]
    : never

/** Parameters of {@link buildActionReasoning}. */
export type BuildActionReasoningParameters<action extends ReasonedAction> = {
  chainId: number
  agent: Address
  /** Name of the function. */
  action: action
  /** Its arguments, in the order of the contract, without reasoningHash and reasoningURI. */
  args: LeadingArguments<action>
  claims: ReasoningInput['claims']
  links?: ReasoningInput['links']
  /** 32 bytes that no other record of this Agent has. Default: random. */
  nonce?: Hash
}

/**
 * Builds the record of one agent action, bound to chain, Agent, action, call data and a nonce. storeReasoning makes of it
 * what the action cites. Source: ERC-8406, section 6.2.
 * @throws ReasoningRecordError for claims or links that break the schema or the limits
 */
export function buildActionReasoning<action extends ReasonedAction>(
  parameters: BuildActionReasoningParameters<action>,
): BuiltReasoning {
  const { chainId, agent, action, claims, links } = parameters
  const args = [...parameters.args, zeroHash, '']
  const call = { abi: agentAbi, functionName: action, args } as unknown as EncodeFunctionDataParameters
  const { callHash } = readReasonedCall(encodeFunctionData(call))
  const nonce = parameters.nonce ?? bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  return buildReasoning({
    binding: { chainId: BigInt(chainId), agent, action, callHash, nonce },
    claims,
    ...(links === undefined ? {} : { links }),
  })
}
