import type { Asset, Network, Rail } from './catalog.ts'
import { RAIL_NETWORKS } from './catalog.ts'
import { intentRejected, limitExceeded } from './diagnostics.ts'
import type { RunId } from './digest.ts'
import { runIdOf } from './digest.ts'
import type { Payment, PaymentIntent, X402Payment } from './documents/intent.ts'
import { parseIntent } from './documents/intent.ts'
import type { NetworkPolicy, Policy } from './documents/policy.ts'
import { parseJson } from './json.ts'
import type { Limits } from './limits.ts'
import type { RailAddress } from './rails/address.ts'
import { isRailAddress } from './rails/address.ts'
import type { AgentEvidenceRef } from './references.ts'
import type { Sealed } from './sealed.ts'
import { utf8Length } from './text.ts'

/** What every settlement has: the transfer itself, whether or not an invoice stands behind it. */
type SettlementOn<R extends Rail> = {
  readonly rail: R
  readonly network: Network<R>
  readonly asset: Asset<R>
  readonly recipient: RailAddress<R>
  readonly amountAtomic: bigint
  readonly maxFeeAtomic: bigint
}

/** A transfer of ether. Amounts in wei. */
export type EvmSettlement = SettlementOn<'evm'>
/** A transfer of SOL. Amounts in lamports. */
export type SolanaSettlement = SettlementOn<'solana'> & {
  readonly maxComputeUnits: bigint
  readonly maxPriorityFeeAtomic: bigint
}
/** A transfer of bitcoin. Amounts in satoshi, target in blocks. */
export type BitcoinSettlement = SettlementOn<'bitcoin'> & { readonly confirmationTarget: bigint }
/** The transfer that an intent stands for on its rail. */
export type Settlement = EvmSettlement | SolanaSettlement | BitcoinSettlement

/** An intent that its policy allows. */
export type AdmittedIntent = {
  readonly policy: Sealed<'policy', Policy>
  readonly intent: Sealed<'intent', PaymentIntent>
  /** The policy's row for this rail. */
  readonly row: NetworkPolicy
  readonly settlement: Settlement
  /** The x402 part of the intent, or null. */
  readonly x402: X402Payment | null
}

/** What a sealed source run offers. `finalMessage` is undefined when the run did not complete. */
export type SourceRun = { readonly evidence: AgentEvidenceRef; readonly finalMessage: Uint8Array | undefined }

/** An admitted intent together with the source run that proposed it. */
export type Admission = AdmittedIntent & { readonly source: AgentEvidenceRef; readonly runId: RunId }

/** Values that an x402 payment over Solana and over Bitcoin has. Source: notes, section 6, settlement mapping. */
export const X402_SOLANA_COMPUTE_UNITS = 200_000n
const X402_SOLANA_PRIORITY_FEE = 0n
const X402_CONFIRMATION_TARGET = 1n

/**
 * Admits the final message of a source run under a policy. Throws SPX-G212 `agent run not completed`, then the errors of
 * {@link parseIntent} and {@link admitIntent}.
 */
export function admitSourceRun(policy: Sealed<'policy', Policy>, source: SourceRun): Admission {
  if (source.finalMessage === undefined) throw intentRejected('agent run not completed')
  const admitted = admitIntent(policy, parseIntent(source.finalMessage))
  const runId = runIdOf({
    sourceEvidence: source.evidence.digest,
    policy: policy.digest,
    intent: admitted.intent.digest,
    idempotencyKey: admitted.intent.document.idempotency_key,
  })
  return { ...admitted, source: source.evidence, runId }
}

/**
 * Compares an intent with a policy; the first rule that fails decides. Throws SPX-G216 or SPX-G212 in the order of the
 * notes, section 5. No clock is involved: freshness is judged later.
 */
export function admitIntent(policy: Sealed<'policy', Policy>, intent: Sealed<'intent', PaymentIntent>): AdmittedIntent {
  const { limits } = policy.document
  const { document } = intent
  checkSizes(intent, limits)
  if (document.wallet_id !== policy.document.wallet_id)
    throw intentRejected('wallet mismatch', `got ${document.wallet_id}, expected ${policy.document.wallet_id}`)
  for (const text of [document.intent_id, document.wallet_id, document.rail, document.idempotency_key])
    checkIdentifierLength(text, limits)
  if (document.memo !== null && BigInt(utf8Length(document.memo)) > limits.max_memo_bytes)
    throw limitExceeded('memo_bytes', limits.max_memo_bytes)
  const { payment } = document
  const row = findRow(policy.document, payment)
  const settlement = settle(payment, row)
  checkAmounts(payment, row, limits)
  checkRailBounds(settlement, limits)
  if (payment.kind === 'x402') checkOrigin(payment, policy.document)
  return { policy, intent, row, settlement, x402: payment.kind === 'x402' ? payment : null }
}

