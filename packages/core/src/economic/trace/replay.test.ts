import { describe, expect, test } from 'vitest'
import { sourceRunOf } from '../../../test/economic-fixture.ts'
import type { HostCall } from '../../../test/economic-run.ts'
import { playRun } from '../../../test/economic-run.ts'
import { renderCanonical } from '../canonical.ts'
import type { Evidence } from '../documents/evidence.ts'
import { evidenceShape } from '../documents/evidence.ts'
import type { Trace, TraceEvent } from '../documents/trace.ts'
import { RUN_STATUSES, traceShape } from '../documents/trace.ts'
import { verifyEvidence } from '../evidence/verify.ts'
import { capsuleOf, seal } from '../sealed.ts'
import { utf8 } from '../text.ts'
import { traceFault } from './replay.ts'
import { resultFault, statusOfCode } from './result.ts'

const run = playRun({ route: 'x402_evm' })
const trace = run.trace.document

/** A trace whose events are numbered again after a change. */
function withEvents(change: (events: TraceEvent[]) => readonly TraceEvent[]): Trace {
  const events = change([...trace.events]).map((event, index) => ({ ...event, index: BigInt(index) }))
  return { ...trace, events }
}

function change(kind: TraceEvent['kind'], changes: Partial<TraceEvent>): Trace {
  return withEvents((events) => events.map((event) => (event.kind === kind ? { ...event, ...changes } : event)))
}

const OTHER = `sha256:${'1'.repeat(64)}` as never

describe('Trace replay (notes, section 12)', () => {
  test.each([undefined, 'invoice', 'snapshot', 'simulate', 'approve', 'sign', 'broadcast', 'reconcile'] as const)(
    'a run whose %s is malformed replays, and so does its Evidence',
    (call) => {
      const edit = call === undefined ? {} : { [call as HostCall]: () => utf8('nope\n') }
      const played = playRun({ route: 'x402_evm', edit })
      expect(traceFault(played.trace.document)).toBeUndefined()
      expect(verifyEvidence(played.evidence.bytes, played.documents).findings).toEqual([])
    },
  )

  test('without one of its events, a confirmed run does not replay, and the gap is named', () => {
    const faults: Record<string, string | undefined> = {}
    for (const [index, event] of trace.events.entries()) {
      if (event.kind === 'journal_committed' || event.kind === 'invoice_loaded') continue
      faults[event.kind] = traceFault(withEvents((events) => events.toSpliced(index, 1)))
    }
    expect(faults).toEqual({
      run_started: 'events: run_started is missing',
      journal_loaded: 'events[1] journal_committed: out of order',
      intent_reserved: 'confirmed without intent_reserved',
      // what rests on the missing step names another digest than the step before
      snapshot_loaded: 'plan_built: input_digest',
      plan_built: 'simulation_finished: input_digest',
      simulation_finished: 'confirmed without simulation_finished',
      approval_finished: 'confirmed without approval_finished',
      transaction_signed: 'broadcast_finished: input_digest',
      broadcast_finished: 'confirmed without broadcast_finished',
      reconciliation_finished: 'confirmed without an observation',
      run_finished: 'events: run_finished is missing',
    })
  })

  test('with an event twice, or two swapped, it does not replay', () => {
    for (const [index, event] of trace.events.entries()) {
      if (event.kind === 'journal_committed') continue
      const repeated = withEvents((events) => events.toSpliced(index, 0, event))
      expect(traceFault(repeated)).toBe(`events[${index + 1}] ${event.kind}: out of order or repeated`)
    }
    for (let index = 1; index < trace.events.length; index += 1) {
      const [before, after] = [trace.events[index - 1], trace.events[index]]
      if (before === undefined || after === undefined) continue
      // A write may stand anywhere between load and end.
      if (before.kind === 'journal_committed' || after.kind === 'journal_committed') continue
      const swapped = withEvents((events) => events.toSpliced(index - 1, 2, after, before))
      expect(traceFault(swapped)).toBe(`events[${index}] ${before.kind}: out of order or repeated`)
    }
  })

  test.each([
    [
      'index',
      'events[0] run_started: index 1',
      { ...trace, events: trace.events.map((event) => ({ ...event, index: event.index + 1n })) },
    ],
    ['rail of a step', 'events: more than one rail', change('plan_built', { rail: 'solana' })],
    ['rail of a write', 'events[2] journal_committed: rail', change('journal_committed', { rail: 'evm' })],
    ['status', 'events[5] snapshot_loaded: status present', change('snapshot_loaded', { status: 'present' })],
    ['status of the end', 'events[20] run_finished: status pending', change('run_finished', { status: 'pending' })],
    ['source evidence', 'run_started: source evidence', change('run_started', { input_digest: OTHER })],
    ['policy', 'run_started: policy', change('run_started', { output_digest: OTHER })],
    ['intent', 'snapshot_loaded: intent', change('snapshot_loaded', { input_digest: OTHER })],
    ['snapshot that the plan rests on', 'plan_built: input_digest', change('plan_built', { input_digest: OTHER })],
    [
      'plan that was simulated',
      'simulation_finished: input_digest',
      change('simulation_finished', { input_digest: OTHER }),
    ],
    [
      'transaction that was broadcast',
      'broadcast_finished: input_digest',
      change('broadcast_finished', { input_digest: OTHER }),
    ],
    [
      'receipt that was reconciled',
      'reconciliation_finished: input_digest',
      change('reconciliation_finished', { input_digest: OTHER }),
    ],
    [
      'missing output',
      'events[9] approval_finished: output_digest',
      change('approval_finished', { output_digest: null }),
    ],
    [
      'superfluous output',
      'events[2] journal_committed: output_digest',
      change('journal_committed', { output_digest: OTHER }),
    ],
    [
      'counter',
      'events[12] transaction_signed: usage',
      change('transaction_signed', { usage: { ...trace.events[0]?.usage, signatures: 2n } as never }),
    ],
    [
      'elapsed time',
      'events[0] run_started: usage',
      change('run_started', { usage: { ...trace.events[0]?.usage, elapsed_ms: 1n } as never }),
    ],
    [
      'failure in the middle',
      'events[7] simulation_finished: usage.output_bytes',
      change('simulation_finished', { status: 'failed', output_digest: null }),
    ],
    [
      'observation of another status',
      'observed pending, ended confirmed',
      change('reconciliation_finished', { status: 'pending' }),
    ],
    [
      'failed write in a success',
      'events[3] intent_reserved: after a failure',
      change('journal_committed', { status: 'failed' }),
    ],
  ])('another %s: %s', (_, fault, changed) => {
    expect(traceFault(changed)).toBe(fault)
  })

  test('a success whose last write failed does not replay', () => {
    const last = trace.events.findLastIndex((event) => event.kind === 'journal_committed')
    const failed = withEvents((events) =>
      events.map((event, index) => (index === last ? { ...event, status: 'failed' } : event)),
    )
    expect(traceFault(failed)).toContain('write failed')
  })

  test('a retained end is a legal run without authority (D6)', () => {
    const [started, loaded, , , , , , , , , , , , , , , , , , , , finished] = trace.events
    const last = finished ?? trace.events.at(-1)
    if (started === undefined || loaded === undefined || last === undefined) throw new Error('no events')
    const usage = { ...loaded.usage, output_bytes: 2394n }
    const present = { ...loaded, status: 'present', output_digest: run.journals.at(-1)?.digest ?? null, usage }
    const retained = withEvents(() => [started, present, last])
    expect(traceFault(retained)).toBeUndefined()
    const written = trace.events.find((event) => event.kind === 'journal_committed')
    if (written === undefined) throw new Error('nothing was written')
    expect(traceFault(withEvents(() => [started, present, written, last]))).toBe('confirmed without an observation')
  })
})

