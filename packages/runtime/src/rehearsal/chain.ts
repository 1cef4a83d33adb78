import { keccak256 } from '@oikos/core'
import {
  type ChainSnapshot,
  documentSchema,
  type EvmAddress,
  isEvmAddress,
  isTransactionId,
  parsePlan,
  type Reconciliation,
  receiptShape,
  reconciliationShape,
  refOf,
  seal,
  signedDigest,
  simulationShape,
  snapshotShape,
  TRANSFER_GAS,
  type TransactionId,
  utf8,
} from '@oikos/core/economic'
import type { RailAdapter } from '../economic/host.ts'

/** How long what this chain says is valid, milliseconds. */
const VALIDITY_MS = 120_000n
const BASE_FEE_PER_GAS = 7n
const PRIORITY_FEE_PER_GAS = 1n
/** Enough for every amount that a policy can allow, wei. */
const BALANCE_ATOMIC = 2_000_000_000_000_000_000n

/** A chain that exists in memory only, encoded as Sepolia. It accepts every transaction once and confirms it at once. */
export type RehearsalChain = {
  readonly rail: RailAdapter
  /** Ids of all transactions that were broadcast, in order; an id that comes twice was broadcast twice. */
  readonly broadcasts: readonly TransactionId[]
}

/** What a chain starts from. */
export type RehearsalChainOptions = {
  /** The clock of the chain, milliseconds since 1970. */
  readonly clockMs: () => bigint
  /** Transactions that it accepted before. */
  readonly accepted?: readonly string[]
  /** The account that pays. */
  readonly from?: string
}

/** Makes a chain. Nothing on it has value: its transactions carry a placeholder in place of a signature. */
export function createRehearsalChain(options: RehearsalChainOptions): RehearsalChain {
  const { clockMs, from = `0x${'22'.repeat(20)}` } = options
  if (!isEvmAddress(from)) throw new TypeError(`rehearsal chain: got account ${from}, expected 0x and 40 digits`)
  const earlier = (options.accepted ?? []).filter((id): id is TransactionId => isTransactionId('evm', id))
  const broadcasts: TransactionId[] = [...earlier]
  const heights = new Map(earlier.map((id, index) => [id, BigInt(index) + 1n]))

  return {
    broadcasts,
    rail: {
      snapshot: async (_intent, sink) => {
        sink.push(utf8(seal('snapshot', snapshotShape, snapshotAt(clockMs(), from, broadcasts.length)).text))
        return 'succeeded'
      },
      simulate: async (planText, _unsigned, sink) => {
        const plan = parsePlan(utf8(planText))
        const feeAtomic = (BASE_FEE_PER_GAS + PRIORITY_FEE_PER_GAS) * TRANSFER_GAS
        const simulation = seal('simulation', simulationShape, {
          schema: documentSchema('simulation'),
          plan: refOf(plan),
          success: true,
          fee_atomic: feeAtomic,
          balance_before_atomic: BALANCE_ATOMIC,
          balance_after_atomic: BALANCE_ATOMIC - plan.document.amount_atomic - feeAtomic,
          allowance_atomic: 0n,
          units: TRANSFER_GAS,
          expires_at_ms: plan.document.expires_at_ms,
        })
        sink.push(simulation.bytes)
        return 'succeeded'
      },
      broadcast: async (signed, sink) => {
        const id: string = keccak256(signed)
        if (!isTransactionId('evm', id)) return 'definitely_not_started'
        broadcasts.push(id)
        heights.set(id, BigInt(broadcasts.length))
        const receipt = seal('broadcast', receiptShape, {
          schema: documentSchema('broadcast'),
          rail: 'evm',
          network: 'sepolia',
          signed_transaction_digest: signedDigest(signed),
          transaction_id: id,
          disposition: 'accepted',
          observed_at_ms: clockMs(),
        })
        sink.push(receipt.bytes)
        return 'succeeded'
      },
      reconcile: async (id, sink) => {
        if (!isTransactionId('evm', id)) return 'definitely_not_started'
        const height = heights.get(id)
        sink.push(seal('reconciliation', reconciliationShape, observationOf(id, height, clockMs())).bytes)
        return 'succeeded'
      },
    },
  }
}

function snapshotAt(nowMs: bigint, from: EvmAddress, nonce: number): ChainSnapshot {
  return {
    schema: documentSchema('snapshot'),
    rail: 'evm',
    network: 'sepolia',
    observed_at_ms: nowMs,
    expires_at_ms: nowMs + VALIDITY_MS,
    state: {
      chain_id: 11_155_111n,
      from,
      nonce: BigInt(nonce),
      base_fee_per_gas: BASE_FEE_PER_GAS,
      max_priority_fee_per_gas: PRIORITY_FEE_PER_GAS,
      gas_limit: TRANSFER_GAS,
    },
  }
}

/** A transaction that was never broadcast here has no height and counts as dropped. */
function observationOf(id: TransactionId, height: bigint | undefined, nowMs: bigint): Reconciliation {
  const head = {
    schema: documentSchema('reconciliation'),
    rail: 'evm',
    network: 'sepolia',
    transaction_id: id,
    observed_at_ms: nowMs,
  } as const
  if (height === undefined)
    return { ...head, status: 'dropped', observed_height: null, confirmations: null, canonical_block_id: null }
  return {
    ...head,
    status: 'confirmed',
    observed_height: height,
    confirmations: 1n,
    canonical_block_id: `block ${height}`,
  }
}
