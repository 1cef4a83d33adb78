import { describe, expect, test } from 'vitest'
import { CREATED_AT } from '../../../test/economic-fixture.ts'
import { playRun } from '../../../test/economic-run.ts'
import { renderCanonical } from '../canonical.ts'
import { EconomicError } from '../diagnostics.ts'
import type { Journal, ReadJournal } from '../documents/journal.ts'
import { JOURNAL_STATES, journalShape, readJournal } from '../documents/journal.ts'
import type { Disposition } from '../documents/receipt.ts'
import { DISPOSITIONS, provisionalReceipt, readReceipt, receiptShape } from '../documents/receipt.ts'
import type { ConfirmationStatus } from '../documents/reconciliation.ts'
import { CONFIRMATION_STATUSES, readReconciliation, reconciliationShape } from '../documents/reconciliation.ts'
import { seal } from '../sealed.ts'
import { utf8 } from '../text.ts'
import { assertJournal, attemptsOf, isBound, isTerminal, parseJournal, stateFault } from './state.ts'
import type { JournalStep } from './transition.ts'
import { advanceJournal, reserveJournal, rollingAction, transitionFault, unwrittenJournal } from './transition.ts'

const run = playRun({ route: 'evm' })
const { admission } = run
const [v1, v2, v3, v4, v5, v6, v7, v8, v9] = run.journals as [
  ReadJournal,
  ReadJournal,
  ReadJournal,
  ReadJournal,
  ReadJournal,
  ReadJournal,
  ReadJournal,
  ReadJournal,
  ReadJournal,
]
if (run.signed === undefined) throw new Error('nothing was signed')
const identity = { rail: 'evm', signedDigest: run.signed.digest, transactionId: run.signed.transactionId } as const

function codeOf(act: () => unknown): string {
  try {
    act()
    return 'passed'
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return cause.code
  }
}

function receipt(disposition: Disposition, observedAtMs = CREATED_AT + 2n) {
  const { document } = provisionalReceipt(identity)
  const sealed = seal('broadcast', receiptShape, { ...document, disposition, observed_at_ms: observedAtMs })
  return readReceipt(sealed.bytes, identity, 'adapter')
}

function observation(status: ConfirmationStatus, observedAtMs = CREATED_AT + 3n) {
  if (v9.observation === null) throw new Error('nothing was observed')
  const document = { ...v9.observation.document, status, observed_at_ms: observedAtMs }
  return readReconciliation(seal('reconciliation', reconciliationShape, document).bytes, identity)
}

function edited(journal: ReadJournal, changes: Partial<Journal>): ReadJournal {
  return readJournal(utf8(renderCanonical(journalShape, { ...journal.document, ...changes })))
}

describe('the path of a payment', () => {
  test('is Reserve, then only Retain, and every written version is a legal successor', () => {
    expect(run.rolling).toEqual(['reserve', ...Array<string>(8).fill('retain')])
    for (const [index, journal] of run.journals.entries())
      expect(transitionFault(run.journals[index - 1] ?? null, journal)).toBeUndefined()
  })

  test('version 0 is rendered for Evidence only', () => {
    expect(unwrittenJournal(admission).document).toEqual({ ...reserveJournal(admission).document, version: 0n })
    expect(stateFault(unwrittenJournal(admission))).toContain('version 0')
  })

  test('a step at another place is SPX-G215: the transition table', () => {
    const provisional = provisionalReceipt(identity)
    const steps: Record<string, JournalStep> = {
      approve: { kind: 'approve', approval: { document: {} } as never },
      begin_sign: { kind: 'begin_sign' },
      begin_broadcast: { kind: 'begin_broadcast', receipt: provisional },
      broadcast: { kind: 'broadcast', receipt: receipt('accepted') },
      begin_observe: { kind: 'begin_observe' },
      close_observe: { kind: 'close_observe' },
      observe: { kind: 'observe', observation: observation('confirmed') },
      end: { kind: 'end', state: 'failed', updatedAtMs: CREATED_AT },
    }
    const legal: Record<string, readonly ReadJournal[]> = {
      approve: [v2],
      begin_sign: [v3],
      begin_broadcast: [v5],
      broadcast: [v6],
      begin_observe: [v6, v7],
      close_observe: [v8],
      observe: [v8],
      end: [v1, v2, v3],
    }
    for (const [name, step] of Object.entries(steps))
      for (const journal of run.journals) {
        const at = `${name} after version ${journal.document.version}`
        if (name === 'approve' && journal === v2) continue
        expect(
          codeOf(() => advanceJournal(journal, step)),
          at,
        ).toBe(legal[name]?.includes(journal) ? 'passed' : 'SPX-G215')
      }
  })

  test.each([v1, v2, v3])('version $document.version may end early, and releases the reservation', (journal) => {
    for (const state of ['cancelled', 'rejected', 'failed'] as const) {
      const ended = advanceJournal(journal, { kind: 'end', state, updatedAtMs: CREATED_AT + 7n })
      expect(ended.document).toMatchObject({
        state,
        version: journal.document.version + 1n,
        updated_at_ms: CREATED_AT + 7n,
      })
      expect(rollingAction(journal.document, ended.document)).toBe('release')
      expect(transitionFault(journal, ended)).toBeUndefined()
      expect(isTerminal(ended.document)).toBe(true)
      expect(readJournal(ended.bytes)).toEqual(ended)
    }
  })
})

