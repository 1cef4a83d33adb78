import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { happyRow, hasGolden, readGolden } from '../../test/fixture.ts'
import {
  type DocumentRow,
  diagnosticOf,
  intentPlay,
  policyOf,
  type TransactionRow,
  transactionPlay,
} from '../../test/golden-documents.ts'
import { keyOf, play } from '../../test/golden-play.ts'
import { scriptedHost } from '../../test/scripted-host.ts'
import { createEconomicAgent } from './agent.ts'

const documents = readGolden<DocumentRow>('policy_intent').map((row) => ({ ...row, name: `${row.doc} ${row.case}` }))

/** D20: the reference admits these; the reasons are in docs/economic-engine.md. */
const STRICTER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['local', '2130706433', '0x7f000001', '010.0.0.1', '1.2.3', 'intranet'].map((host) => [
      `origin https://${host}`,
      'SPX-G211: Economic Agent policy invariant failed: x402_origins.origin',
    ]),
  ),
  ...Object.fromEntries(
    ['/a//b', '/a%252e', '/a b', '/é'].map((path) => [
      `resource ${path}`,
      'SPX-G211: Economic Agent policy invariant failed: x402_origins',
    ]),
  ),
}

/** What the constructor says to a row where only the admission of one value is recorded. */
const REFUSED = {
  origin: 'SPX-G211: Economic Agent policy invariant failed: x402_origins.origin',
  resource: 'SPX-G211: Economic Agent policy invariant failed: x402_origins',
  recipient: 'SPX-G211: Economic Agent policy invariant failed: network_policies.recipients',
} as const

/** D22: the reference cuts a height beyond 32 bits; we refuse it. */
const REFUSED_TRANSACTIONS: Readonly<Record<string, string>> = {
  'bitcoin height over u32':
    'SPX-G213: Economic Agent prepared transaction or simulation disagrees with the admitted intent',
}

test('every recorded row that differs stands in docs/economic-engine.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/economic-engine.md'), 'utf8')
  const names = [...Object.keys(STRICTER), ...Object.keys(REFUSED_TRANSACTIONS)]
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

describe.skipIf(!hasGolden)('recorded policies, given to the engine (skipped where they are absent)', () => {
  test.each(documents.filter(({ doc }) => doc !== 'intent'))('$name', (row) => {
    const { host, seen } = scriptedHost(happyRow('x402_evm'))
    const said = diagnosticOf(() => createEconomicAgent(policyOf(row), host, { aborted: false }))
    const recorded = row.doc === 'policy' ? row.diagnostic : row.admitted ? null : REFUSED[row.doc as 'origin']
    expect(said).toBe(STRICTER[row.name] ?? recorded)
    expect(seen.calls).toEqual([])
  })
})

describe.skipIf(!hasGolden)('recorded intents, proposed to the engine (skipped where they are absent)', () => {
  test.each(documents.filter(({ doc }) => doc === 'intent'))('$name', async (row) => {
    const { outcome, scripted } = await play(intentPlay(row))
    if (row.diagnostic !== null && row.diagnostic !== undefined) {
      expect(outcome.kind).toBe('diagnostics')
      if (outcome.kind !== 'diagnostics') return
      const [{ code, message }] = outcome.diagnostics
      expect(`${code}: ${message}`).toBe(row.diagnostic)
      expect(scripted.seen.calls).toEqual([])
      return
    }
    // What is admitted reaches the journal; whether invoice and chain then agree with it is recorded elsewhere.
    expect(outcome.kind).toBe('run')
    expect(scripted.seen.calls.slice(0, 2)).toEqual(['load', 'cas'])
    if (outcome.kind === 'run' && row.digest !== undefined) {
      expect(outcome.evidence.document.intent.digest).toBe(row.digest)
    }
  })
})

describe.skipIf(!hasGolden)('recorded transactions, paid by the engine (skipped where they are absent)', () => {
  test.each(readGolden<TransactionRow>('transactions'))('$name', async (row) => {
    const seen = await play(transactionPlay(row))
    const { outcome, scripted } = seen
    if (outcome.kind !== 'run') throw new Error(outcome.diagnostics[0].message)
    const { result } = outcome
    const diagnostic = row.diagnostic ?? REFUSED_TRANSACTIONS[row.name]
    if (diagnostic !== undefined) {
      expect(`${result.code}: ${result.message}`).toBe(diagnostic)
      expect(scripted.seen.calls).not.toContain('sign')
      return
    }
    expect(result).toMatchObject({ status: 'confirmed', transaction_id: row.transaction_id })
    const [request] = scripted.seen.inputs.get('sign') as [Record<string, unknown>]
    expect(Buffer.from(request['unsignedTransaction'] as Uint8Array).toString('hex')).toBe(row.unsigned_hex)
    expect(request['unsignedTransactionDigest']).toBe(row.unsigned_digest)
    const journal = JSON.parse(scripted.stored.get(keyOf(seen.row)) ?? '{}') as Record<string, { digest: string }>
    expect(journal['signed_transaction']?.digest).toBe(row.signed_digest)
    const [sent] = scripted.seen.inputs.get('broadcast') as [Uint8Array]
    expect(Buffer.from(sent).toString('hex')).toBe(row.signed_hex)
  })
})
