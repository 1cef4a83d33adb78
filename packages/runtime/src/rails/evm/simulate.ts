import {
  type DecodedEvmTransfer,
  decodeEvmUnsigned,
  documentSchema,
  refOf,
  SEPOLIA_CHAIN_ID,
  seal,
  simulationShape,
  TRANSFER_GAS,
  U64_MAX,
} from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { readPlan, refuseUnreadable } from '../adapter/requests.ts'
import { RpcAnswerError, readFromAny } from '../endpoint/index.ts'
import { type EvmContext, type SurveyedNode, surveyNodes } from './context.ts'

/**
 * Tries the planned transfer on the newest state. Refuses it (RailRefusalError) when the wallet cannot pay for the most that
 * it can cost, its nonce is taken, the base fee is above its cap, or it would take more than a plain transfer's gas, which
 * is what a contract as recipient does. Balances above 2^64-1 wei are given as 2^64-1.
 */
export async function simulateEvm(
  context: EvmContext,
  planText: string,
  unsigned: Uint8Array,
  sink: PushSink,
): Promise<void> {
  const plan = readPlan('evm', planText, unsigned)
  const transfer = refuseUnreadable('unsigned transaction', () => decodeEvmUnsigned(unsigned))
  const { recipient, amount_atomic: amount } = plan.document
  if (transfer.chainId !== SEPOLIA_CHAIN_ID || transfer.to !== recipient || transfer.value !== amount)
    throw new RailRefusalError('unsigned transaction: not the transfer of the plan on Sepolia')
  const surveyed = await surveyNodes(context)
  const { feeAtomic, balanceAtomic } = await readFromAny(surveyed, (on) => tryTransfer(context, on, transfer))
  const before = lesserOf(balanceAtomic, U64_MAX)
  const simulation = seal('simulation', simulationShape, {
    schema: documentSchema('simulation'),
    plan: refOf(plan),
    success: true,
    fee_atomic: feeAtomic,
    balance_before_atomic: before,
    balance_after_atomic: before - amount - feeAtomic,
    allowance_atomic: 0n,
    units: TRANSFER_GAS,
    expires_at_ms: plan.document.expires_at_ms,
  })
  sink.push(simulation.bytes)
}

type Trial = { readonly feeAtomic: bigint; readonly balanceAtomic: bigint }

async function tryTransfer(
  { account }: EvmContext,
  { node, head }: SurveyedNode,
  { to, value, nonce, maxFeePerGas, maxPriorityFeePerGas, gasLimit }: DecodedEvmTransfer,
): Promise<Trial> {
  const [gas, settled, pending, sent] = await Promise.all([
    estimate(node.estimateGas({ from: account, to, value })),
    node.getBalance(account, 'latest'),
    node.getBalance(account, 'pending'),
    node.getNonce(account, 'latest'),
  ])
  const balanceAtomic = lesserOf(settled, pending)
  const highest = value + maxFeePerGas * gasLimit
  if (balanceAtomic < highest)
    throw new RailRefusalError(`wallet: has ${balanceAtomic} wei, expected the ${highest} that the payment can cost`)
  if (sent > nonce) throw new RailRefusalError(`nonce: ${nonce} is taken, the next one is ${sent}`)
  if (head.baseFeePerGas > maxFeePerGas)
    throw new RailRefusalError(`base fee: ${head.baseFeePerGas} wei per gas, expected at most ${maxFeePerGas}`)
  if (gas > gasLimit) throw new RailRefusalError(`gas: takes ${gas}, expected at most ${gasLimit}`)
  const asked = head.baseFeePerGas + maxPriorityFeePerGas
  return { balanceAtomic, feeAtomic: lesserOf(asked, maxFeePerGas) * gasLimit }
}

function lesserOf(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

/** Reverted (EIP-1474: 3), and the codes under which nodes refuse a call that cannot work: -32000 (geth), -32003 (EIP-1474). */
const FAILING_CODES: readonly bigint[] = [3n, -32000n, -32003n]

async function estimate(call: Promise<bigint>): Promise<bigint> {
  try {
    return await call
  } catch (cause) {
    if (!(cause instanceof RpcAnswerError) || !FAILING_CODES.includes(cause.code)) throw cause
    throw new RailRefusalError(`transfer: would fail: ${cause.nodeMessage}`, { cause })
  }
}