describe('results', () => {
  test('every status has the codes that end in it', () => {
    expect(RUN_STATUSES.length).toBe(14)
    expect(statusOfCode('SPX-G212')).toBe('rejected')
    expect(statusOfCode('SPX-I226')).toBe('broadcast_unknown')
    expect(statusOfCode('SPX-G215')).toBe('adapter_failed')
  })

  test.each([
    ['a success with a code', { ...trace.result, code: 'SPX-I223' }],
    ['a success without its transaction', { ...trace.result, transaction_id: null }],
    ['a success of another status', { ...trace.result, confirmation_status: 'pending' }],
    ['a failure with a transaction', { ...trace.result, status: 'adapter_failed', code: 'SPX-I223', message: 'x' }],
    [
      'a failure without message',
      { status: 'rejected', transaction_id: null, confirmation_status: null, code: 'SPX-G212', message: null },
    ],
    [
      'a code that ends otherwise',
      { status: 'rejected', transaction_id: null, confirmation_status: null, code: 'SPX-I223', message: 'x' },
    ],
  ])('%s', (_, result) => {
    expect(resultFault(result as never)).toBeDefined()
  })
})

/** Evidence with changes, and a trace capsule that fits when the trace was changed. */
function changedEvidence(changes: Partial<Evidence>, changedTrace: Trace = trace): Uint8Array {
  const capsule = capsuleOf(seal('trace', traceShape, changedTrace))
  return utf8(renderCanonical(evidenceShape, { ...run.evidence.document, trace: capsule, ...changes }))
}

