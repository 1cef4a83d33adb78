import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentDigest, type Evidence, type Sealed, utf8, verifyEvidence } from '@oikos/core/economic'
import { describe, expect, test } from 'vitest'
import { type GoldenRow, happyRow, hasGolden, readGolden, sourceOf } from '../../test/fixture.ts'
import { boundaryPlay, dispositionPlay } from '../../test/golden-boundary.ts'
import { DERIVED_FIELDS, EXCEPTIONS } from '../../test/golden-exceptions.ts'
import { limitPlay, malformedPlay, railPlay } from '../../test/golden-malformed.ts'
import { describePlayed, keyOf, type Play, type Played, play } from '../../test/golden-play.ts'
import { restartPlay } from '../../test/golden-restart.ts'
import { scriptedHost } from '../../test/scripted-host.ts'
import { createEconomicAgent } from './agent.ts'

/** What must come out: the recorded row, or, where it is excepted, ours in its place and nothing of what follows from it. */
function expectationOf(file: string, row: GoldenRow): GoldenRow & Record<string, unknown> {
  const exception = EXCEPTIONS[file]?.[row.name]
  if (exception === undefined) return row
  const kept = Object.entries(row).filter(([key]) => !DERIVED_FIELDS.has(key))
  return { ...Object.fromEntries(kept), ...exception.ours, name: row.name }
}

/** A stranger accepts the Evidence, also beside policy, intent and the stored journal where that is the one it names. */
function expectVerified({ row, scripted }: Played, evidence: Sealed<'evidence', Evidence>): void {
  const stored = utf8(scripted.stored.get(keyOf(row)) ?? '')
  const isNamed = documentDigest('journal', stored) === evidence.document.journal.digest
  const documents = { policy: utf8(row.policy), intent: utf8(row.intent), ...(isNamed ? { journal: stored } : {}) }
  expect(verifyEvidence(evidence.bytes, documents).findings).toEqual([])
}

function replay(file: string, playOf: (row: GoldenRow) => Play | undefined): void {
  describe.skipIf(!hasGolden)(`recorded outcomes of ${file}.json (skipped where they are absent)`, () => {
    const rows = readGolden(file).filter((row) => row.outcome === 'run' || row.outcome === 'diagnostics')
    test.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
      const what = playOf(row)
      if (what === undefined) throw new Error(`no play for ${row.name}`)
      const expected = expectationOf(file, row)
      const seen = await play(what)
      const played = describePlayed(seen, expected)
      expect(played).toEqual(Object.fromEntries(Object.entries(expected).filter(([key]) => key in played)))
      if (seen.outcome.kind === 'run') expectVerified(seen, seen.outcome.evidence)
    })

    test('every exception names a recorded row', () => {
      const names = new Set(rows.map(({ name }) => name))
      expect(Object.keys(EXCEPTIONS[file] ?? {}).filter((name) => !names.has(name))).toEqual([])
    })
  })
}

replay('happy', (row) => ({ fixture: row.name }))
replay('dispositions', (row) => dispositionPlay(row.name))
replay('cancel_deadline', (row) => boundaryPlay(row.name))
replay('restart', (row) => restartPlay(row.name))
replay('malformed', (row) => malformedPlay(row.name))
replay('rails', (row) => railPlay(row.name, row.signed_hex))
replay('limits', (row) => {
  const limit = /^(max_\w+) (?:exact|-1) \((\d+)\)$/.exec(row.name)
  return limit === null ? undefined : limitPlay('x402_evm', limit[1] ?? '', limit[2] ?? '')
})

/** A recorded line such as `confirmed - calls=17`, for a fixture under a policy with one other limit. */
async function resultLine(limit: string, value: string): Promise<string> {
  const { outcome, scripted } = await play(limitPlay('x402_evm', limit, value))
  const calls = `calls=${scripted.seen.calls.length}`
  if (outcome.kind === 'run') return `${outcome.result.status} ${outcome.result.code ?? '-'} ${calls}`
  return `diagnostics ${outcome.diagnostics[0].code} ${outcome.diagnostics[0].message} ${calls}`
}

/** D15: where a limit is too small for the whole record, the run stops before an effect and is recorded. */
const SMALLER_LIMITS: Readonly<Record<string, string>> = {
  'max_trace_bytes minimal 11022': 'budget_exhausted SPX-G216 calls=16',
  'max_evidence_bytes minimal 17395': 'budget_exhausted SPX-G216 calls=16',
}

describe.skipIf(!hasGolden)('recorded limits of the policy (skipped where they are absent)', () => {
  const rows = readGolden('limits').flatMap((row) => {
    const parts = /^(?:(max_\w+) minimal|(builder)) (\d+)$/.exec(row.name)
    return parts === null ? [] : [[row.name, parts[1] ?? 'max_builder_bytes', parts[3] ?? '', row.result] as const]
  })
  test.each(rows)('%s', async (name, limit, value, result) => {
    expect(await resultLine(limit, value)).toBe(SMALLER_LIMITS[name] ?? result)
  })

  test.each(['max_json_depth -1 (4)', 'policy with max_json_depth 2', 'policy with max_json_depth 3'])(
    '%s is refused by the constructor, and nothing of the host is touched',
    (name) => {
      const row = readGolden('limits').find((candidate) => candidate.name === name)
      const depth = /\((\d+)\)|(\d+)$/.exec(name)
      const fixture = happyRow('x402_evm')
      const policy = limitPlay('x402_evm', 'max_json_depth', depth?.[1] ?? depth?.[2] ?? '').change?.(fixture).policy
      const { host, seen } = scriptedHost(fixture)
      const message = row?.message ?? row?.code?.slice('SPX-G216: '.length) ?? 'no recorded row'
      expect(() => createEconomicAgent(policy ?? '', host, { aborted: false })).toThrow(message)
      expect(seen.calls).toEqual([])
    },
  )

  test('D15: a run that needs more events than the policy allows is refused before its first call', async () => {
    expect(await resultLine('max_trace_events', '20')).toBe('diagnostics SPX-G216 trace_events exceeds 20 calls=0')
    expect(await resultLine('max_trace_bytes', '9000')).toBe('diagnostics SPX-G216 trace_bytes exceeds 9000 calls=0')
  })

  test('D15: whatever the limits of Trace and Evidence are, no effect is left without a record', async () => {
    for (const limit of ['max_trace_bytes', 'max_evidence_bytes'] as const) {
      for (let value = 8000; value <= 18_000; value += 250) {
        const { outcome, scripted } = await play(limitPlay('x402_evm', limit, String(value)))
        if (outcome.kind === 'diagnostics') expect(scripted.seen.calls).toEqual([])
      }
    }
  })
})

test('every recorded row that differs stands in docs/economic-engine.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/economic-engine.md'), 'utf8')
  const names = [...Object.values(EXCEPTIONS).flatMap((rows) => Object.keys(rows)), ...Object.keys(SMALLER_LIMITS)]
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

describe.skipIf(!hasGolden)('the source run (skipped where the recorded outcomes are absent)', () => {
  test.each(['evm_kat', 'solana', 'bitcoin', 'x402_evm'])(
    '%s: its evidence has the recorded digest and length',
    (name) => {
      const { intent, source } = happyRow(name)
      expect(sourceOf(intent).evidence).toHaveLength(source.evidence_bytes)
    },
  )
})
