import {
  type ChainSnapshot,
  type DocumentDigest,
  documentSchema,
  SEPOLIA_CHAIN_ID,
  seal,
  snapshotShape,
  TRANSFER_GAS,
} from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { claimFor } from '../adapter/claim.ts'
import { readIntent } from '../adapter/requests.ts'
import { type EvmContext, nextNonce, surveyNodes } from './context.ts'

/**
 * Observes the chain for an intent. The node that is furthest gives the fees; the nonce is the highest that any node knows,
 * so that one that is behind, or has not heard of what waits, does not make two payments take one place.
 */
export async function snapshotEvm(context: EvmContext, intentText: string, sink: PushSink): Promise<void> {
  const { account, clockMs, priorityFeePerGas, validityMs } = context
  const intent = readIntent('evm', intentText)
  const surveyed = await surveyNodes(context)
  const nodes = surveyed.map(({ node }) => node)
  const [best] = surveyed
  if (best === undefined) throw new TypeError('a survey without answers')
  const [nonce, suggested] = await Promise.all([
    nextNonce(nodes, account),
    priorityFeePerGas ?? best.node.getPriorityFee(),
  ])
  const priorityFee = await distinctFee(context, nonce, suggested, intent.digest)
  const observedAtMs = clockMs()
  requireYoung(context, best.head.timestampSec, observedAtMs)
  const snapshot: ChainSnapshot = {
    schema: documentSchema('snapshot'),
    rail: 'evm',
    network: 'sepolia',
    observed_at_ms: observedAtMs,
    expires_at_ms: observedAtMs + validityMs,
    state: {
      chain_id: SEPOLIA_CHAIN_ID,
      from: account,
      nonce,
      base_fee_per_gas: best.head.baseFeePerGas,
      max_priority_fee_per_gas: priorityFee,
      gas_limit: TRANSFER_GAS,
    },
  }
  sink.push(seal('snapshot', snapshotShape, snapshot).bytes)
}

/** Payments of one nonce that are told apart; all but one of them are in vain. */
const MAX_RIVALS = 10_000n

/**
 * The lowest fee from the suggested one that no other payment has together with this nonce. Two payments that were equal in
 * all that a transaction holds would be one transaction: it would pay once, and confirm both.
 */
async function distinctFee(
  { account, sent }: EvmContext,
  nonce: bigint,
  suggested: bigint,
  intentDigest: DocumentDigest<'intent'>,
): Promise<bigint> {
  for (let fee = suggested; fee < suggested + MAX_RIVALS; fee += 1n)
    if (await claimFor(sent, `${account} ${nonce} ${fee}`, intentDigest)) return fee
  throw new RailRefusalError(
    `nonce: ${MAX_RIVALS} payments were planned with ${nonce}; send one of them, or use another wallet`,
  )
}

function requireYoung({ maxHeadAgeMs }: EvmContext, timestampSec: bigint, nowMs: bigint): void {
  if (maxHeadAgeMs === undefined) return
  const ageMs = nowMs - timestampSec * 1000n
  if (ageMs > maxHeadAgeMs)
    throw new RailRefusalError(
      `head: ${ageMs} ms old, expected at most ${maxHeadAgeMs}; every node that answers is behind, or the chain stands still`,
    )
}