describe('receipts and observations', () => {
  test.each(DISPOSITIONS)('a receipt that says %s', (disposition) => {
    const next = advanceJournal(v6, { kind: 'broadcast', receipt: receipt(disposition) })
    expect(next.document.state).toBe(
      { accepted: 'broadcasted', pending: 'pending', unknown: 'broadcast_unknown', rejected: 'rejected' }[disposition],
    )
    expect(rollingAction(v6.document, next.document)).toBe('retain')
    // D9: a rejected broadcast is the end, it is not asked for.
    const observe = () => advanceJournal(next, { kind: 'begin_observe' })
    expect(codeOf(observe)).toBe(disposition === 'rejected' ? 'SPX-G215' : 'passed')
  })

  test.each(CONFIRMATION_STATUSES)(
    '%s over an unknown receipt, actual or provisional, can be read again (D7)',
    (status) => {
      const unknown = advanceJournal(v6, { kind: 'broadcast', receipt: receipt('unknown') })
      for (const start of [v6, unknown]) {
        const marked = advanceJournal(start, { kind: 'begin_observe' })
        const observed = advanceJournal(marked, { kind: 'observe', observation: observation(status) })
        expect(observed.document.state).toBe(status)
        expect(readJournal(observed.bytes)).toEqual(observed)
        expect(codeOf(() => assertJournal(observed, admission))).toBe('passed')
        expect(attemptsOf(observed)).toEqual({ count: 1n, outstanding: false })
      }
    },
  )

  test('a marker over a pending observation is legal, so that a crash inside it loses nothing', () => {
    const pending = advanceJournal(v8, { kind: 'observe', observation: observation('pending') })
    const marked = advanceJournal(pending, { kind: 'begin_observe' })
    expect(attemptsOf(marked)).toEqual({ count: 2n, outstanding: true })
    expect(codeOf(() => parseJournal(marked.bytes, admission))).toBe('passed')
    const closed = advanceJournal(marked, { kind: 'close_observe' })
    const again = advanceJournal(closed, { kind: 'begin_observe' })
    const confirmed = advanceJournal(again, { kind: 'observe', observation: observation('confirmed') })
    expect(attemptsOf(confirmed)).toEqual({ count: 3n, outstanding: false })
  })

  test.each([
    ['version 6, provisional', () => v6, 0n, false],
    ['its marker', () => advanceJournal(v6, { kind: 'begin_observe' }), 1n, true],
    ['version 7, actual', () => v7, 0n, false],
    ['version 8', () => v8, 1n, true],
    ['version 9', () => v9, 1n, false],
    ['version 5', () => v5, 0n, false],
  ] as const)('attempts of %s', (_, journal, count, outstanding) => {
    expect(attemptsOf(journal())).toEqual({ count, outstanding })
  })

  test('more observations than max_reconciliations are SPX-G215', () => {
    let journal = v8
    for (let count = 1n; count < 64n; count += 1n)
      journal = advanceJournal(advanceJournal(journal, { kind: 'close_observe' }), { kind: 'begin_observe' })
    expect(attemptsOf(journal).count).toBe(64n)
    expect(codeOf(() => assertJournal(journal, admission))).toBe('passed')
    const more = advanceJournal(advanceJournal(journal, { kind: 'close_observe' }), { kind: 'begin_observe' })
    expect(codeOf(() => assertJournal(more, admission))).toBe('SPX-G215')
  })
})

