/**
 * The limits of a policy in their order, with the production maximum of each.
 * Source: Economic Agent v1, "Exact limits, budget, and durable topology". Bytes unless the name says otherwise.
 */
export const PRODUCTION_LIMITS = {
  max_policy_bytes: 1_048_576n,
  max_intent_bytes: 1_048_576n,
  max_invoice_bytes: 1_048_576n,
  max_snapshot_bytes: 1_048_576n,
  max_plan_bytes: 1_048_576n,
  max_simulation_bytes: 1_048_576n,
  max_approval_request_bytes: 1_048_576n,
  max_approval_bytes: 65_536n,
  max_journal_bytes: 8_388_608n,
  max_unsigned_transaction_bytes: 1_048_576n,
  max_signed_transaction_bytes: 2_097_152n,
  max_broadcast_receipt_bytes: 1_048_576n,
  max_reconciliation_bytes: 1_048_576n,
  max_trace_events: 1024n,
  max_trace_bytes: 8_388_608n,
  max_evidence_bytes: 16_777_216n,
  max_builder_bytes: 67_108_864n,
  max_json_depth: 16n,
  max_identifier_bytes: 128n,
  max_memo_bytes: 1024n,
  max_recipients: 128n,
  max_network_policies: 16n,
  max_x402_origins: 32n,
  max_utxos: 100n,
  max_reconciliations: 64n,
  max_elapsed_ms: 600_000n,
  max_amount_atomic: 1_000_000_000_000_000_000n,
  max_fee_atomic: 1_000_000_000_000_000n,
  max_compute_units: 200_000n,
  max_confirmation_target: 144n,
  max_concurrency: 1n,
  max_unexpected_authority_calls: 0n,
} as const

/** Name of a limit. */
export type LimitName = keyof typeof PRODUCTION_LIMITS
/** The 32 limits of a policy. */
export type Limits = { readonly [Name in LimitName]: bigint }
/** Names of the limits in canonical order. */
export const LIMIT_NAMES = Object.keys(PRODUCTION_LIMITS) as readonly LimitName[]
/** The limits that may be zero. */
export const LIMITS_THAT_MAY_BE_ZERO: ReadonlySet<LimitName> = new Set([
  'max_x402_origins',
  'max_unexpected_authority_calls',
])

/** The longest time an intent or a snapshot may be valid, milliseconds. Source: notes, section 3. */
export const MAX_VALIDITY_MS = 600_000n

/** Largest unsigned 64-bit integer: the range of every number in a document. */
export const U64_MAX = 0xffff_ffff_ffff_ffffn
/** Largest unsigned 32-bit integer. */
export const U32_MAX = 0xffff_ffffn

/** The counters of Evidence in canonical order. Source: Economic Agent v1, "Budget keys". */
export const BUDGET_NAMES = [
  'used_policy_bytes',
  'used_intent_bytes',
  'used_invoice_bytes',
  'used_snapshot_bytes',
  'used_plan_bytes',
  'used_simulation_bytes',
  'used_approval_request_bytes',
  'used_approval_bytes',
  'used_journal_bytes',
  'used_unsigned_transaction_bytes',
  'used_signed_transaction_bytes',
  'used_broadcast_receipt_bytes',
  'used_reconciliation_bytes',
  'used_trace_events',
  'used_trace_bytes',
  'used_evidence_bytes',
  'used_builder_bytes',
  'used_recipients',
  'used_network_policies',
  'used_x402_origins',
  'used_utxos',
  'used_reconciliations',
  'used_elapsed_ms',
  'used_concurrency',
  'used_unexpected_authority_calls',
] as const

/** Name of a counter. */
export type BudgetName = (typeof BUDGET_NAMES)[number]
/** The 25 counters of Evidence. */
export type Budget = { readonly [Name in BudgetName]: bigint }
