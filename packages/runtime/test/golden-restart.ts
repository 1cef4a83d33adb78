import type { HappyRow } from './fixture.ts'
import { limitPlay } from './golden-malformed.ts'
import { keyOf, observationOf, type Play, play, replaceIn } from './golden-play.ts'

type Operation = 'execute' | 'reconcile'

/** Version `version` of the confirmed run. */
const version = (number: number) => (row: HappyRow) => row.journal_documents[number - 1]

/** What a run leaves in the journal. */
const left = (by: Play) => async (row: HappyRow) => (await play(by)).scripted.stored.get(keyOf(row))

const pushing = (pushes: Record<string, (usual: Uint8Array) => Uint8Array>): Play => ({
  fixture: 'evm',
  script: { pushes },
})
const receipt = (disposition: string) => pushing({ broadcast: replaceIn('"accepted"', `"${disposition}"`) })
const pendingFrom = (stored: NonNullable<Play['stored']>): Play => ({
  ...pushing({ reconcile: observationOf('pending') }),
  operation: 'reconcile',
  stored,
})

/** Changes of a stored journal, by the word of its row. The recorded ones are not known; ours break the same rule. */
const mutations: Readonly<Record<string, { readonly version: number; readonly change: (text: string) => string }>> = {
  'run_id mutated': { version: 6, change: (text) => text.replace(/("run_id":"sha256:)./, '$10') },
  'policy ref mutated': { version: 6, change: (text) => text.replace(/("policy":\{.*?"sha256:)./, '$10') },
  'reserved amount mutated': { version: 6, change: (text) => text.replace('amount_atomic":10,', 'amount_atomic":11,') },
  'state pending on confirmed': {
    version: 9,
    change: (text) => text.replace('"state":"confirmed"', '"state":"pending"'),
  },
  'version 10 (odd)': { version: 9, change: (text) => text.replace('"version":9', '"version":10') },
  'version 8': { version: 9, change: (text) => text.replace('"version":9', '"version":8') },
  'updated mutated': {
    version: 7,
    change: (text) => text.replace('"updated_at_ms":1700000000002}', '"updated_at_ms":1}'),
  },
  'unknown state': { version: 6, change: (text) => text.replace('"state":"broadcast_unknown"', '"state":"lost"') },
  'extra key': { version: 6, change: (text) => text.replace(/\}\n$/, ',"extra":1}\n') },
  'key order': {
    version: 1,
    change: (text) => text.replace(/^\{("schema":"[^"]*"),("idempotency_key":"[^"]*")/, '{$2,$1'),
  },
  'capsule digest mutated': {
    version: 7,
    change: (text) => text.replace(/("broadcast":\{.*?"sha256:)./, '$10'),
  },
  'v1 version 2': { version: 1, change: (text) => text.replace('"version":1', '"version":2') },
  'no LF': { version: 6, change: (text) => text.slice(0, -1) },
  unbalanced: { version: 6, change: (text) => `{${text}` },
  'not json': { version: 6, change: () => 'nope\n' },
}

/** The play of a row of `restart.json`. */
export function restartPlay(name: string): Play | undefined {
  const persisted = /^(execute|reconcile) from persisted v(\d)$/.exec(name)
  if (persisted !== null) {
    return { fixture: 'evm', operation: persisted[1] as Operation, stored: version(Number(persisted[2])) }
  }
  const mutated = /^(execute|reconcile) journal (.*)$/.exec(name)
  const mutation = mutations[mutated?.[2] ?? '']
  if (mutated !== null && mutation !== undefined) {
    const stored = (row: HappyRow) => mutation.change(version(mutation.version)(row) ?? '')
    return { fixture: 'evm', operation: mutated[1] as Operation, stored }
  }
  const clock = /^clock 5000 (execute|reconcile) v(\d)$/.exec(name)
  if (clock !== null) {
    const control = { aborted: false, elapsedMs: 5000n }
    return { fixture: 'evm', operation: clock[1] as Operation, stored: version(Number(clock[2])), control }
  }
  const failing = (answer: string): Play => ({
    fixture: 'evm',
    operation: 'reconcile',
    stored: version(6),
    script: { answers: { reconcile: answer as 'failed_uncertain' } },
  })
  const failed = { fixture: 'evm', script: { answers: { snapshot: 'failed_uncertain' } } } as const
  const refused = pushing({ approve: replaceIn('"decision":"approved"', '"decision":"rejected"') })
  const unknown = receipt('unknown')
  const plays: Readonly<Record<string, Play>> = {
    'base evm confirmed': { fixture: 'evm' },
    'execute from nothing': { fixture: 'evm' },
    'base receipt unknown': unknown,
    'reconcile load definitely_not_started': {
      ...{ fixture: 'evm', operation: 'reconcile', stored: version(6) },
      script: { answers: { load: 'definitely_not_started' } },
    },
    'reconcile load failed_uncertain': {
      ...{ fixture: 'evm', operation: 'reconcile', stored: version(6) },
      script: { answers: { load: 'failed_uncertain' } },
    },
    'reconcile v6 pending': pendingFrom(version(6)),
    'reconcile after v6 pending -> confirmed': {
      ...{ fixture: 'evm', operation: 'reconcile', stored: left(pendingFrom(version(6))) },
    },
    'reconcile v6 adapter fails': failing('failed_uncertain'),
    'reconcile v6 adapter not started (odd marker kept)': failing('definitely_not_started'),
    'reconcile from odd marker, limit 1 consumed': {
      ...limitPlay('evm', 'max_reconciliations', '1'),
      ...{ operation: 'reconcile', stored: version(8) },
    },
    'reconcile pending from v7 unknown receipt': pendingFrom(left(unknown)),
    'reconcile again after pending over unknown receipt': {
      ...{ fixture: 'evm', operation: 'reconcile', stored: left(pendingFrom(left(unknown))) },
    },
    'execute from rejected receipt': { fixture: 'evm', stored: left(receipt('rejected')) },
    'reconcile from rejected receipt': { fixture: 'evm', operation: 'reconcile', stored: left(receipt('rejected')) },
    'execute from failed v2': { fixture: 'evm', stored: left(failed) },
    'reconcile from failed v2': { fixture: 'evm', operation: 'reconcile', stored: left(failed) },
    'execute from rejected v3': { fixture: 'evm', stored: left(refused) },
    'execute with pre-cancelled after v6': {
      ...{ fixture: 'evm', stored: version(6), control: { aborted: true, elapsedMs: 0n } },
    },
  }
  return plays[name]
}
