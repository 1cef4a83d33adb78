import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { renderCanonical } from '../src/economic/canonical.ts'
import type { Payment } from '../src/economic/documents/intent.ts'
import { intentShape } from '../src/economic/documents/intent.ts'
import { receiptShape } from '../src/economic/documents/receipt.ts'
import { reconciliationShape } from '../src/economic/documents/reconciliation.ts'
import { simulationShape } from '../src/economic/documents/simulation.ts'
import type {
  Admission,
  AgentProfile,
  AgentTask,
  ApprovalRequest,
  BuiltTransaction,
  ChainSnapshot,
  Identifier,
  PaymentPlan,
  Policy,
  Rail,
  Sealed,
  SealedSourceRun,
  SignedTransaction,
  X402Invoice,
} from '../src/economic/index.ts'
import {
  AGENT_NONCLAIMS,
  admitSourceRun,
  agentSchema,
  buildApproval,
  decodePsbt,
  documentSchema,
  invoiceShape,
  isEvmAddress,
  isIdentifier,
  isRailAddress,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  parsePolicy,
  policyShape,
  RAIL_NETWORKS,
  seal,
  sealSourceRun,
  snapshotShape,
} from '../src/economic/index.ts'
import type { Limits } from '../src/economic/limits.ts'
import { refOf } from '../src/economic/sealed.ts'
import { concatBytes, utf8 } from '../src/economic/text.ts'

/** The payments that the public reference was recorded with. Source: notes, sections 7, 15 and 17. */
export const ROUTES = ['evm_kat', 'evm', 'solana', 'bitcoin', 'x402_evm', 'x402_solana', 'x402_bitcoin'] as const
export type Route = (typeof ROUTES)[number]

export const CREATED_AT = 1_700_000_000_000n
const EXPIRES_AT = CREATED_AT + 300_000n

/** An identifier of a fixture. */
export function id(text: string): Identifier {
  if (!isIdentifier(text)) throw new Error(`${text} is not an identifier`)
  return text
}

export function railOf(route: Route): Rail {
  if (route.endsWith('solana')) return 'solana'
  return route.endsWith('bitcoin') ? 'bitcoin' : 'evm'
}

const RECIPIENTS = {
  evm: `0x${'11'.repeat(20)}`,
  solana: 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8',
  bitcoin: 'bcrt1qpyysjzgfpyysjzgfpyysjzgfpyysjzgfrwg6xw',
} as const

const AMOUNTS = {
  evm: { amount_atomic: 10n, max_fee_atomic: 100_000n },
  solana: { amount_atomic: 10n, max_fee_atomic: 6_000n },
  bitcoin: { amount_atomic: 10_000n, max_fee_atomic: 10_000n },
} as const

function recipientOf(rail: Rail) {
  const recipient = RECIPIENTS[rail]
  if (!isRailAddress(rail, recipient)) throw new Error(`${recipient} is no address on ${rail}`)
  return recipient
}

/** The policy of a route, from its values. */
export function policyOf(route: Route, limits: Partial<Limits> = {}): Policy {
  const rail = railOf(route)
  const isEvm = rail === 'evm'
  const origin = {
    origin: 'https://pay.example.com',
    methods: isEvm ? (['POST'] as const) : (['GET', 'POST'] as const),
    resources: [isEvm ? '/v1/payments' : '/v1/data'],
    settlement_rails: [rail],
    max_amount_atomic: 1_000_000n,
  }
  return {
    schema: documentSchema('policy'),
    economic_agent_id: id('fixture.economic'),
    wallet_id: id('fixture.wallet'),
    network_policies: [
      {
        rail,
        ...RAIL_NETWORKS[rail],
        recipients: [recipientOf(rail)],
        max_amount_atomic: 1_000_000n,
        max_fee_atomic: 1_000_000n,
        max_rolling_24h_atomic: 1_000_000n,
      },
    ],
    x402_origins: route.startsWith('x402') ? [origin] : [],
    limits: { ...PRODUCTION_LIMITS, ...limits },
    nonclaims: NONCLAIMS,
  }
}

