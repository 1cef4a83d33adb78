import type { SourceRun } from '../admission.ts'
import { AGENT_EVIDENCE_SCHEMA } from '../catalog.ts'
import type { AgentEvidenceDigest } from '../digest.ts'
import { utf8 } from '../text.ts'
import { agentRunId } from './build.ts'
import type { SealedAgent } from './catalog.ts'
import { AGENT_PRODUCTION_LIMITS, agentDigest, readAgent, SourceRunError } from './catalog.ts'
import { profileShape, taskShape } from './documents.ts'
import type { AgentEvidence, AgentTrace } from './evidence.ts'
import { agentEvidenceShape, agentTraceShape } from './evidence.ts'

/** The bytes of a source run. `profile` and `task` let its run id be derived again. */
export type SourceRunBytes = {
  readonly evidence: Uint8Array
  readonly finalMessage: Uint8Array
  readonly profile?: Uint8Array
  readonly task?: Uint8Array
}

/** Whether a source run is what it claims, or the first thing that is not. */
export type SourceRunVerdict =
  | { readonly ok: true; readonly run: SourceRun }
  | { readonly ok: false; readonly reason: string }

/**
 * Replays the evidence of a source run: its form, the embedded trace, the order of the steps, the final message by digest
 * and length, the counters that follow from them, and, where profile and task are given, the run id. A run that did not
 * complete is no source. Never throws for hostile bytes.
 */
export function verifySourceRun(bytes: SourceRunBytes): SourceRunVerdict {
  try {
    return { ok: true, run: readSourceRun(bytes) }
  } catch (cause) {
    if (cause instanceof SourceRunError) return { ok: false, reason: cause.message }
    throw cause
  }
}

/** The source run that its bytes prove. Throws {@link SourceRunError}. */
export function readSourceRun(bytes: SourceRunBytes): SourceRun {
  const evidence = readAgent('evidence', agentEvidenceShape, bytes.evidence)
  const trace = readAgent('trace', agentTraceShape, utf8(evidence.document.trace.document))
  checkTraceCapsule(evidence.document, trace)
  checkMessage(evidence.document, bytes.finalMessage)
  checkEvents(evidence.document, trace.document)
  checkCounters(evidence, trace)
  checkRunId(evidence.document, bytes)
  return {
    evidence: {
      schema: AGENT_EVIDENCE_SCHEMA,
      digest: evidence.digest as string as AgentEvidenceDigest,
      bytes: BigInt(evidence.bytes.length),
      run_id: evidence.document.run_id,
    },
    finalMessage: bytes.finalMessage,
  }
}

function requireRun(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new SourceRunError('evidence', rule)
}

function checkTraceCapsule(evidence: AgentEvidence, trace: SealedAgent<'trace', AgentTrace>): void {
  requireRun(evidence.trace.digest === trace.digest, 'the trace has another digest')
  requireRun(evidence.trace.bytes === BigInt(trace.bytes.length), 'the trace has another length')
  requireRun(evidence.run_id === trace.document.run_id, 'evidence and trace are of different runs')
  requireRun(evidence.profile.digest === trace.document.profile_digest, 'evidence and trace name different profiles')
  requireRun(evidence.task.digest === trace.document.task_digest, 'evidence and trace name different tasks')
}

function checkMessage({ result }: AgentEvidence, message: Uint8Array): void {
  requireRun(result.status === 'completed', `the run ended as ${JSON.stringify(result.status)}, expected completed`)
  requireRun(result.final_message_bytes === BigInt(message.length), 'the final message has another length')
  requireRun(result.final_message_digest === agentDigest('final-message', message), 'the final message is another one')
}

function checkEvents(evidence: AgentEvidence, trace: AgentTrace): void {
  const { events, termination } = trace
  const first = events[0]
  const accepted = events.at(-2)
  const last = events.at(-1)
  requireRun(
    events.every((event, index) => event.index === BigInt(index)),
    'the events are not numbered from zero',
  )
  requireRun(
    first?.kind === 'run_started' &&
      first.input_digest === (trace.profile_digest as string) &&
      first.output_digest === (trace.task_digest as string),
    'the first event does not start this run',
  )
  requireRun(
    accepted?.kind === 'action_accepted' &&
      accepted.status === 'final' &&
      accepted.output_digest === evidence.result.final_message_digest &&
      accepted.turn === evidence.result.last_turn,
    'no event accepts the final message',
  )
  requireRun(last?.kind === 'run_finished' && last.status === 'completed', 'the last event does not end the run')
  requireRun(
    termination.status === 'completed' && termination.code === null && termination.message === null,
    'the trace did not end as completed',
  )
}

function checkCounters(
  evidence: SealedAgent<'evidence', AgentEvidence>,
  trace: SealedAgent<'trace', AgentTrace>,
): void {
  const { budget, limits } = evidence.document
  const { usage, events } = trace.document
  const sum = (name: 'provider_input_bytes' | 'provider_output_bytes' | 'usd_microunits') =>
    events.reduce((total, event) => total + event.usage[name], 0n)
  requireRun(
    usage.provider_input_bytes === sum('provider_input_bytes') &&
      usage.provider_output_bytes === sum('provider_output_bytes') &&
      usage.usd_microunits === sum('usd_microunits'),
    'the totals are not the sums of the events',
  )
  requireRun(
    budget.used_trace_events === BigInt(events.length) &&
      budget.used_trace_bytes === BigInt(trace.bytes.length) &&
      budget.used_evidence_bytes === BigInt(evidence.bytes.length) &&
      budget.used_provider_input_bytes === usage.provider_input_bytes &&
      budget.used_provider_output_bytes === usage.provider_output_bytes &&
      budget.used_usd_microunits === usage.usd_microunits &&
      budget.used_turns === usage.turns,
    'the counters do not follow from the trace',
  )
  const names = Object.keys(AGENT_PRODUCTION_LIMITS) as (keyof typeof AGENT_PRODUCTION_LIMITS)[]
  requireRun(
    names.every((name) => limits[name] === AGENT_PRODUCTION_LIMITS[name]),
    'the limits are not the production maxima',
  )
}

function checkRunId(evidence: AgentEvidence, bytes: SourceRunBytes): void {
  const profile = bytes.profile && readAgent('profile', profileShape, bytes.profile)
  const task = bytes.task && readAgent('task', taskShape, bytes.task)
  requireRun(profile === undefined || profile.digest === evidence.profile.digest, 'another profile')
  requireRun(task === undefined || task.digest === evidence.task.digest, 'another task')
  if (profile === undefined || task === undefined) return
  const runId = agentRunId(profile.digest, task.digest, task.document.nonce)
  requireRun(runId === evidence.run_id, 'profile, task and nonce give another run id')
}