describe('Evidence replay', () => {
  const { document } = run.evidence

  test('unchanged, alone and with every document', () => {
    expect(verifyEvidence(changedEvidence({}))).toEqual({ ok: true, findings: [], checked: ['evidence'] })
  })

  test('every counter changed by one', () => {
    const open: ReadonlySet<string> = new Set([
      // These follow from documents beside Evidence, or only bound something.
      'used_approval_request_bytes',
      'used_unsigned_transaction_bytes',
      'used_signed_transaction_bytes',
      'used_builder_bytes',
      'used_recipients',
      'used_network_policies',
      'used_x402_origins',
      'used_utxos',
      'used_reconciliations',
      'used_elapsed_ms',
    ])
    for (const [name, value] of Object.entries(document.budget)) {
      const verdict = verifyEvidence(changedEvidence({ budget: { ...document.budget, [name]: value + 1n } }))
      if (!open.has(name)) expect(verdict.findings[0]?.code, name).toBe('SPX-G217')
    }
    const without = { ...document.budget, used_reconciliations: 0n }
    expect(verifyEvidence(changedEvidence({ budget: without })).ok).toBe(false)
    for (const name of [
      'used_builder_bytes',
      'used_utxos',
      'used_elapsed_ms',
      'used_approval_request_bytes',
    ] as const) {
      const over = { ...document.budget, [name]: 1n << 60n }
      expect(verifyEvidence(changedEvidence({ budget: over })).ok, name).toBe(false)
    }
  })

  test.each([
    ['run id', { run_id: OTHER }],
    ['policy', { policy: { ...document.policy, digest: OTHER } }],
    ['intent', { intent: { ...document.intent, digest: OTHER } }],
    ['source', { source_agent: { ...document.source_agent, digest: OTHER } }],
    ['no plan', { plan: null }],
    ['no approval', { approval: null }],
    ['no receipt', { broadcast: null }],
    ['no observation', { reconciliation: null }],
    ['journal', { journal: { ...document.journal, digest: OTHER } }],
    ['result', { result: { ...document.result, status: 'pending', confirmation_status: 'pending' } }],
    ['trace digest', { trace: { ...document.trace, digest: OTHER } }],
    ['trace length', { trace: { ...document.trace, bytes: 1n } }],
  ] as const)('another %s is SPX-G217', (_, changes) => {
    expect(verifyEvidence(changedEvidence(changes as Partial<Evidence>)).findings[0]?.code).toBe('SPX-G217')
  })

  test.each([
    'policy',
    'intent',
    'invoice',
    'snapshot',
    'plan',
    'simulation',
    'approval_request',
    'approval',
    'journal',
    'broadcast',
    'reconciliation',
    'trace',
  ] as const)('another %s beside it is found', (kind) => {
    const bytes = Uint8Array.from(run.documents[kind] ?? [])
    const at = new TextDecoder().decode(bytes).indexOf('17000') + 5
    bytes[at > 5 ? at : bytes.length - 10] = 0x31
    const verdict = verifyEvidence(run.evidence.bytes, { ...run.documents, [kind]: bytes })
    expect(verdict.ok).toBe(false)
    expect(verdict.findings[0]?.document).toBe(kind)
  })

  test('a receipt or an observation beside a run that names none is found', () => {
    const stopped = playRun({ route: 'x402_evm', edit: { simulate: () => new Uint8Array(0) } })
    for (const kind of ['broadcast', 'reconciliation'] as const) {
      const beside = { [kind]: run.documents[kind] ?? new Uint8Array(0) }
      expect(verifyEvidence(stopped.evidence.bytes, beside).findings).toMatchObject([
        { document: kind, code: 'SPX-G217', detail: 'not the document that Evidence names' },
      ])
    }
  })

  test('a source run beside it is replayed, and must be the one whose final message is the intent', () => {
    const bytesOf = ({ evidenceDocument, profile, task }: ReturnType<typeof sourceRunOf>) => ({
      evidence: evidenceDocument.bytes,
      profile: profile.bytes,
      task: task.bytes,
    })
    const { intent = new Uint8Array(0) } = run.documents
    const own = bytesOf(sourceRunOf(run.admission.intent.text))
    expect(verifyEvidence(run.evidence.bytes, { intent, source_run: own }).findings).toEqual([])
    const other = bytesOf(sourceRunOf(run.admission.intent.text.replace('"memo":null', '"memo":""')))
    expect(verifyEvidence(run.evidence.bytes, { intent, source_run: other }).findings).toMatchObject([
      { document: 'source_run', code: 'SPX-G217', detail: expect.stringContaining('the final message') },
    ])
    const { task: _, ...withoutTask } = own
    expect(verifyEvidence(run.evidence.bytes, { intent, source_run: withoutTask }).ok).toBe(true)
  })

  test('a run id that Trace and Evidence agree on is still derived again from policy and intent', () => {
    const bytes = changedEvidence({ run_id: OTHER }, { ...trace, run_id: OTHER })
    expect(verifyEvidence(bytes).ok).toBe(true)
    const { policy, intent } = run.documents
    const verdict = verifyEvidence(bytes, { ...(policy && { policy }), ...(intent && { intent }) })
    expect(verdict.findings[0]).toMatchObject({
      document: 'intent',
      code: 'SPX-G217',
      detail: 'the run id is another one',
    })
  })

  test('documents of another run are found', () => {
    const other = playRun({ route: 'x402_evm', limits: { max_utxos: 99n } })
    for (const kind of ['policy', 'journal', 'plan', 'simulation', 'approval'] as const)
      expect(verifyEvidence(run.evidence.bytes, { ...run.documents, [kind]: other.documents[kind] }).ok, kind).toBe(
        false,
      )
  })
})