/** The invoice of an x402 route, from its values. */
export function invoiceOf(route: Route): Sealed<'invoice', X402Invoice> {
  const rail = railOf(route)
  const isEvm = rail === 'evm'
  return seal('invoice', invoiceShape, {
    schema: documentSchema('invoice'),
    origin: 'https://pay.example.com',
    method: isEvm ? 'POST' : 'GET',
    resource: isEvm ? '/v1/payments' : '/v1/data',
    invoice_id: 'fixture.invoice',
    payee: RECIPIENTS[rail],
    settlement_rail: rail,
    ...RAIL_NETWORKS[rail],
    ...AMOUNTS[rail],
    expires_at_ms: EXPIRES_AT - (isEvm ? 1n : 10n),
    nonce: 'fixture.nonce',
    idempotency_key: 'fixture.payment.x402',
  })
}

function paymentOf(route: Route): Payment {
  const rail = railOf(route)
  if (route.startsWith('x402')) {
    const { document, digest } = invoiceOf(route)
    return {
      kind: 'x402',
      origin: document.origin,
      method: document.method,
      resource: document.resource,
      invoice_digest: digest,
      payee: document.payee,
      settlement_rail: rail,
      network: document.network,
      asset: document.asset,
      amount_atomic: document.amount_atomic,
      max_fee_atomic: document.max_fee_atomic,
      invoice_expires_at_ms: document.expires_at_ms,
      invoice_nonce: document.nonce,
    }
  }
  const recipient = RECIPIENTS[rail]
  if (rail === 'evm') return { kind: rail, ...RAIL_NETWORKS.evm, recipient, ...AMOUNTS.evm }
  if (rail === 'solana')
    return {
      kind: rail,
      ...RAIL_NETWORKS.solana,
      recipient,
      ...AMOUNTS.solana,
      max_compute_units: 200_000n,
      max_priority_fee_atomic: 1_000n,
    }
  return { kind: rail, ...RAIL_NETWORKS.bitcoin, recipient, ...AMOUNTS.bitcoin, confirmation_target: 1n }
}

/** The text of the intent of a route, from its values. */
export function intentTextOf(route: Route): string {
  const payment = paymentOf(route)
  const suffix = payment.kind
  return renderCanonical(intentShape, {
    schema: documentSchema('intent'),
    intent_id: id(route === 'evm_kat' ? 'fixture.intent' : `fixture.intent.${suffix}`),
    wallet_id: id('fixture.wallet'),
    rail: payment.kind,
    idempotency_key: id(`fixture.payment.${suffix}`),
    created_at_ms: CREATED_AT,
    expires_at_ms: EXPIRES_AT,
    memo: null,
    payment,
  })
}

/** The snapshot of a route, from its values. */
export function snapshotOf(route: Route): Sealed<'snapshot', ChainSnapshot> {
  const window = {
    schema: documentSchema('snapshot'),
    observed_at_ms: CREATED_AT + 1n,
    expires_at_ms: EXPIRES_AT - 1n,
  }
  const script = `0014${'11'.repeat(20)}`
  switch (railOf(route)) {
    case 'evm': {
      const from = `0x${'22'.repeat(20)}`
      if (!isEvmAddress(from)) throw new Error(from)
      const fees = { base_fee_per_gas: 1n, max_priority_fee_per_gas: 2n, gas_limit: 21_000n }
      const state = { chain_id: 11_155_111n, from, nonce: 7n, ...fees }
      return seal('snapshot', snapshotShape, { ...window, rail: 'evm', network: 'sepolia', state })
    }
    case 'solana': {
      const payer = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR'
      if (!isRailAddress('solana', payer)) throw new Error(payer)
      const state = {
        fee_payer: payer,
        recent_blockhash: 'GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq',
        last_valid_block_height: 5n,
        lamports_per_signature: 5_000n,
      }
      return seal('snapshot', snapshotShape, { ...window, rail: 'solana', network: 'devnet', state })
    }
    case 'bitcoin': {
      const utxo = {
        txid: '1'.padStart(64, '0'),
        vout: 0n,
        value_atomic: 100_000n,
        script_pubkey: script,
        confirmations: 1n,
      }
      const state = { wallet_script_pubkey: script, height: 100n, fee_rate_sat_vbyte: 1n, utxos: [utxo] }
      return seal('snapshot', snapshotShape, { ...window, rail: 'bitcoin', network: 'regtest', state })
    }
  }
}