/** Throws SPX-G216 when a text is longer than the policy lets identifiers be. */
export function checkIdentifierLength(text: string, limits: Limits): void {
  if (BigInt(utf8Length(text)) > limits.max_identifier_bytes)
    throw limitExceeded('identifier_bytes', limits.max_identifier_bytes)
}

function checkSizes(intent: Sealed<'intent', PaymentIntent>, limits: Limits): void {
  if (BigInt(intent.bytes.length) > limits.max_intent_bytes)
    throw limitExceeded('intent_bytes', limits.max_intent_bytes)
  const depth = parseJson(intent.text)?.depth ?? 0
  if (BigInt(depth) > limits.max_json_depth) throw limitExceeded('json_depth', limits.max_json_depth)
}

function findRow(policy: Policy, payment: Payment): NetworkPolicy {
  const rail = payment.kind === 'x402' ? payment.settlement_rail : payment.kind
  const row = policy.network_policies.find(
    (candidate) =>
      candidate.rail === rail && candidate.network === payment.network && candidate.asset === payment.asset,
  )
  if (row === undefined)
    throw intentRejected('rail/network/asset not allowed', `got ${rail}, ${payment.network}, ${payment.asset}`)
  return row
}

/** The transfer of a payment. Throws SPX-G212 when the recipient is not in the row. */
function settle(payment: Payment, row: NetworkPolicy): Settlement {
  const recipient = payment.kind === 'x402' ? payment.payee : payment.recipient
  const amounts = { amountAtomic: payment.amount_atomic, maxFeeAtomic: payment.max_fee_atomic }
  const listed: readonly string[] = row.recipients
  switch (row.rail) {
    case 'evm':
      if (!listed.includes(recipient) || !isRailAddress('evm', recipient)) break
      return { rail: 'evm', ...RAIL_NETWORKS.evm, recipient, ...amounts }
    case 'solana':
      if (!listed.includes(recipient) || !isRailAddress('solana', recipient)) break
      return {
        rail: 'solana',
        ...RAIL_NETWORKS.solana,
        recipient,
        ...amounts,
        maxComputeUnits: payment.kind === 'solana' ? payment.max_compute_units : X402_SOLANA_COMPUTE_UNITS,
        maxPriorityFeeAtomic: payment.kind === 'solana' ? payment.max_priority_fee_atomic : X402_SOLANA_PRIORITY_FEE,
      }
    case 'bitcoin':
      if (!listed.includes(recipient) || !isRailAddress('bitcoin', recipient)) break
      return {
        rail: 'bitcoin',
        ...RAIL_NETWORKS.bitcoin,
        recipient,
        ...amounts,
        confirmationTarget: payment.kind === 'bitcoin' ? payment.confirmation_target : X402_CONFIRMATION_TARGET,
      }
    default:
      return row.rail satisfies never
  }
  throw intentRejected('recipient not allowed', `got ${recipient}`)
}

function checkAmounts(payment: Payment, row: NetworkPolicy, limits: Limits): void {
  const { amount_atomic: amount, max_fee_atomic: fee } = payment
  const allowed =
    amount > 0n &&
    amount <= row.max_amount_atomic &&
    amount <= limits.max_amount_atomic &&
    fee <= row.max_fee_atomic &&
    fee <= limits.max_fee_atomic
  if (!allowed)
    throw intentRejected(
      'amount or fee not allowed',
      `got amount ${amount} and fee ${fee}, expected at most ${row.max_amount_atomic} and ${row.max_fee_atomic}`,
    )
}

function checkRailBounds(settlement: Settlement, limits: Limits): void {
  const within = (value: bigint, maximum: bigint) => value > 0n && value <= maximum
  switch (settlement.rail) {
    case 'evm':
      return
    case 'solana':
      if (!within(settlement.maxComputeUnits, limits.max_compute_units))
        throw intentRejected('amount or fee not allowed', `got ${settlement.maxComputeUnits} compute units`)
      if (settlement.maxPriorityFeeAtomic > settlement.maxFeeAtomic)
        throw intentRejected('amount or fee not allowed', 'the priority fee exceeds the fee')
      return
    case 'bitcoin':
      if (!within(settlement.confirmationTarget, limits.max_confirmation_target))
        throw intentRejected('amount or fee not allowed', `got a target of ${settlement.confirmationTarget} blocks`)
      return
    default:
      settlement satisfies never
  }
}

function checkOrigin(payment: X402Payment, policy: Policy): void {
  checkIdentifierLength(payment.invoice_nonce, policy.limits)
  const row = policy.x402_origins.find((candidate) => candidate.origin === payment.origin)
  const allowed =
    row?.methods.some((method) => method === payment.method) &&
    row.resources.includes(payment.resource) &&
    row.settlement_rails.includes(payment.settlement_rail) &&
    payment.amount_atomic <= row.max_amount_atomic
  if (!allowed)
    throw intentRejected(
      'origin/method/resource not allowed',
      `got ${payment.method} ${payment.origin}${payment.resource}`,
    )
}
