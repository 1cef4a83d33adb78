/** What we do where section 16 of the notes overrides a recorded outcome, or where a field of it cannot be met. */
export type Exception = {
  /** The row of section 16, or what else decides. */
  readonly rule: string
  /** Fields that are ours; every other field that both have must equal the recorded one. */
  readonly ours: Readonly<Record<string, unknown>>
}

const run = (status: string, code: string | null, more: Readonly<Record<string, unknown>> = {}) => ({
  outcome: 'run',
  status,
  code,
  ...more,
})
/** Fields that cannot equal the recorded ones when the outcome, the evidence or the counters are ours. */
export const DERIVED_FIELDS: ReadonlySet<string> = new Set([
  ...['message', 'transaction_id', 'confirmation_status', 'events', 'trace_digest', 'evidence_digest'],
  ...['used_builder_bytes', 'used_elapsed_ms', 'used_journal_bytes', 'used_reconciliations'],
])

const paid = ['load', 'cas', 'snapshot', 'simulate', 'cas', 'approve', 'cas', 'cas', 'sign', 'cas', 'cas', 'broadcast']
const confirmedCalls = [...paid, 'cas', 'cas', 'reconcile', 'cas']
const confirmedJournals = [
  ...['v1:reserved@1700000000000', 'v2:prepared@1700000000001', 'v3:approved@1700000000001'],
  ...['v4:approved@1700000000001', 'v5:signed@1700000000001', 'v6:broadcast_unknown@0'],
  ...['v7:broadcasted@1700000000002', 'v8:broadcasted@1700000000002', 'v9:confirmed@1700000000003'],
]
const retains = (count: number): string[] => new Array<string>(count).fill('retain')
const reserved = 'reserve:fixture.wallet:evm:sepolia:native:eth:1700000000000:10:1000000'

const each = (names: readonly string[], exception: Exception): Record<string, Exception> =>
  Object.fromEntries(names.map((name) => [name, exception]))

const failedLoad: Exception = { rule: 'D1', ours: run('journal_failed', 'SPX-I222', { used_journal_bytes: 740 }) }
const foreign: Exception = { rule: 'D2', ours: run('adapter_failed', 'SPX-G215') }
const notCanonical: Exception = { rule: 'D2, D14', ours: run('adapter_failed', 'SPX-G210') }
const unbalanced: Exception = { rule: 'D2', ours: run('adapter_failed', 'SPX-G217') }
const failedObservation: Exception = {
  rule: 'D3',
  ours: run('reconciliation_failed', 'SPX-I227', { used_reconciliations: 1 }),
}
const observedAgain = (first: number): Exception => ({
  rule: 'D7',
  ours: run('confirmed', null, {
    calls: ['load', 'cas', 'reconcile', 'cas'],
    rolling: retains(2),
    journals: [`v${first}:pending@1700000000003`, `v${first + 1}:confirmed@1700000000003`],
  }),
})
const rejectedReceipt: Exception = {
  rule: 'D9',
  ours: run('adapter_failed', 'SPX-I223', { calls: ['load'], rolling: [], journals: [] }),
}
const failClosed: Exception = { rule: 'D10, D11', ours: run('adapter_failed', 'SPX-G215') }
const realCurve: Exception = {
  rule: 'D16',
  ours: run('confirmed', null, {
    calls: confirmedCalls,
    rolling: [reserved, ...retains(8)],
    journals: confirmedJournals,
  }),
}