/** Profile and task of the recorded source runs. */
export const SOURCE_PROFILE: AgentProfile = {
  schema: agentSchema('profile'),
  agent_id: 'economic.fixture.agent',
  models: [
    {
      provider_id: 'fixture.local',
      model_id: 'fixture-economic',
      locality: 'local',
      quality_tier: 'basic',
      tokenizer_id: 'fixture.bytes-v1',
      max_context_tokens: 1_048_576n,
      input_usd_microunits_per_million_tokens: 0n,
      output_usd_microunits_per_million_tokens: 0n,
      capabilities: ['text'],
    },
  ],
  tools: [],
  policy: {
    allowed_provider_ids: ['fixture.local'],
    allowed_model_ids: ['fixture-economic'],
    required_locality: 'local_only',
    minimum_quality_tier: 'basic',
    required_model_capabilities: ['text'],
    granted_capabilities: [],
    allowed_tool_ids: [],
  },
  limits: {
    max_turns: 1n,
    max_provider_attempts: 1n,
    max_retries_per_turn: 0n,
    max_concurrency: 1n,
    max_elapsed_ms: 10_000n,
    max_provider_request_bytes: 2_097_152n,
    max_provider_response_bytes: 1_048_576n,
    max_stream_chunks: 4n,
    max_total_provider_input_bytes: 2_097_152n,
    max_total_provider_output_bytes: 1_048_576n,
    max_reported_model_input_tokens: 2_097_152n,
    max_reported_model_output_tokens: 262_144n,
    max_usd_microunits: 0n,
    max_tool_calls: 0n,
    max_tool_arguments_bytes: 1n,
    max_tool_result_bytes: 1n,
    max_total_tool_bytes: 1n,
    max_retained_state_bytes: 2_097_152n,
    max_trace_events: 32n,
    max_trace_bytes: 262_144n,
    max_evidence_bytes: 2_097_152n,
    max_builder_bytes: 67_108_864n,
  },
  nonclaims: AGENT_NONCLAIMS,
}
export const SOURCE_TASK: AgentTask = {
  schema: agentSchema('task'),
  nonce: '0'.repeat(64),
  objective: 'Return the exact economic proposal.',
  context: [],
}

/** The source run that ends with a message. */
export function sourceRunOf(finalMessage: string): SealedSourceRun {
  const [model] = SOURCE_PROFILE.models
  if (model === undefined) throw new Error('the profile has no model')
  return sealSourceRun({ profile: SOURCE_PROFILE, task: SOURCE_TASK, model, finalMessage })
}

/** The admitted intent of a route. */
export function admissionOf(
  route: Route,
  limits: Partial<Limits> = {},
  editIntent = (text: string) => text,
): Admission {
  const policy = parsePolicy(policyBytesOf(route, limits))
  return admitSourceRun(policy, sourceRunOf(editIntent(intentTextOf(route))))
}

/** The policy of a route as bytes. */
export function policyBytesOf(route: Route, limits: Partial<Limits> = {}): Uint8Array {
  return utf8(renderCanonical(policyShape, policyOf(route, limits)))
}

