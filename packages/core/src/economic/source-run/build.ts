import { hexToBytes } from '@noble/hashes/utils.js'
import type { SourceRun } from '../admission.ts'
import { quotedBytes } from '../canonical.ts'
import { AGENT_EVIDENCE_SCHEMA } from '../catalog.ts'
import type { AgentEvidenceDigest, AgentRunId } from '../digest.ts'
import { domainDigest } from '../digest.ts'
import { documentTexts } from '../strings.ts'
import { utf8, utf8Length } from '../text.ts'
import type { AgentDigest, AgentLimitName, SealedAgent } from './catalog.ts'
import { AGENT_PRODUCTION_LIMITS, agentDigest, agentSchema, SourceRunError, sealAgent } from './catalog.ts'
import type { AgentModel, AgentProfile, AgentTask, FinalAction, ProviderRequest, RequestSegment } from './documents.ts'
import { actionShape, profileShape, providerRequestShape, taskShape } from './documents.ts'
import type { AgentBudget, AgentEvent, AgentEvidence, AgentTotals, AgentTrace, AgentUsage } from './evidence.ts'
import { AGENT_USAGE_NAMES, agentEvidenceShape, agentTraceShape } from './evidence.ts'
import { AGENT_NONCLAIMS } from './nonclaims.ts'

/** What a model loop hands over: who ran, what was asked, and the message that it ended with. */
export type SourceRunInput = {
  readonly profile: AgentProfile
  readonly task: AgentTask
  /** The model of the profile that was used. */
  readonly model: AgentModel
  /** The exact bytes of the payment intent, its LF included. */
  readonly finalMessage: string
  /** Tokens as the provider reported them; the length in bytes when absent, as `fixture.bytes-v1` counts. */
  readonly inputTokens?: bigint
  readonly outputTokens?: bigint
  /** Cost as the provider reported it, millionths of a US dollar. */
  readonly usdMicrounits?: bigint
  readonly elapsedMs?: bigint
}

/** A sealed source run with all its documents. */
export type SealedSourceRun = SourceRun & {
  readonly runId: AgentRunId
  readonly profile: SealedAgent<'profile', AgentProfile>
  readonly task: SealedAgent<'task', AgentTask>
  readonly request: SealedAgent<'provider-request', ProviderRequest>
  readonly action: SealedAgent<'action', FinalAction>
  readonly trace: SealedAgent<'trace', AgentTrace>
  readonly evidenceDocument: SealedAgent<'evidence', AgentEvidence>
}

/** The first thing every model is told. Source: notes, section 15. */
const INSTRUCTION = 'Return exactly one canonical Agent Runtime action.'
/** Rounds after which the length of the evidence must have settled. */
const MAX_ROUNDS = 24

/** The run id: profile and task digest as text, then the 32 bytes of the nonce. Source: notes, section 15. */
export function agentRunId(profile: AgentDigest<'profile'>, task: AgentDigest<'task'>, nonce: string): AgentRunId {
  return domainDigest('semaprax.agent-runtime.run-id.v1\0', utf8(profile + task), hexToBytes(nonce))
}

/**
 * Seals a completed run of one turn without tools. A loop with many turns of its own is one provider attempt here: what is
 * recorded is the request that it began with and the action that it ended with. Throws {@link SourceRunError} when the
 * model is not one of the profile or a limit of the profile is exceeded.
 */
export function sealSourceRun(input: SourceRunInput): SealedSourceRun {
  checkProfile(input)
  const profile = sealAgent('profile', profileShape, input.profile)
  const task = sealAgent('task', taskShape, input.task)
  const runId = agentRunId(profile.digest, task.digest, input.task.nonce)
  const request = sealAgent('provider-request', providerRequestShape, requestOf(input, runId))
  const action = sealAgent('action', actionShape, {
    schema: agentSchema('action'),
    kind: 'final',
    message: input.finalMessage,
  })
  const message = utf8(input.finalMessage)
  const usage = usageOf(input, request.bytes, action.bytes)
  const messageDigest = agentDigest('final-message', message)
  const trace = sealAgent('trace', agentTraceShape, {
    schema: agentSchema('trace'),
    run_id: runId,
    profile_digest: profile.digest,
    task_digest: task.digest,
    events: eventsOf({ input, profile, task, request, action, messageDigest, usage }),
    usage: totalsOf(usage),
    termination: { status: 'completed', code: null, message: null },
    nonclaims: AGENT_NONCLAIMS,
  })
  const builderUsed = builderCost(input, profile, task, request)
  const evidence = settleEvidence((own) => ({
    schema: agentSchema('evidence'),
    run_id: runId,
    profile: { schema: agentSchema('profile'), digest: profile.digest, bytes: BigInt(profile.bytes.length) },
    task: { schema: agentSchema('task'), digest: task.digest, bytes: BigInt(task.bytes.length) },
    trace: {
      schema: agentSchema('trace'),
      digest: trace.digest,
      bytes: BigInt(trace.bytes.length),
      document: trace.text,
    },
    result: {
      status: 'completed',
      final_message_digest: messageDigest,
      final_message_bytes: BigInt(message.length),
      last_turn: 1n,
    },
    limits: AGENT_PRODUCTION_LIMITS,
    budget: budgetOf(input.profile, trace, usage, own, builderUsed),
    nonclaims: AGENT_NONCLAIMS,
  }))
  checkLimits(input.profile, { request, action, trace, evidence }, usage)
  return {
    evidence: {
      schema: AGENT_EVIDENCE_SCHEMA,
      // The families differ in name only: the economic side knows this digest as that of its source.
      digest: evidence.digest as string as AgentEvidenceDigest,
      bytes: BigInt(evidence.bytes.length),
      run_id: runId,
    },
    finalMessage: message,
    runId,
    profile,
    task,
    request,
    action,
    trace,
    evidenceDocument: evidence,
  }
}

