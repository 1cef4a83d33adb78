import { toOikosError } from '@oikos/sdk'
import { keccak256 } from 'viem'
import { estimateGas, getTransactionCount, sendRawTransaction } from 'viem/actions'
import type { Action, SignedAttempt } from '../action.ts'
import { actionFields, type OperatorContext } from '../context.ts'
import { errorFields } from '../log.ts'
import type { Fence } from '../store/leases.ts'
import { type Fees, quoteFees } from './fees.ts'

/** Why something is not signed now. `isFinal`: it never will be, as it stands. */
export type Hindrance = { readonly code: string; readonly reason: string; readonly isFinal: boolean }

/** Room above what a node estimates, because the state moves: a fifth. */
const GAS_MARGIN = 5n

/** Gas that a call needs, with a margin, or why it cannot be made. */
export async function quoteGas(
  { client, account, settings }: OperatorContext,
  { to, data }: Pick<Action, 'to' | 'data'>,
): Promise<{ readonly gasLimit: bigint } | Hindrance> {
  let estimate: bigint
  try {
    estimate = await estimateGas(client, { account: account.address, to, data })
  } catch (cause) {
    const error = toOikosError(cause, { contract: to, account: account.address })
    if (error.name === 'RpcError' || error.name === 'UnexpectedError') throw error
    const code = 'errorName' in error ? String(error.errorName) : error.name
    return { code: `simulation.${code}`, reason: error.shortMessage, isFinal: true }
  }
  const most = settings.gas.gasLimit
  if (estimate > most)
    return { code: 'gas.limit', reason: `it needs ${estimate} gas, and the ceiling is ${most}`, isFinal: true }
  const gasLimit = estimate + estimate / GAS_MARGIN
  return { gasLimit: gasLimit > most ? most : gasLimit }
}

/**
 * Signs a planned action under the next nonce and keeps the bytes, in this order: kill switch, fees, gas, nonce, signature,
 * database. Nothing is sent. Whatever stands against it leaves the action planned.
 * @returns what stands against it, or undefined when it is signed
 */
export async function signAction(
  context: OperatorContext,
  fence: Fence,
  action: Action,
): Promise<Hindrance | undefined> {
  const { client, account, settings, store, identity } = context
  const quote = await quoteFees(client, settings.gas)
  if (!quote.ok) return { code: 'gas.price', reason: quote.reason, isFinal: false }
  const gas = await quoteGas(context, action)
  if ('code' in gas) return gas
  const chainNonce = BigInt(await getTransactionCount(client, { address: account.address, blockTag: 'latest' }))
  const ownNonce = (await store.actions.getNextNonce(identity.account)) ?? 0n
  const nonce = ownNonce > chainNonce ? ownNonce : chainNonce
  const stopped = await context.killSwitch.findReason()
  if (stopped !== undefined) return { code: 'halted', reason: stopped, isFinal: false }
  const attempt = await signAttempt(context, action, { nonce, number: 1, gasLimit: gas.gasLimit, fees: quote.fees })
  const refusal = await store.actions.sign(fence, action, attempt, { nonce, budget: settings.budget })
  if (refusal === undefined) {
    context.telemetry.countAction(action.kind, 'signed')
    context.log.info({ ...actionFields(action), nonce: nonce.toString(), hash: attempt.hash }, 'signed')
    return undefined
  }
  return { code: refusal, reason: refusalReasons[refusal], isFinal: false }
}

const refusalReasons = {
  halted: 'the Agent is halted',
  'budget.gas': 'the gas of the last 24 hours and this would pass the budget',
  'budget.spend': 'what was spent in the last 24 hours and this would pass the budget',
  'nonce-taken': 'another action of the account was signed in between',
  'not-planned': 'the action is not planned any more',
} as const

/** Signs the call of an action. Nothing but nonce, gas and fees comes from elsewhere. */
export async function signAttempt(
  { account, chainId, clockMs }: OperatorContext,
  { to, data }: Action,
  { nonce, number, gasLimit, fees }: { nonce: bigint; number: number; gasLimit: bigint; fees: Fees },
): Promise<SignedAttempt> {
  const raw = await account.signTransaction({
    ...{ type: 'eip1559', chainId, to, data, value: 0n, nonce: Number(nonce), gas: gasLimit },
    ...{ maxFeePerGas: fees.maxFeePerGasWei, maxPriorityFeePerGas: fees.maxPriorityFeePerGasWei },
  } as const)
  return { hash: keccak256(raw), attempt: number, raw, gasLimit, ...fees, signedAtMs: clockMs(), sentAtMs: undefined }
}

/**
 * Sends the kept bytes of an attempt, once more or for the first time: the same bytes can have one effect only. A node that
 * refuses them is no failure, because the answer may be lost or the transaction known; what became of it, receipts say.
 */
export async function sendAttempt(
  context: OperatorContext,
  fence: Fence,
  action: Action,
  { hash, raw }: SignedAttempt,
): Promise<void> {
  const { client, store, clockMs, log } = context
  try {
    await sendRawTransaction(client, { serializedTransaction: raw })
  } catch (cause) {
    log.warn({ ...actionFields(action), hash, ...errorFields(toOikosError(cause)) }, 'the node did not take the bytes')
    return
  }
  await store.actions.noteSent(fence, action, hash, clockMs())
  log.info({ ...actionFields(action), hash }, 'sent')
}
