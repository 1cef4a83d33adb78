import { agentAbi, taskTokenAbi } from '@oikos/core/abi'
import { nativeAsset } from '@oikos/sdk'
import {
  type AbiFunction,
  type AbiParameter,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  getAddress,
  type Hex,
  isAddress,
  isHex,
  parseAbiItem,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import type { AgentView } from '../../chain/open-agent.ts'
import type { OptionSpec } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { parseAssetAmount } from '../../input/asset.ts'
import type { Input } from '../../input/input.ts'
import { plain } from '../../output/plain.ts'

/** A call that an Agent is to make. */
export type AgentCall = {
  readonly target: Address
  readonly valueWei: bigint
  readonly data: Hex
  /** Accept Token that the target may pull during the call. */
  readonly allowanceAtomic: bigint | undefined
  /** The call in words: `deposit(assets 50000000, receiver the agent)`. */
  readonly text: string
}

/** A call as options. */
export const CALL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--call <signature>', text: 'function, such as "deposit(uint256 assets, address receiver)"' },
  {
    flags: '--arg <value>',
    text: 'its arguments in order, repeated: numbers, "50 USDC", addresses, key names, "the agent", JSON for lists',
    many: true,
  },
  { flags: '--data <hex>', text: 'instead of --call: the call data' },
  { flags: '--value <amount>', text: 'native currency of the Agent that goes with it: "0.1 ETH"' },
  { flags: '--allow <amount>', text: 'Accept Token that the target may pull during the call, and no longer' },
]

/** Longest call data that is taken, in bytes. */
const MAX_DATA_BYTES = 65_536

/** Functions that call data is tried on when no signature is given. */
const KNOWN_ABIS = [erc20Abi, erc4626Abi, taskTokenAbi, agentAbi] as const

/**
 * Reads a call. Without --call and --data it is a plain payment.
 * @throws UsageError, AmountFormatError, NotFoundError for an unknown key
 */
export async function readCall(
  context: Context,
  input: Input,
  view: AgentView,
  targetText: string,
): Promise<AgentCall> {
  const target = await parseAddress(context, targetText, 'target')
  const [signature, raw] = [input.text('call'), input.text('data')]
  const args = input.list('arg')
  if (signature !== undefined && raw !== undefined) {
    throw new UsageError('Both --call and --data are given.', 'Give one.')
  }
  if (signature === undefined && args.length > 0) {
    throw new UsageError('--arg needs --call.', 'Give the function with --call.')
  }
  const value = input.text('value')
  const allow = input.text('allow')
  const common = {
    target,
    valueWei: value === undefined ? 0n : parseAssetAmount(context, value, nativeAsset),
    allowanceAtomic: allow === undefined ? undefined : parseAssetAmount(context, allow, view.asset),
  }
  if (signature !== undefined) return { ...common, ...(await encodeCall(context, view, signature, args)) }
  if (raw === undefined) return { ...common, data: '0x', text: 'a plain payment' }
  const data = raw.toLowerCase()
  if (!isHex(data) || data.length % 2 !== 0 || data.length > 2 + 2 * MAX_DATA_BYTES) {
    throw new UsageError(
      '--data is no call data.',
      `Give 0x and whole bytes in hexadecimal, at most ${MAX_DATA_BYTES} of them.`,
    )
  }
  return { ...common, data, text: describeData(data, view) }
}

/** Signatures of the functions that call data is tried on, by which a Scope is written with names. */
export const KNOWN_SIGNATURES: readonly string[] = KNOWN_ABIS.flatMap((abi) =>
  (abi as readonly { type: string }[])
    .filter((item): item is AbiFunction => item.type === 'function')
    .filter(({ stateMutability }) => stateMutability === 'nonpayable' || stateMutability === 'payable')
    .map(({ name, inputs }) => `${name}(${inputs.map(parameterText).join(',')})`),
)

function parameterText(parameter: AbiParameter): string {
  const { type, name = '' } = parameter
  const shape =
    'components' in parameter && type.startsWith('tuple')
      ? `(${parameter.components.map(parameterText).join(',')})${type.slice('tuple'.length)}`
      : type
  return name === '' ? shape : `${shape} ${name}`
}