/** The simulation that the scripted host gives. */
export function simulationOf(plan: Sealed<'plan', PaymentPlan>, admission: Admission, fee: bigint): Uint8Array {
  const { settlement } = admission
  const after = 1_000_000n
  return seal('simulation', simulationShape, {
    schema: documentSchema('simulation'),
    plan: refOf(plan),
    success: true,
    fee_atomic: fee,
    balance_before_atomic: after + settlement.amountAtomic + fee,
    balance_after_atomic: after,
    allowance_atomic: settlement.rail === 'evm' ? 0n : null,
    units: { evm: 21_000n, solana: 200_000n, bitcoin: 1n }[settlement.rail],
    expires_at_ms: plan.document.expires_at_ms,
  }).bytes
}

/** The approval that the scripted host gives. */
export function approvalOf(request: Sealed<'approval_request', ApprovalRequest>): Uint8Array {
  return buildApproval(request, {
    approval_id: id('fixture.approval'),
    approver_id: id('fixture.approver'),
    decision: 'approved',
    expires_at_ms: request.document.expires_at_ms,
  }).bytes
}

/** Signed bytes with the placeholder signatures of the fixtures: r = s = 1, 64 times 07, a key of ones. */
export function placeholderSigned(built: BuiltTransaction): Uint8Array {
  if (built.rail === 'solana') return concatBytes(Uint8Array.of(1), new Uint8Array(64).fill(7), built.bytes)
  if (built.rail === 'evm') {
    const length = built.bytes[1] ?? 0
    const body = concatBytes(built.bytes.subarray(length === 0xf8 ? 3 : 2), Uint8Array.of(1, 1, 1))
    const prefix = body.length <= 55 ? [0xc0 + body.length] : [0xf8, body.length]
    return concatBytes(Uint8Array.of(2, ...prefix), body)
  }
  const psbt = decodePsbt(built.bytes)
  const u32 = (value: bigint) => new Uint8Array(new Uint32Array([Number(value)]).buffer)
  const u64 = (value: bigint) => new Uint8Array(new BigUint64Array([value]).buffer)
  const witness = hexToBytes(`0209300602010102010101${'21'}02${'01'.repeat(32)}`)
  return concatBytes(
    u32(psbt.transactionVersion),
    Uint8Array.of(0, 1, psbt.inputs.length),
    ...psbt.inputs.map((input) =>
      concatBytes(hexToBytes(input.txid).reverse(), u32(input.vout), Uint8Array.of(0), u32(input.sequence)),
    ),
    Uint8Array.of(psbt.outputs.length),
    ...psbt.outputs.map(({ valueAtomic, script }) =>
      concatBytes(u64(valueAtomic), Uint8Array.of(script.length / 2), hexToBytes(script)),
    ),
    ...psbt.inputs.map(() => witness),
    u32(psbt.lockTime),
  )
}

/** The receipt that the scripted host gives. */
export function receiptOf(signed: SignedTransaction): Uint8Array {
  return seal('broadcast', receiptShape, {
    schema: documentSchema('broadcast'),
    rail: signed.rail,
    network: RAIL_NETWORKS[signed.rail].network,
    signed_transaction_digest: signed.digest,
    transaction_id: signed.transactionId,
    disposition: 'accepted',
    observed_at_ms: CREATED_AT + 2n,
  }).bytes
}

/** The observation that the scripted host gives. */
export function observationOf(signed: SignedTransaction): Uint8Array {
  return seal('reconciliation', reconciliationShape, {
    schema: documentSchema('reconciliation'),
    rail: signed.rail,
    network: RAIL_NETWORKS[signed.rail].network,
    transaction_id: signed.transactionId,
    status: 'confirmed',
    observed_at_ms: CREATED_AT + 3n,
    observed_height: 1n,
    confirmations: 1n,
    canonical_block_id: 'fixture.block',
  }).bytes
}

/** Bytes as hexadecimal. */
export const hex = bytesToHex
