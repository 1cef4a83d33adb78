import {
  type ChainSnapshot,
  documentSchema,
  SEPOLIA_CHAIN_ID,
  seal,
  snapshotShape,
  TRANSFER_GAS,
} from '@oikos/core/economic'
import type { PushSink } from '../../economic/host.ts'
import { RailRefusalError } from '../adapter/call.ts'
import { readIntent } from '../adapter/requests.ts'
import { type EvmContext, nextNonce, surveyNodes } from './context.ts'

/**
 * Observes the chain for an intent. The node that is furthest gives the fees; the nonce is the highest that any node knows,
 * so that one that is behind, or has not heard of what waits, does not make two payments take one place.
 */
export async function snapshotEvm(context: EvmContext, intentText: string, sink: PushSink): Promise<void> {
  const { account, clockMs, priorityFeePerGas, validityMs } = context
  readIntent('evm', intentText)
  const surveyed = await surveyNodes(context)
  const nodes = surveyed.map(({ node }) => node)
  const [best] = surveyed
  if (best === undefined) throw new TypeError('a survey without answers')
  const [nonce, suggested] = await Promise.all([
    nextNonce(nodes, account),
    priorityFeePerGas ?? best.node.getPriorityFee(),
  ])
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
      max_priority_fee_per_gas: suggested,
      gas_limit: TRANSFER_GAS,
    },
  }
  sink.push(seal('snapshot', snapshotShape, snapshot).bytes)
}

function requireYoung({ maxHeadAgeMs }: EvmContext, timestampSec: bigint, nowMs: bigint): void {
  if (maxHeadAgeMs === undefined) return
  const ageMs = nowMs - timestampSec * 1000n
  if (ageMs > maxHeadAgeMs)
    throw new RailRefusalError(
      `head: ${ageMs} ms old, expected at most ${maxHeadAgeMs}; every node that answers is behind, or the chain stands still`,
    )
}
