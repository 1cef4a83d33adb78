import { acceptTokenOut, type ScopeVerdict } from '@oikos/core/scope-policy'
import { type Address, type Client, type Hex, isAddressEqual, size, slice, toFunctionSelector } from 'viem'
import { getCode } from 'viem/actions'
import { toOikosError } from '../../errors/to-oikos-error.ts'
import { getAssetBalance } from '../asset/get-asset-balance.ts'
import { getBlockMoment } from '../block.ts'
import { getScopeVerdict } from '../scope/get-scope-verdict.ts'
import { scopeVerdictReasons } from '../scope/scope-verdict.ts'
import { type AgentSnapshot, getAgent } from './get-agent.ts'
import { isInScope } from './is-in-scope.ts'
import { isInScopeWithAllowance } from './is-in-scope-with-allowance.ts'
import type { AgentReadParameters } from './read-agent.ts'

/** Parameters of {@link judgeCall}. */
export type JudgeAgentCallParameters = AgentReadParameters & {
  target: Address
  valueWei: bigint
  /** `0x` is a plain payment. */
  data: Hex
  /** Accept Token that the target may pull, in smallest units; absent for execute. */
  allowanceAtomic?: bigint
}

/** What no Scope can allow, by its first reason. Source: AgentDispatch.sol, _refusal. */
export type ConstructionRefusal =
  | 'own-contract'
  | 'value-beyond-balance'
  | 'allowance-beyond-free'
  | 'payment-to-accept-token'
  | 'allowance-without-call'
  | 'no-selector'
  | 'no-code'
  | 'accept-token-call'
  | 'transfer-beyond-free'

/** Whether an Agent would make a call now, and if not why, in words. */
export type CallJudgment =
  | { readonly isAllowed: true; readonly blockNumber: bigint }
  | {
      readonly isAllowed: false
      readonly blockNumber: bigint
      readonly refusedBy: 'pause' | 'construction' | 'scope' | 'unknown'
      /** A {@link ConstructionRefusal}, a ScopeVerdict, `paused`, or `unknown`. */
      readonly code: ConstructionRefusal | ScopeVerdict | 'paused' | 'unknown'
      /** A sentence. */
      readonly reason: string
    }

/** A hook registered here could make claims fail. Source: AgentDispatch.sol, ERC1820_REGISTRY. */
const ERC1820_REGISTRY: Address = '0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24'
const TRANSFER = toFunctionSelector('transfer(address,uint256)')
/** Selector, recipient, amount. */
const TRANSFER_BYTES = 68

const refusals: Readonly<Record<ConstructionRefusal, string>> = {
  'own-contract': 'The Agent never calls itself, its Scope, its factory or the ERC-1820 registry.',
  'value-beyond-balance': 'The Agent does not hold that much native currency.',
  'allowance-beyond-free': 'The allowance is more than the Accept Token that the Agent has above its reserve.',
  'payment-to-accept-token': 'The Accept Token takes no plain payment.',
  'allowance-without-call': 'An allowance makes no sense without a call.',
  'no-selector': 'Call data of one to three bytes names no function.',
  'no-code': 'There is no contract at the target, which can take a plain payment only.',
  'accept-token-call':
    'On the Accept Token an Agent calls transfer only, with exactly its two arguments, without value and allowance.',
  'transfer-beyond-free': 'The transfer is more than the Accept Token that the Agent has above its reserve.',
}

/**
 * A dry run of execute or executeWithAllowance. The contract decides (isInScope); the reason is found by the same steps in
 * the same order, all at one block.
 * @throws ContractRevertedError, NoContractError, WrongChainError, RpcError
 */
export async function judgeAgentCall(client: Client, parameters: JudgeAgentCallParameters): Promise<CallJudgment> {
  const { agent, target, valueWei, data, allowanceAtomic } = parameters
  const { number: blockNumber } = await getBlockMoment(client, parameters.blockNumber)
  const at = { ...parameters, blockNumber }
  const isAllowed = await (allowanceAtomic === undefined
    ? isInScope(client, at)
    : isInScopeWithAllowance(client, { ...at, allowanceAtomic }))
  if (isAllowed) return { isAllowed, blockNumber }
  const [snapshot, nativeWei, hasCode] = await Promise.all([
    getAgent(client, at),
    getAssetBalance(client, { ...at, asset: '0x0000000000000000000000000000000000000000', account: agent }),
    codeExists(client, target, blockNumber),
  ])
  if (snapshot.books.isPaused) {
    const reason = 'The Agent is paused: it makes no calls until its Owner ends that.'
    return { isAllowed, blockNumber, refusedBy: 'pause', code: 'paused', reason }
  }
  const code = findRefusal(snapshot, { target, valueWei, data, allowanceAtomic }, nativeWei, hasCode)
  if (code !== undefined) {
    return { isAllowed, blockNumber, refusedBy: 'construction', code, reason: refusals[code] }
  }
  const { acceptToken } = snapshot.books
  const tokenOutAtomic = acceptTokenOut({ target, data, token: acceptToken, allowance: allowanceAtomic ?? 0n })
  const verdict = await getScopeVerdict(client, { ...at, scope: snapshot.scope, acceptToken, tokenOutAtomic })
  if (verdict !== 'Allowed') {
    const reason = `The Scope refuses the call because ${scopeVerdictReasons[verdict]}.`
    return { isAllowed, blockNumber, refusedBy: 'scope', code: verdict, reason }
  }
  const reason = 'The Agent refuses the call for a reason that is not known here.'
  return { isAllowed, blockNumber, refusedBy: 'unknown', code: 'unknown', reason }
}

function findRefusal(
  { agent, scope, factory, books }: AgentSnapshot,
  call: { target: Address; valueWei: bigint; data: Hex; allowanceAtomic: bigint | undefined },
  nativeWei: bigint,
  hasCode: boolean,
): ConstructionRefusal | undefined {
  const { target, valueWei, data, allowanceAtomic = 0n } = call
  const is = (address: Address): boolean => isAddressEqual(target, address)
  if ([agent, scope, factory, ERC1820_REGISTRY].some(is)) return 'own-contract'
  if (valueWei > nativeWei) return 'value-beyond-balance'
  if (allowanceAtomic > books.freeAtomic) return 'allowance-beyond-free'
  if (size(data) === 0) {
    if (is(books.acceptToken)) return 'payment-to-accept-token'
    return allowanceAtomic === 0n ? undefined : 'allowance-without-call'
  }
  if (size(data) < 4) return 'no-selector'
  if (!hasCode) return 'no-code'
  if (!is(books.acceptToken)) return undefined
  const isTransfer = size(data) === TRANSFER_BYTES && slice(data, 0, 4).toLowerCase() === TRANSFER
  if (!isTransfer || valueWei !== 0n || allowanceAtomic !== 0n) return 'accept-token-call'
  return BigInt(slice(data, 36)) > books.freeAtomic ? 'transfer-beyond-free' : undefined
}

async function codeExists(client: Client, address: Address, blockNumber: bigint): Promise<boolean> {
  try {
    const code = await getCode(client, { address, blockNumber })
    return code !== undefined && code !== '0x'
  } catch (error) {
    throw toOikosError(error)
  }
}
