import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { agentAbi } from '../abi/index.ts'
import { type FunctionSignature, parseSignature, readArguments, writeArguments } from '../call-data/index.ts'
import { type Keccak256Digest, keccak256, parseKeccak256Digest } from '../digest/index.ts'
import { ReasonedCallError } from './errors.ts'

/** An agent action as its call data says. */
export type ReasonedCall = {
  /** Name of the function, e.g. `settleMint`. */
  readonly action: string
  /** `0x` and eight lower-case digits. */
  readonly selector: `0x${string}`
  /** keccak256 of the selector and the arguments without the two of the reasoning; see {@link readReasonedCall}. */
  readonly callHash: Keccak256Digest
  readonly reasoningHash: Keccak256Digest
  readonly reasoningURI: string
}

/** Where the two arguments of the reasoning stand: last. Source: ERC-8406 §4. */
const REASONING_ARGUMENTS = 2

function isReasoned({ parameters }: FunctionSignature): boolean {
  const [hash, uri] = parameters.slice(-REASONING_ARGUMENTS)
  return parameters.length >= REASONING_ARGUMENTS && hash?.type.text === 'bytes32' && uri?.type.text === 'string'
}

/** The actions of our Agents, by selector. */
const ACTIONS: ReadonlyMap<string, FunctionSignature> = new Map(
  agentAbi
    .filter((item) => item.type === 'function')
    .filter(({ inputs }) => inputs.at(-2)?.type === 'bytes32' && inputs.at(-1)?.type === 'string')
    .map(({ name, inputs }) => parseSignature(`${name}(${inputs.map(({ type }) => type).join(',')})`))
    .map((signature) => [signature.selector, signature]),
)

/** Names of the agent actions that carry reasoning. */
export const REASONED_ACTIONS: readonly string[] = [...ACTIONS.values()].map(({ name }) => name)

/**
 * Reads the call data of an agent action. A record cannot contain a hash of itself, so `callHash` is keccak256 of
 * `selector || abi.encode(all arguments but the last two)`; the last two are reasoningHash and reasoningURI. The same hash
 * is got for call data that still has zero and an empty text in their place, so this also serves to build a record.
 * @param callData `0x` and hexadecimal
 * @param signature of an action that our Agents do not have; its last two parameters must be `bytes32` and `string`
 * @throws ReasonedCallError for anything else
 */
export function readReasonedCall(callData: string, signature?: string): ReasonedCall {
  const selector = callData.slice(0, 10).toLowerCase() as `0x${string}`
  const fail = (problem: string): never => {
    throw new ReasonedCallError(selector, problem)
  }
  if (!/^0x(?:[0-9a-fA-F]{2}){4,}$/.test(callData))
    return fail('the call data is not hexadecimal of four bytes or more')
  const action = signature === undefined ? ACTIONS.get(selector) : parseSignature(signature)
  if (action === undefined || action.selector !== selector || !isReasoned(action))
    return fail('this is no action that ends with bytes32 reasoningHash and string reasoningURI')
  const data = hexToBytes(callData.slice(2))
  const args = readArguments(data.subarray(4), action.parameters)
  const [hash, uri] = args?.slice(-REASONING_ARGUMENTS) ?? []
  if (args === undefined || hash === undefined || uri === undefined)
    return fail('the arguments are not encoded as the signature says')
  const bound = writeArguments(args.slice(0, -REASONING_ARGUMENTS), action.parameters.slice(0, -REASONING_ARGUMENTS))
  const uriBytes = new DataView(uri.buffer, uri.byteOffset).getUint32(28)
  return {
    action: action.name,
    selector,
    callHash: keccak256(concatBytes(data.subarray(0, 4), bound)),
    reasoningHash: parseKeccak256Digest(`0x${bytesToHex(hash)}`),
    reasoningURI: new TextDecoder().decode(uri.subarray(32, 32 + uriBytes)),
  }
}