/** Exceptions by file and row. Every other recorded run is reproduced in all its fields. */
export const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, Exception>>>> = {
  dispositions: {
    ...each(['load/definitely_not_started', 'load/failed_uncertain'], failedLoad),
    ...each(['reconcile/definitely_not_started', 'reconcile/failed_uncertain'], failedObservation),
    ...each(['cas5/definitely_not_started', 'cas5/failed_uncertain'], {
      rule: 'D4',
      ours: run('journal_failed', 'SPX-I222', { used_journal_bytes: 1287 }),
    }),
    'cas5/policy_rejected': { rule: 'D4', ours: run('rejected', 'SPX-G212', { used_journal_bytes: 1287 }) },
    ...each(['cas9/definitely_not_started', 'cas9/failed_uncertain/persisted'], {
      rule: 'D5',
      ours: run('journal_failed', 'SPX-I222', { used_journal_bytes: 1905, used_reconciliations: 1 }),
    }),
    'cas9/policy_rejected': { rule: 'D5', ours: run('rejected', 'SPX-G212', { used_journal_bytes: 1905 }) },
  },
  cancel_deadline: {
    'cancel during load': {
      rule: 'D17',
      ours: run('cancelled', 'SPX-I228', { calls: ['load'], rolling: [], journals: [] }),
    },
    'clock goes backwards after snapshot': {
      rule: 'D12',
      ours: run('deadline_exceeded', 'SPX-I229', { used_elapsed_ms: 600_000 }),
    },
  },
  restart: {
    ...each(['reconcile from persisted v2', 'reconcile from persisted v3', 'reconcile from persisted v5'], failClosed),
    'reconcile from persisted v9': { rule: 'D6', ours: run('confirmed', null, { confirmation_status: 'confirmed' }) },
    ...each(['reconcile load definitely_not_started', 'reconcile load failed_uncertain'], {
      rule: 'D1',
      ours: run('journal_failed', 'SPX-I222', { used_journal_bytes: 739 }),
    }),
    'reconcile after v6 pending -> confirmed': observedAgain(9),
    'reconcile again after pending over unknown receipt': observedAgain(10),
    ...each(['execute from rejected receipt', 'reconcile from rejected receipt'], rejectedReceipt),
    'execute from rejected v3': { rule: 'D8', ours: run('journal_failed', 'SPX-I222', { used_journal_bytes: 1146 }) },
    ...each(
      [
        ...['execute journal run_id mutated', 'execute journal policy ref mutated'],
        ...['reconcile journal reserved amount mutated', 'execute journal state pending on confirmed'],
        ...['execute journal version 10 (odd)', 'reconcile journal version 10 (odd)', 'reconcile journal version 8'],
        ...['execute journal updated mutated', 'execute journal unknown state', 'reconcile journal unknown state'],
        ...['reconcile journal extra key', 'execute journal capsule digest mutated'],
        ...['reconcile journal capsule digest mutated', 'reconcile journal v1 version 2'],
      ],
      foreign,
    ),
    'execute journal key order': {
      ...notCanonical,
      ours: run('adapter_failed', 'SPX-G210', { calls: ['load'], rolling: [], journals: [], pushes: [] }),
    },
    ...each(['execute journal no LF', 'reconcile journal not json'], notCanonical),
    ...each(['execute journal unbalanced', 'reconcile journal unbalanced'], unbalanced),
    'clock 5000 reconcile v6': { rule: 'D21', ours: run('confirmed', null, { used_elapsed_ms: 0 }) },
  },
  malformed: {
    ...each(['sign evm: r=n-1', 'sign evm: s=n/2', 'sign evm: r=quirk order', 'sign evm: s=quirk half+1'], realCurve),
    // Both accept it; which number the recorded one was is not told, so its transaction id differs.
    'sign evm: r=quirk order -': { rule: 'D16', ours: {} },
  },
  rails: {
    'bitcoin simulate: "units":1 -> "units":0': {
      rule: 'D22',
      ours: run('adapter_failed', 'SPX-G213', {
        calls: ['load', 'cas', 'snapshot', 'simulate', 'cas'],
        rolling: ['reserve:fixture.wallet:bitcoin:regtest:native:btc:1700000000000:10000:1000000', 'release'],
        journals: ['v1:reserved@1700000000000', 'v2:failed@1700000000000'],
      }),
    },
  },
  limits: {
    'max_journal_bytes -1 (2393)': { rule: 'D5', ours: { used_journal_bytes: 1905 } },
  },
}