function checkProfile({ profile, model }: SourceRunInput): void {
  const { policy, limits } = profile
  for (const [name, value] of Object.entries(limits))
    if (value > AGENT_PRODUCTION_LIMITS[name as AgentLimitName])
      throw new SourceRunError('profile', `limits.${name}: got ${value}, more than the production maximum`)
  if (!profile.models.includes(model)) throw new SourceRunError('profile', 'the model is not one of its models')
  const allowed =
    policy.allowed_provider_ids.includes(model.provider_id) &&
    policy.allowed_model_ids.includes(model.model_id) &&
    (model.locality === 'local' || policy.required_locality === 'remote_allowed') &&
    policy.required_model_capabilities.every((capability) => model.capabilities.includes(capability))
  if (!allowed) throw new SourceRunError('profile', `its policy does not allow ${model.provider_id} ${model.model_id}`)
}

function requestOf(input: SourceRunInput, runId: AgentRunId): ProviderRequest {
  const segments: RequestSegment[] = [
    { role: 'system', provenance: 'runtime_trusted', content: INSTRUCTION },
    { role: 'objective', provenance: 'caller_trusted', content: input.task.objective },
    ...input.task.context.map(({ provenance, content }) => ({ role: 'context', provenance, content })),
  ]
  return {
    schema: agentSchema('provider-request'),
    run_id: runId,
    turn: 1n,
    provider_id: input.model.provider_id,
    model_id: input.model.model_id,
    max_output_tokens: input.profile.limits.max_reported_model_output_tokens,
    segments,
    tools: [],
  }
}

/** What the one provider attempt used. */
type AttemptUsage = {
  readonly inputBytes: bigint
  readonly outputBytes: bigint
  readonly inputTokens: bigint
  readonly outputTokens: bigint
  readonly usdMicrounits: bigint
  readonly elapsedMs: bigint
}

function usageOf(input: SourceRunInput, request: Uint8Array, response: Uint8Array): AttemptUsage {
  const inputBytes = BigInt(request.length)
  const outputBytes = BigInt(response.length)
  return {
    inputBytes,
    outputBytes,
    inputTokens: input.inputTokens ?? inputBytes,
    outputTokens: input.outputTokens ?? outputBytes,
    usdMicrounits: input.usdMicrounits ?? 0n,
    elapsedMs: input.elapsedMs ?? 0n,
  }
}

type EventParts = {
  readonly input: SourceRunInput
  readonly profile: SealedAgent<'profile', AgentProfile>
  readonly task: SealedAgent<'task', AgentTask>
  readonly request: SealedAgent<'provider-request', ProviderRequest>
  readonly action: SealedAgent<'action', FinalAction>
  readonly messageDigest: AgentDigest<'final-message'>
  readonly usage: AttemptUsage
}

function eventsOf(parts: EventParts): readonly AgentEvent[] {
  const { profile, task, request, action, messageDigest, usage } = parts
  const response = agentDigest('provider-response', action.bytes)
  const sent = { provider_input_bytes: usage.inputBytes, reported_model_input_tokens: usage.inputTokens }
  const received = {
    provider_output_bytes: usage.outputBytes,
    reported_model_output_tokens: usage.outputTokens,
    usd_microunits: usage.usdMicrounits,
    elapsed_ms: usage.elapsedMs,
  }
  const { provider_id, model_id } = parts.input.model
  const routed = { turn: 1n, provider_id, model_id, tool_id: null }
  const unrouted = { provider_id: null, model_id: null, tool_id: null }
  const steps: readonly (Omit<AgentEvent, 'index' | 'usage'> & { readonly usage?: Partial<AgentUsage> })[] = [
    {
      ...unrouted,
      turn: 0n,
      kind: 'run_started',
      input_digest: profile.digest,
      output_digest: task.digest,
      status: 'started',
    },
    { ...routed, kind: 'route_selected', input_digest: request.digest, output_digest: null, status: 'selected' },
    {
      ...routed,
      kind: 'provider_attempt_started',
      input_digest: request.digest,
      output_digest: null,
      status: 'started',
      usage: sent,
    },
    {
      ...routed,
      kind: 'provider_attempt_finished',
      input_digest: null,
      output_digest: response,
      status: 'succeeded',
      usage: received,
    },
    { ...routed, kind: 'action_accepted', input_digest: action.digest, output_digest: messageDigest, status: 'final' },
    { ...unrouted, turn: 1n, kind: 'run_finished', input_digest: null, output_digest: null, status: 'completed' },
  ]
  const zero = Object.fromEntries(AGENT_USAGE_NAMES.map((name) => [name, 0n])) as AgentUsage
  return steps.map((step, index) => ({ ...step, index: BigInt(index), usage: { ...zero, ...step.usage } }))
}

