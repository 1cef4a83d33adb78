import type { AgentRunId } from '../digest.ts'
import { digestShape } from '../references.ts'
import type { Shape } from '../shape.ts'
import { anyText, exactly, integers, isArray, listOf, oneOf, record, textOf, u64 } from '../shape.ts'
import type { ProfileLimitName } from './catalog.ts'
import { agentSchema, PROFILE_LIMIT_NAMES } from './catalog.ts'
import { AGENT_NONCLAIMS } from './nonclaims.ts'

/** A model that a profile offers. Prices in millionths of a US dollar per million tokens. Source: notes, section 15. */
export type AgentModel = {
  readonly provider_id: string
  readonly model_id: string
  readonly locality: 'local' | 'remote'
  readonly quality_tier: 'basic' | 'standard' | 'advanced' | 'frontier'
  readonly tokenizer_id: string
  readonly max_context_tokens: bigint
  readonly input_usd_microunits_per_million_tokens: bigint
  readonly output_usd_microunits_per_million_tokens: bigint
  readonly capabilities: readonly string[]
}

/** What a source run may use. */
export type AgentPolicy = {
  readonly allowed_provider_ids: readonly string[]
  readonly allowed_model_ids: readonly string[]
  readonly required_locality: 'local_only' | 'remote_allowed'
  readonly minimum_quality_tier: AgentModel['quality_tier']
  readonly required_model_capabilities: readonly string[]
  readonly granted_capabilities: readonly string[]
  readonly allowed_tool_ids: readonly string[]
}

/** Who runs, on which models, under which limits. Runs that are built here have no tools. */
export type AgentProfile = {
  readonly schema: 'semaprax.agent-runtime-profile.v1'
  readonly agent_id: string
  readonly models: readonly AgentModel[]
  readonly tools: readonly never[]
  readonly policy: AgentPolicy
  readonly limits: ProfileLimits
  readonly nonclaims: typeof AGENT_NONCLAIMS
}

/** The 22 limits of a profile, in canonical order. */
export type ProfileLimits = { readonly [Name in ProfileLimitName]: bigint }

/** One text that a task gives beside its objective. */
export type TaskContext = { readonly label: string; readonly provenance: string; readonly content: string }

/** What the run shall do. `nonce` is 32 bytes in hexadecimal. */
export type AgentTask = {
  readonly schema: 'semaprax.agent-runtime-task.v1'
  readonly nonce: string
  readonly objective: string
  readonly context: readonly TaskContext[]
}

/** The final action of a run: its message. */
export type FinalAction = {
  readonly schema: 'semaprax.agent-runtime-action.v1'
  readonly kind: 'final'
  readonly message: string
}

/** One text of a request to a model, with its origin. */
export type RequestSegment = { readonly role: string; readonly provenance: string; readonly content: string }

/** What a model was asked. */
export type ProviderRequest = {
  readonly schema: 'semaprax.agent-runtime-provider-request.v1'
  readonly run_id: AgentRunId
  readonly turn: bigint
  readonly provider_id: string
  readonly model_id: string
  readonly max_output_tokens: bigint
  readonly segments: readonly RequestSegment[]
  readonly tools: readonly never[]
}

const texts = listOf(anyText)
const tier = oneOf('basic', 'standard', 'advanced', 'frontier')
/** The empty list. */
const noTools: Shape<readonly never[]> = {
  read: (value, refuse, at) => (isArray(value) && value.length === 0 ? [] : refuse(`${at}: expected no tools`)),
  write: () => '[]',
}

const modelShape = record<AgentModel>({
  provider_id: anyText,
  model_id: anyText,
  locality: oneOf('local', 'remote'),
  quality_tier: tier,
  tokenizer_id: anyText,
  max_context_tokens: u64,
  input_usd_microunits_per_million_tokens: u64,
  output_usd_microunits_per_million_tokens: u64,
  capabilities: texts,
})

const agentPolicyShape = record<AgentPolicy>({
  allowed_provider_ids: texts,
  allowed_model_ids: texts,
  required_locality: oneOf('local_only', 'remote_allowed'),
  minimum_quality_tier: tier,
  required_model_capabilities: texts,
  granted_capabilities: texts,
  allowed_tool_ids: texts,
})

const profileLimitsShape: Shape<ProfileLimits> = integers(PROFILE_LIMIT_NAMES)

/** Canonical form of a profile. */
export const profileShape = record<AgentProfile>({
  schema: oneOf(agentSchema('profile')),
  agent_id: anyText,
  models: listOf(modelShape),
  tools: noTools,
  policy: agentPolicyShape,
  limits: profileLimitsShape,
  nonclaims: exactly(AGENT_NONCLAIMS),
})

const NONCE = /^[0-9a-f]{64}$/

/** Canonical form of a task. */
export const taskShape = record<AgentTask>({
  schema: oneOf(agentSchema('task')),
  nonce: textOf((text): text is string => NONCE.test(text), '64 lower-case digits'),
  objective: anyText,
  context: listOf(record<TaskContext>({ label: anyText, provenance: anyText, content: anyText })),
})

/** Canonical form of a final action. */
export const actionShape = record<FinalAction>({
  schema: oneOf(agentSchema('action')),
  kind: oneOf('final'),
  message: anyText,
})

/** Canonical form of a request. */
export const providerRequestShape = record<ProviderRequest>({
  schema: oneOf(agentSchema('provider-request')),
  run_id: digestShape<AgentRunId>(),
  turn: u64,
  provider_id: anyText,
  model_id: anyText,
  max_output_tokens: u64,
  segments: listOf(record<RequestSegment>({ role: anyText, provenance: anyText, content: anyText })),
  tools: noTools,
})
