import type { DomainDigest } from '../digest.ts'
import { domainDigest } from '../digest.ts'
import type { Quote } from '../json.ts'
import { parseJson, platformQuote, quote } from '../json.ts'
import type { Shape } from '../shape.ts'
import { isObject } from '../shape.ts'
import { utf8, utf8Text } from '../text.ts'

/** Documents of a source run. */
export type AgentDocumentKind = 'profile' | 'task' | 'action' | 'provider-request' | 'trace' | 'evidence'

/** Digest of a document of a source run. */
export type AgentDigest<Kind extends string> = DomainDigest<`agent-${Kind}`>

/** A document of a source run, or a run as a whole, breaks a rule of Agent Runtime v1. Not retryable: the bytes are wrong. */
export class SourceRunError extends Error {
  override readonly name = 'SourceRunError'
  readonly retryable = false
  readonly document: string
  readonly detail: string

  constructor(document: string, detail: string) {
    super(`Agent Runtime ${document}: ${detail}`)
    this.document = document
    this.detail = detail
  }
}

/** The production maxima of a source run, in canonical order. Source: notes, section 15, and the frozen source run. */
export const AGENT_PRODUCTION_LIMITS = {
  max_profile_bytes: 1_048_576n,
  max_task_bytes: 4_194_304n,
  max_models: 32n,
  max_tools: 32n,
  max_capabilities: 64n,
  max_turns: 16n,
  max_provider_attempts: 32n,
  max_retries_per_turn: 1n,
  max_concurrency: 1n,
  max_elapsed_ms: 300_000n,
  max_provider_request_bytes: 4_194_304n,
  max_provider_response_bytes: 1_048_576n,
  max_stream_chunks: 8192n,
  max_total_provider_input_bytes: 33_554_432n,
  max_total_provider_output_bytes: 8_388_608n,
  max_reported_model_input_tokens: 2_097_152n,
  max_reported_model_output_tokens: 262_144n,
  max_usd_microunits: 10_000_000n,
  max_tool_calls: 32n,
  max_tool_arguments_bytes: 262_144n,
  max_tool_result_bytes: 1_048_576n,
  max_total_tool_bytes: 16_777_216n,
  max_retained_state_bytes: 16_777_216n,
  max_trace_events: 4096n,
  max_trace_bytes: 16_777_216n,
  max_evidence_bytes: 20_971_520n,
  max_builder_bytes: 67_108_864n,
  max_json_depth: 16n,
  max_identifier_bytes: 240n,
  max_description_bytes: 4096n,
} as const

/** Name of a production maximum. */
export type AgentLimitName = keyof typeof AGENT_PRODUCTION_LIMITS
/** The maxima that no profile lowers. */
type FixedLimitName =
  | 'max_profile_bytes'
  | 'max_task_bytes'
  | 'max_models'
  | 'max_tools'
  | 'max_capabilities'
  | 'max_json_depth'
  | 'max_identifier_bytes'
  | 'max_description_bytes'
/** Name of a limit of a profile. */
export type ProfileLimitName = Exclude<AgentLimitName, FixedLimitName>
const NOT_IN_PROFILE: ReadonlySet<AgentLimitName> = new Set<FixedLimitName>([
  'max_profile_bytes',
  'max_task_bytes',
  'max_models',
  'max_tools',
  'max_capabilities',
  'max_json_depth',
  'max_identifier_bytes',
  'max_description_bytes',
])
/** The 22 limits that a profile sets: those from `max_turns` to `max_builder_bytes`. */
export const PROFILE_LIMIT_NAMES = (Object.keys(AGENT_PRODUCTION_LIMITS) as AgentLimitName[]).filter(
  (name): name is ProfileLimitName => !NOT_IN_PROFILE.has(name),
)

const MAX_BYTES: Readonly<Record<AgentDocumentKind, bigint>> = {
  profile: AGENT_PRODUCTION_LIMITS.max_profile_bytes,
  task: AGENT_PRODUCTION_LIMITS.max_task_bytes,
  action: AGENT_PRODUCTION_LIMITS.max_provider_response_bytes,
  'provider-request': AGENT_PRODUCTION_LIMITS.max_provider_request_bytes,
  trace: AGENT_PRODUCTION_LIMITS.max_trace_bytes,
  evidence: AGENT_PRODUCTION_LIMITS.max_evidence_bytes,
}

/** The writer of the runtime's Trace and Evidence also has `\b` and `\f`, and leaves DEL and C1 raw. Source: notes, section 1. */
const runtimeQuote: Quote = platformQuote

/** How the strings of a kind are written. */
export function agentQuote(kind: AgentDocumentKind): Quote {
  return kind === 'trace' || kind === 'evidence' ? runtimeQuote : quote
}

/** The `schema` literal of a kind. */
export function agentSchema<Kind extends AgentDocumentKind>(kind: Kind): `semaprax.agent-runtime-${Kind}.v1` {
  return `semaprax.agent-runtime-${kind}.v1`
}

/** Digest under `semaprax.agent-runtime.<name>-digest.v1`; names beside the kinds: `provider-response`, `final-message`. */
export function agentDigest<Name extends AgentDocumentKind | 'provider-response' | 'final-message'>(
  name: Name,
  bytes: Uint8Array,
): AgentDigest<Name> {
  return domainDigest(`semaprax.agent-runtime.${name}-digest.v1\0`, bytes)
}

/** A document of a source run with its text, bytes and digest. */
export type SealedAgent<Kind extends AgentDocumentKind, T> = {
  readonly kind: Kind
  readonly document: T
  readonly text: string
  readonly bytes: Uint8Array
  readonly digest: AgentDigest<Kind>
}

function renderAgent<T>(kind: AgentDocumentKind, shape: Shape<T>, document: T): string {
  return `${shape.write(document, agentQuote(kind))}\n`
}

/** Renders a document of a source run. */
export function sealAgent<Kind extends AgentDocumentKind, T>(
  kind: Kind,
  shape: Shape<T>,
  document: T,
): SealedAgent<Kind, T> {
  const text = renderAgent(kind, shape, document)
  const bytes = utf8(text)
  return { kind, document, text, bytes, digest: agentDigest(kind, bytes) }
}

/** Reads a document of a source run in its exact form. Throws {@link SourceRunError}. */
export function readAgent<Kind extends AgentDocumentKind, T>(
  kind: Kind,
  shape: Shape<T>,
  bytes: Uint8Array,
): SealedAgent<Kind, T> {
  const refuse = (detail: string): never => {
    throw new SourceRunError(kind, detail)
  }
  if (BigInt(bytes.length) > MAX_BYTES[kind])
    return refuse(`got ${bytes.length} bytes, expected ${MAX_BYTES[kind]} at most`)
  const text = utf8Text(bytes) ?? refuse('not UTF-8')
  const parsed = text.endsWith('\n') ? parseJson(text) : undefined
  if (parsed === undefined) return refuse('not one line of JSON with a final LF')
  if (BigInt(parsed.depth) > AGENT_PRODUCTION_LIMITS.max_json_depth) return refuse(`nested ${parsed.depth} deep`)
  if (!isObject(parsed.value) || parsed.value['schema'] !== agentSchema(kind))
    return refuse(`expected an object with schema ${agentSchema(kind)}`)
  const document = shape.read(parsed.value, refuse, kind)
  if (renderAgent(kind, shape, document) !== text) return refuse('rendered again, the text differs')
  return { kind, document, text, bytes, digest: agentDigest(kind, bytes) }
}
