import type { AgentRunId } from '../digest.ts'
import { digestShape } from '../references.ts'
import { anyText, exactly, integers, listOf, nullable, oneOf, record, u64 } from '../shape.ts'
import type { AgentDigest, AgentLimitName } from './catalog.ts'
import { AGENT_PRODUCTION_LIMITS, agentSchema } from './catalog.ts'
import { AGENT_NONCLAIMS } from './nonclaims.ts'

/** Counters of one event of a source run, in canonical order. */
export const AGENT_USAGE_NAMES = [
  'provider_input_bytes',
  'provider_output_bytes',
  'reported_model_input_tokens',
  'reported_model_output_tokens',
  'usd_microunits',
  'tool_argument_bytes',
  'tool_result_bytes',
  'elapsed_ms',
] as const
/** What one event used. */
export type AgentUsage = { readonly [Name in (typeof AGENT_USAGE_NAMES)[number]]: bigint }

/** Totals of a source run, in canonical order. */
const AGENT_TOTAL_NAMES = [
  'turns',
  'provider_attempts',
  'provider_input_bytes',
  'provider_output_bytes',
  'reported_model_input_tokens',
  'reported_model_output_tokens',
  'usd_microunits',
  'tool_calls',
  'tool_argument_bytes',
  'tool_result_bytes',
  'retained_state_bytes',
  'elapsed_ms',
  'max_concurrency',
] as const
/** What a run used. */
export type AgentTotals = { readonly [Name in (typeof AGENT_TOTAL_NAMES)[number]]: bigint }

/** Counters of the evidence of a source run; `used_tool_argument_bytes` has no plural, unlike its limit. */
const AGENT_BUDGET_NAMES = [
  'used_models',
  'used_tools',
  'used_capabilities',
  'used_turns',
  'used_provider_attempts',
  'used_provider_input_bytes',
  'used_provider_output_bytes',
  'used_reported_model_input_tokens',
  'used_reported_model_output_tokens',
  'used_usd_microunits',
  'used_tool_calls',
  'used_tool_argument_bytes',
  'used_tool_result_bytes',
  'used_retained_state_bytes',
  'used_trace_events',
  'used_trace_bytes',
  'used_evidence_bytes',
  'used_builder_bytes',
  'used_elapsed_ms',
  'used_concurrency',
] as const
/** The 20 counters. */
export type AgentBudget = { readonly [Name in (typeof AGENT_BUDGET_NAMES)[number]]: bigint }

/** One step of a source run. */
export type AgentEvent = {
  readonly index: bigint
  readonly turn: bigint
  readonly kind: string
  readonly provider_id: string | null
  readonly model_id: string | null
  readonly tool_id: string | null
  readonly input_digest: AgentDigest<string> | null
  readonly output_digest: AgentDigest<string> | null
  readonly status: string
  readonly usage: AgentUsage
}

/** The steps of a source run. */
export type AgentTrace = {
  readonly schema: 'semaprax.agent-runtime-trace.v1'
  readonly run_id: AgentRunId
  readonly profile_digest: AgentDigest<'profile'>
  readonly task_digest: AgentDigest<'task'>
  readonly events: readonly AgentEvent[]
  readonly usage: AgentTotals
  readonly termination: { readonly status: string; readonly code: string | null; readonly message: string | null }
  readonly nonclaims: typeof AGENT_NONCLAIMS
}

/** A document of a source run by schema, digest and length in bytes. */
type AgentRef<Kind extends 'profile' | 'task' | 'trace'> = {
  readonly schema: `semaprax.agent-runtime-${Kind}.v1`
  readonly digest: AgentDigest<Kind>
  readonly bytes: bigint
}

/** How a source run ended. The message fields are null unless it completed. */
export type AgentResult = {
  readonly status: string
  readonly final_message_digest: AgentDigest<'final-message'> | null
  readonly final_message_bytes: bigint | null
  readonly last_turn: bigint
}

/** The evidence of a source run. Source: notes, section 15. */
export type AgentEvidence = {
  readonly schema: 'semaprax.agent-runtime-evidence.v1'
  readonly run_id: AgentRunId
  readonly profile: AgentRef<'profile'>
  readonly task: AgentRef<'task'>
  readonly trace: AgentRef<'trace'> & { readonly document: string }
  readonly result: AgentResult
  readonly limits: { readonly [Name in AgentLimitName]: bigint }
  readonly budget: AgentBudget
  readonly nonclaims: typeof AGENT_NONCLAIMS
}

function agentRefFields<Kind extends 'profile' | 'task' | 'trace'>(kind: Kind) {
  return { schema: oneOf(agentSchema(kind)), digest: digestShape<AgentDigest<Kind>>(), bytes: u64 }
}

const eventShape = record<AgentEvent>({
  index: u64,
  turn: u64,
  kind: anyText,
  provider_id: nullable(anyText),
  model_id: nullable(anyText),
  tool_id: nullable(anyText),
  input_digest: nullable(digestShape<AgentDigest<string>>()),
  output_digest: nullable(digestShape<AgentDigest<string>>()),
  status: anyText,
  usage: integers(AGENT_USAGE_NAMES),
})

/** Canonical form of the trace of a source run. */
export const agentTraceShape = record<AgentTrace>({
  schema: oneOf(agentSchema('trace')),
  run_id: digestShape<AgentRunId>(),
  profile_digest: digestShape<AgentDigest<'profile'>>(),
  task_digest: digestShape<AgentDigest<'task'>>(),
  events: listOf(eventShape),
  usage: integers(AGENT_TOTAL_NAMES),
  termination: record<AgentTrace['termination']>({
    status: anyText,
    code: nullable(anyText),
    message: nullable(anyText),
  }),
  nonclaims: exactly(AGENT_NONCLAIMS),
})

/** Canonical form of the evidence of a source run. */
export const agentEvidenceShape = record<AgentEvidence>({
  schema: oneOf(agentSchema('evidence')),
  run_id: digestShape<AgentRunId>(),
  profile: record<AgentRef<'profile'>>(agentRefFields('profile')),
  task: record<AgentRef<'task'>>(agentRefFields('task')),
  trace: record<AgentEvidence['trace']>({ ...agentRefFields('trace'), document: anyText }),
  result: record<AgentResult>({
    status: anyText,
    final_message_digest: nullable(digestShape<AgentDigest<'final-message'>>()),
    final_message_bytes: nullable(u64),
    last_turn: u64,
  }),
  limits: integers(Object.keys(AGENT_PRODUCTION_LIMITS) as AgentLimitName[]),
  budget: integers(AGENT_BUDGET_NAMES),
  nonclaims: exactly(AGENT_NONCLAIMS),
})