async function encodeCall(
  context: Context,
  view: AgentView,
  signature: string,
  args: readonly string[],
): Promise<Pick<AgentCall, 'data' | 'text'>> {
  const item = parseSignature(signature)
  if (item.inputs.length !== args.length) {
    throw new UsageError(
      `${toFunctionSignature(item)} takes ${item.inputs.length} arguments; ${args.length} are given.`,
      'Give each with --arg, in order.',
    )
  }
  const values: unknown[] = []
  for (const [index, parameter] of item.inputs.entries()) {
    values.push(await parseArgument(context, view, parameter, args[index] ?? ''))
  }
  try {
    const data = encodeFunctionData({ abi: [item], functionName: item.name, args: values })
    return { data, text: callText(item, values, view) }
  } catch (cause) {
    throw new UsageError(`The arguments do not fit ${toFunctionSignature(item)}.`, 'Check them against its types.', {
      cause,
    })
  }
}

function parseSignature(signature: string): AbiFunction {
  const text = signature.trim().replace(/^function\s+/, '')
  try {
    const item = parseAbiItem(`function ${text}`) as AbiFunction
    if (item.type === 'function') return item
  } catch (cause) {
    throw new UsageError(
      `--call: ${JSON.stringify(signature.slice(0, 120))} is no function signature.`,
      'Write it like "deposit(uint256 assets, address receiver)".',
      { cause },
    )
  }
  throw new UsageError('--call names no function.', 'Write it like "deposit(uint256 assets, address receiver)".')
}

async function parseArgument(
  context: Context,
  view: AgentView,
  { type, name = '' }: AbiParameter,
  text: string,
): Promise<unknown> {
  const isAgent = /^the agent$/i.test(text.trim())
  const what = `--arg ${name === '' ? type : name}`
  const fail = (cause?: unknown): never => {
    throw new UsageError(`${what}: ${JSON.stringify(text.slice(0, 80))} is no ${type}.`, 'Check the argument.', {
      cause,
    })
  }
  if (type === 'address') return isAgent ? view.agent : parseAddress(context, text, what)
  if (type === 'bool') return text === 'true' ? true : text === 'false' ? false : fail()
  if (type === 'string') return text
  if (/^u?int[0-9]*$/.test(type)) {
    if (/^-?[0-9]{1,78}$/.test(text.trim())) return BigInt(text.trim())
    return type.startsWith('uint') && /\s/.test(text.trim()) ? parseAssetAmount(context, text, view.asset) : fail()
  }
  if (/^bytes[0-9]*$/.test(type)) return isHex(text) && text.length % 2 === 0 ? text : fail()
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' && /^[0-9]{1,78}$/.test(value) ? BigInt(value) : value,
    ) as unknown
  } catch (cause) {
    return fail(cause)
  }
}

function describeData(data: Hex, view: AgentView): string {
  if (data === '0x') return 'a plain payment'
  for (const abi of KNOWN_ABIS) {
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data })
      const selector = data.slice(0, 10)
      const item = (abi as readonly { type: string }[]).find(
        (entry): entry is AbiFunction =>
          entry.type === 'function' && toFunctionSelector(entry as AbiFunction) === selector,
      )
      if (item !== undefined && item.name === functionName) return callText(item, args as readonly unknown[], view)
    } catch {
      // not a function of this interface; the next is tried
    }
  }
  return `function ${data.slice(0, 10)} with ${data.length / 2 - 5} bytes of arguments, which is not known here`
}

/** The call with the names of its parameters. */
function callText({ name, inputs }: AbiFunction, values: readonly unknown[], view: AgentView): string {
  const parts = inputs.map((input, index) => `${input.name ? `${input.name} ` : ''}${valueText(values[index], view)}`)
  return `${name}(${parts.join(', ')})`
}

function valueText(value: unknown, view: AgentView): string {
  if (typeof value === 'string' && isAddress(value, { strict: false })) {
    return getAddress(value) === view.agent ? 'the agent' : getAddress(value)
  }
  const text =
    typeof value === 'object' ? JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}` : v)) : String(value)
  return plain(text)
}
