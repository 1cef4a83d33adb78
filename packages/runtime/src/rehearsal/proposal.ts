import {
  AGENT_NONCLAIMS,
  AGENT_PRODUCTION_LIMITS,
  type AgentModel,
  documentSchema,
  type Identifier,
  intentShape,
  isEvmAddress,
  isIdentifier,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  PROFILE_LIMIT_NAMES,
  type ProfileLimits,
  policyShape,
  renderCanonical,
  type SourceRunBytes,
  sealSourceRun,
  utf8,
} from '@oikos/core/economic'

/** A payment of ether that a rehearsal proposes. Amounts in wei, time in milliseconds since 1970. */
export type RehearsalPayment = {
  readonly idempotencyKey: string
  readonly recipient: string
  readonly amountAtomic: bigint
  readonly createdAtMs: bigint
}

/** Bounds of a rehearsal's policy, wei. */
export type RehearsalBounds = {
  readonly recipients: readonly string[]
  readonly maxAmountAtomic: bigint
  readonly maxRolling24hAtomic: bigint
}

const WALLET = 'rehearsal.wallet'
const MAX_FEE_ATOMIC = 1_000_000n
/** How long a proposal may be paid, milliseconds. */
const INTENT_LIFE_MS = 300_000n

/** The canonical text of a policy for one wallet on Sepolia, with the limits of the standard. */
export function rehearsalPolicy({ recipients, maxAmountAtomic, maxRolling24hAtomic }: RehearsalBounds): string {
  return renderCanonical(policyShape, {
    schema: documentSchema('policy'),
    economic_agent_id: identifier('rehearsal.agent'),
    wallet_id: identifier(WALLET),
    network_policies: [
      {
        rail: 'evm',
        network: 'sepolia',
        asset: 'native:eth',
        recipients: recipients.map(evmAddress),
        max_amount_atomic: maxAmountAtomic,
        max_fee_atomic: MAX_FEE_ATOMIC,
        max_rolling_24h_atomic: maxRolling24hAtomic,
      },
    ],
    x402_origins: [],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
}

/** A completed source run whose final message is the payment. */
export function rehearsalSource(payment: RehearsalPayment): SourceRunBytes {
  const message = renderCanonical(intentShape, {
    schema: documentSchema('intent'),
    intent_id: identifier(`intent.${payment.idempotencyKey}`),
    wallet_id: identifier(WALLET),
    rail: 'evm',
    idempotency_key: identifier(payment.idempotencyKey),
    created_at_ms: payment.createdAtMs,
    expires_at_ms: payment.createdAtMs + INTENT_LIFE_MS,
    memo: null,
    payment: {
      kind: 'evm',
      network: 'sepolia',
      asset: 'native:eth',
      recipient: evmAddress(payment.recipient),
      amount_atomic: payment.amountAtomic,
      max_fee_atomic: MAX_FEE_ATOMIC,
    },
  })
  return rehearsalRunOf(message)
}

const MODEL: AgentModel = {
  provider_id: 'rehearsal.local',
  model_id: 'rehearsal-model',
  locality: 'local',
  quality_tier: 'basic',
  tokenizer_id: 'rehearsal.bytes',
  max_context_tokens: 1_048_576n,
  input_usd_microunits_per_million_tokens: 0n,
  output_usd_microunits_per_million_tokens: 0n,
  capabilities: ['text'],
}

/** Seals a run of a model that was asked once and answered with `finalMessage`, whatever that is. */
export function rehearsalRunOf(finalMessage: string): SourceRunBytes {
  const limits = Object.fromEntries(PROFILE_LIMIT_NAMES.map((name) => [name, AGENT_PRODUCTION_LIMITS[name]]))
  const run = sealSourceRun({
    profile: {
      schema: 'semaprax.agent-runtime-profile.v1',
      agent_id: 'rehearsal.agent',
      models: [MODEL],
      tools: [],
      policy: {
        allowed_provider_ids: [MODEL.provider_id],
        allowed_model_ids: [MODEL.model_id],
        required_locality: 'local_only',
        minimum_quality_tier: 'basic',
        required_model_capabilities: ['text'],
        granted_capabilities: ['text'],
        allowed_tool_ids: [],
      },
      limits: limits as ProfileLimits,
      nonclaims: AGENT_NONCLAIMS,
    },
    task: {
      schema: 'semaprax.agent-runtime-task.v1',
      nonce: '00'.repeat(32),
      objective: 'Propose one payment as a canonical Payment Intent.',
      context: [],
    },
    model: MODEL,
    finalMessage,
  })
  return { evidence: run.evidenceDocument.bytes, finalMessage: utf8(finalMessage) }
}

function identifier(text: string): Identifier {
  if (!isIdentifier(text))
    throw new TypeError(`rehearsal: got ${text}, expected 1 to 128 characters of a-z 0-9 . _ : -`)
  return text
}

function evmAddress(text: string) {
  if (!isEvmAddress(text)) throw new TypeError(`rehearsal: got ${text}, expected 0x and 40 lower-case digits`)
  return text
}