describe('states that a journal cannot have (notes, section 11)', () => {
  test('the state of every version changed to every other one', () => {
    const stages = ['reserved', 'prepared', 'approved', 'approved', 'signed', 'broadcast', 'broadcast', 'broadcast']
    for (const [index, journal] of run.journals.entries())
      for (const state of JOURNAL_STATES) {
        const { version } = journal.document
        const own = journal.document.state === state
        // Version 4 with an approval may also be the end of version 3; which of them is written is a matter of steps.
        const endOfApproved = version === 4n && ['rejected', 'cancelled', 'failed'].includes(state)
        const fault = `state ${state} at version ${version} after ${stages[index] ?? 'observed'}`
        expect(stateFault(edited(journal, { state }))).toBe(own || endOfApproved ? undefined : fault)
      }
    for (const state of ['rejected', 'cancelled', 'failed'] as const)
      expect(transitionFault(v4, edited(v4, { state, version: 5n }))).toBe(`state ${state} at version 5 after approved`)
  })

  test.each([
    ['a version that is too high', () => edited(v1, { version: 2n }), 'state reserved at version 2 after reserved'],
    [
      'an odd version of a confirmed one',
      () => edited(v9, { version: 10n }),
      'state confirmed at version 10 after obs',
    ],
    [
      'a confirmed one without its attempt',
      () => edited(v9, { version: 7n }),
      'state confirmed at version 7 after obs',
    ],
    ['a field that is set too early', () => edited(v1, { approval: v3.document.approval }), 'not a prefix of the path'],
    ['a plan without simulation', () => edited(v2, { simulation: null }), 'not a prefix of the path'],
    ['another time', () => edited(v9, { updated_at_ms: CREATED_AT }), 'updated_at_ms is not the last observation time'],
    [
      'an observation older than the receipt',
      () => observedUnchecked(observation('confirmed', CREATED_AT)),
      'the observation is older than the receipt',
    ],
  ])('%s', (_, make, fault) => {
    expect(stateFault(make())).toContain(fault)
  })

  function observedUnchecked(seen: ReturnType<typeof observation>): ReadJournal {
    const reconciliation = {
      schema: seen.document.schema,
      digest: seen.digest,
      bytes: BigInt(seen.bytes.length),
      document: seen.text,
    }
    return edited(v9, { reconciliation, updated_at_ms: seen.document.observed_at_ms })
  }

  test('a rejected state at versions 2 to 4 is legal (D8)', () => {
    const ended = advanceJournal(v2, { kind: 'end', state: 'rejected', updatedAtMs: CREATED_AT })
    expect(codeOf(() => parseJournal(ended.bytes, admission))).toBe('passed')
  })
})

describe('a loaded journal', () => {
  const text = v9.text
  const G215 = 'SPX-G215'

  test.each([
    ['key', '"idempotency_key":"fixture.payment.evm"', '"idempotency_key":"other"', G215],
    ['run id', '"run_id":"sha256:', '"run_id":"sha256:0', G215],
    ['amount', '"reserved_amount_atomic":10', '"reserved_amount_atomic":11', G215],
    ['state', '"state":"confirmed"', '"state":"pending"', G215],
    ['unknown state', '"state":"confirmed"', '"state":"paid"', G215],
    ['extra key', '{"schema"', '{"x":1,"schema"', G215],
    ['white space (D14)', '"version":9', '"version": 9', 'SPX-G210'],
    [
      'digest of a plan (D14)',
      '"unsigned_transaction":{"digest":"sha256:',
      '"unsigned_transaction":{"digest":"sha256:X',
      G215,
    ],
    ['length of a capsule', '"bytes":335', '"bytes":336', G215],
    ['receipt inside', '\\"disposition\\":\\"accepted\\"', '\\"disposition\\":\\"pending\\"', G215],
  ])('another %s', (_, from, to, expected) => {
    expect(text).toContain(from)
    expect(codeOf(() => parseJournal(utf8(text.replace(from, () => to)), admission))).toBe(expected)
  })

  test('key order (D14), missing LF and unbalanced brackets', () => {
    const swapped = text.replace(/("version":9),("policy":\{[^}]*\})/, '$2,$1')
    expect(swapped).not.toBe(text)
    expect(codeOf(() => parseJournal(utf8(swapped), admission))).toBe('SPX-G210')
    expect(codeOf(() => parseJournal(utf8(text.slice(0, -1)), admission))).toBe('SPX-G210')
    expect(codeOf(() => parseJournal(utf8(text.slice(0, -2)), admission))).toBe('SPX-G217')
  })

  test('of another intent is not bound', () => {
    const other = playRun({ route: 'evm_kat' })
    expect(isBound(v9.document, admission)).toBe(true)
    expect(isBound(v9.document, other.admission)).toBe(false)
    expect(codeOf(() => parseJournal(v9.bytes, other.admission))).toBe(G215)
  })

  test.each(run.journals)('version $document.version passes as it is', (journal) => {
    expect(parseJournal(journal.bytes, admission)).toEqual(journal)
  })
})

describe('what a host must refuse to write', () => {
  test.each([
    ['a second first journal', null, v2, 'not a first one'],
    ['a gap', v1, v3, 'version 3 after 1'],
    ['a step back', v3, v2, 'version 2 after 3'],
    ['the same version', v4, v4, 'version 4 after 4'],
    ['anything after the end', v9, edited(v8, { version: 10n }), 'nothing follows confirmed'],
    ['another amount', v1, edited(v2, { reserved_amount_atomic: 11n }), 'reserved_amount_atomic was changed'],
    [
      'another plan',
      v2,
      edited(v3, {
        plan: { ...(v3.document.plan as NonNullable<Journal['plan']>), digest: `sha256:${'0'.repeat(64)}` as never },
      }),
      'plan was changed',
    ],
    ['an observation without a marker', v7, edited(v9, { version: 8n }), 'an observation without a marker'],
  ] as const)('%s', (_, previous, next, fault) => {
    expect(transitionFault(previous, next)).toBe(fault)
  })
})