function totalsOf(usage: AttemptUsage): AgentTotals {
  return {
    turns: 1n,
    provider_attempts: 1n,
    provider_input_bytes: usage.inputBytes,
    provider_output_bytes: usage.outputBytes,
    reported_model_input_tokens: usage.inputTokens,
    reported_model_output_tokens: usage.outputTokens,
    usd_microunits: usage.usdMicrounits,
    tool_calls: 0n,
    tool_argument_bytes: 0n,
    tool_result_bytes: 0n,
    retained_state_bytes: 0n,
    elapsed_ms: usage.elapsedMs,
    max_concurrency: 1n,
  }
}

function budgetOf(
  profile: AgentProfile,
  trace: SealedAgent<'trace', AgentTrace>,
  usage: AttemptUsage,
  evidenceBytes: bigint,
  builderUsed: bigint,
): AgentBudget {
  const capabilities = new Set(profile.models.flatMap((model) => model.capabilities))
  return {
    used_models: BigInt(profile.models.length),
    used_tools: 0n,
    used_capabilities: BigInt(capabilities.size),
    used_turns: 1n,
    used_provider_attempts: 1n,
    used_provider_input_bytes: usage.inputBytes,
    used_provider_output_bytes: usage.outputBytes,
    used_reported_model_input_tokens: usage.inputTokens,
    used_reported_model_output_tokens: usage.outputTokens,
    used_usd_microunits: usage.usdMicrounits,
    used_tool_calls: 0n,
    used_tool_argument_bytes: 0n,
    used_tool_result_bytes: 0n,
    used_retained_state_bytes: 0n,
    used_trace_events: BigInt(trace.document.events.length),
    used_trace_bytes: BigInt(trace.bytes.length),
    used_evidence_bytes: evidenceBytes,
    used_builder_bytes: builderUsed,
    used_elapsed_ms: usage.elapsedMs,
    used_concurrency: 1n,
  }
}

function settleEvidence(evidenceWith: (ownBytes: bigint) => AgentEvidence): SealedAgent<'evidence', AgentEvidence> {
  let own = 0n
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const sealed = sealAgent('evidence', agentEvidenceShape, evidenceWith(own))
    const length = BigInt(sealed.bytes.length)
    if (length === own) return sealed
    own = length
  }
  throw new SourceRunError('evidence', 'its length does not settle')
}

/** The builder bytes of a run of one turn, by the model of the notes, section 15. */
function builderCost(
  input: SourceRunInput,
  profile: SealedAgent<'profile', AgentProfile>,
  task: SealedAgent<'task', AgentTask>,
  request: SealedAgent<'provider-request', ProviderRequest>,
): bigint {
  const { limits } = input.profile
  const retained = (bytes: Uint8Array, document: { readonly schema: string }) =>
    8n * BigInt(bytes.length) + 4096n + quotedBytes(...documentTexts(document))
  const given = [input.task.objective, ...input.task.context.flatMap(({ label, content }) => [label, content])]
  const givenBytes = BigInt(given.reduce((sum, text) => sum + utf8Length(text), 0))
  return (
    retained(profile.bytes, profile.document) +
    retained(task.bytes, task.document) +
    (limits.max_trace_bytes + 2n * limits.max_evidence_bytes + 4096n) +
    2n * (6n * givenBytes + 8192n) +
    quotedBytes(...documentTexts(request.document)) +
    (20n * limits.max_provider_response_bytes + 256n + 1024n) +
    quotedBytes(input.finalMessage)
  )
}

function checkLimits(
  { limits }: AgentProfile,
  sealed: Record<'request' | 'action' | 'trace' | 'evidence', { readonly bytes: Uint8Array }>,
  usage: AttemptUsage,
): void {
  const bounds: readonly (readonly [string, bigint, bigint])[] = [
    ['provider request bytes', BigInt(sealed.request.bytes.length), limits.max_provider_request_bytes],
    ['provider response bytes', BigInt(sealed.action.bytes.length), limits.max_provider_response_bytes],
    ['input tokens', usage.inputTokens, limits.max_reported_model_input_tokens],
    ['output tokens', usage.outputTokens, limits.max_reported_model_output_tokens],
    ['cost', usage.usdMicrounits, limits.max_usd_microunits],
    ['elapsed ms', usage.elapsedMs, limits.max_elapsed_ms],
    ['trace bytes', BigInt(sealed.trace.bytes.length), limits.max_trace_bytes],
    ['evidence bytes', BigInt(sealed.evidence.bytes.length), limits.max_evidence_bytes],
  ]
  for (const [name, value, maximum] of bounds)
    if (value > maximum) throw new SourceRunError('run', `${name}: got ${value}, expected at most ${maximum}`)
}
