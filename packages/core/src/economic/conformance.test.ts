import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { findConformance } from '../../test/conformance.ts'
import type { Route } from '../../test/economic-fixture.ts'
import { admissionOf, intentTextOf, policyBytesOf, ROUTES } from '../../test/economic-fixture.ts'
import { buildOnGoldenSnapshot, signEvm } from '../../test/economic-golden.ts'
import type { HostCall, RunOptions } from '../../test/economic-run.ts'
import { playRun } from '../../test/economic-run.ts'
import { admitIntent } from './admission.ts'
import { renderCanonical } from './canonical.ts'
import { EconomicError } from './diagnostics.ts'
import { documentDigest, signedDigest } from './digest.ts'
import { intentShape, parseIntent } from './documents/intent.ts'
import { parsePolicy } from './documents/policy.ts'
import { verifyEvidence } from './evidence/verify.ts'
import type { Limits } from './limits.ts'
import { isRailAddress } from './rails/address.ts'
import { SECP256K1_HALF_ORDER, SECP256K1_ORDER } from './rails/secp256k1.ts'
import { readSigned } from './rails/signed.ts'
import { utf8 } from './text.ts'
import { isX402Origin, isX402Resource } from './x402.ts'

const conformance = findConformance()
const folder = conformance && join(conformance, 'economic-agent/golden')
const present = folder !== undefined && existsSync(folder)

type Row = { readonly [field: string]: unknown } & { readonly name: string }

function rows(file: string): Row[] {
  return present ? (JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as Row[]) : []
}

/** `CODE: message`, as the rows write a diagnostic, or null. */
function diagnosticOf(run: () => unknown): string | null {
  try {
    run()
    return null
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return `${cause.code}: ${cause.message}`
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** `A -> B` as the change of the first A. `bx129` stands for 129 times b. */
function replacement(change: string): (text: string) => string {
  const [from = '', to = ''] = change.split(' -> ')
  const expanded = to.replace(/^b ?x(\d+)$/, (_, count: string) => 'b'.repeat(Number(count)))
  return (document) => {
    expect(document).toContain(from)
    return document.replace(from, () => expanded)
  }
}

function expectRun(row: Row, options: RunOptions): void {
  const run = playRun(options)
  expect({
    status: run.result.status,
    transaction_id: run.result.transaction_id,
    code: run.result.code,
    message: run.result.message,
    calls: run.calls,
    events: run.trace.document.events.map((event) => `${event.kind}:${event.status}`),
    journals: run.journals.map(({ document }) => `v${document.version}:${document.state}@${document.updated_at_ms}`),
    trace_digest: run.trace.digest,
    evidence_digest: run.evidence.digest,
  }).toEqual({
    status: row['status'],
    transaction_id: row['transaction_id'],
    code: row['code'],
    message: row['message'],
    calls: row['calls'],
    events: row['events'],
    journals: row['journals'],
    trace_digest: row['trace_digest'],
    evidence_digest: row['evidence_digest'],
  })
}

describe.skipIf(!present)('recorded runs without a failure', () => {
  test.each(rows('happy'))('$name: every document, journal, Trace and Evidence, byte for byte', (row) => {
    const run = playRun({ route: row.name as Route })
    expectRun(row, { route: row.name as Route })
    expect(text(run.admission.policy.bytes)).toBe(row['policy'])
    expect(text(run.admission.intent.bytes)).toBe(row['intent'])
    expect(run.trace.text).toBe(row['trace'])
    expect(run.evidence.text).toBe(row['evidence'])
    expect(run.journals.map((journal) => journal.text)).toEqual(row['journal_documents'])
    const documents = row['documents'] as Record<string, string>
    const { documents: ours } = run
    expect(text(ours.plan ?? new Uint8Array())).toBe(documents['plan'])
    expect(text(ours.snapshot ?? new Uint8Array())).toBe(documents['snapshot'])
    expect(text(ours.simulation ?? new Uint8Array())).toBe(documents['simulate'])
    expect(text(ours.approval_request ?? new Uint8Array())).toBe(documents['approval_request'])
    expect(text(ours.approval ?? new Uint8Array())).toBe(documents['approve'])
  })
})

/** Rows of `transactions.json` that we refuse. */
const STRICTER_TRANSACTIONS: ReadonlySet<string> = new Set([
  // D22: the reference cuts a height beyond 32 bits; we refuse it.
  'bitcoin height over u32',
])

describe.skipIf(!present)('recorded transactions', () => {
  test.each(rows('transactions'))('$name', (row) => {
    const build = () => buildOnGoldenSnapshot(row['payment'] as string, row['snapshot'] as string)
    if (STRICTER_TRANSACTIONS.has(row.name)) {
      expect(diagnosticOf(build)).toMatch(/^SPX-G213/)
      return
    }
    if (row['diagnostic'] !== undefined) {
      expect(diagnosticOf(build)).toBe(row['diagnostic'])
      return
    }
    const { built, limits } = build()
    expect(Buffer.from(built.bytes).toString('hex')).toBe(row['unsigned_hex'])
    expect(built.digest).toBe(row['unsigned_digest'])
    expect(built.format).toBe(row['format'])
    const bytes = hexToBytes(row['signed_hex'] as string)
    const signed = readSigned(bytes, built, limits)
    expect(signed.transactionId).toBe(row['transaction_id'])
    expect(signedDigest(bytes)).toBe(row['signed_digest'])
  })
})

describe.skipIf(!present)('recorded policies and intents', () => {
  const all = rows('policy_intent').map((row) => ({ ...row, name: `${row['doc']}: ${row['case']}` }))

  test.each(all.filter((row) => row['doc' as keyof typeof row] === 'policy'))('$name', (row: Row) => {
    const change = row['case'] as string
    const original = text(policyBytesOf('x402_evm'))
    const changed = change === 'valid' ? original : replacement(change)(original)
    expect(diagnosticOf(() => parsePolicy(utf8(changed)))).toBe(row['diagnostic'])
  })

  test.each(all.filter((row) => row['doc' as keyof typeof row] === 'intent'))('$name', (row: Row) => {
    const { route, changed } = goldenIntent(row)
    const policy = parsePolicy(policyBytesOf(route))
    expect(diagnosticOf(() => admitIntent(policy, parseIntent(utf8(changed))))).toBe(row['diagnostic'])
    if (row['digest'] !== undefined) {
      expect(changed).toBe(row['document'])
      expect(documentDigest('intent', utf8(changed))).toBe(row['digest'])
    }
  })

  /** D20: the reference admits these, which name a host inside a network or are not what a URL parser would ask for. */
  const stricter: ReadonlySet<string> = new Set([
    'origin: https://local',
    'origin: https://2130706433',
    'origin: https://0x7f000001',
    'origin: https://010.0.0.1',
    'origin: https://1.2.3',
    'origin: https://intranet',
    'resource: /a//b',
    'resource: /a%252e',
    'resource: /a b',
    'resource: /é',
  ])

  test.each(all.filter((row) => 'admitted' in row))('$name', (row: Row) => {
    const value = row['case'] as string
    const admitted = {
      origin: () => isX402Origin(value),
      resource: () => isX402Resource(value),
      recipient: () => isRailAddress(row['rail'] as 'evm', value),
    }[row['doc'] as 'origin' | 'resource' | 'recipient']()
    expect(admitted).toBe(stricter.has(row.name) ? false : row['admitted'])
  })
})

function goldenIntent(row: Row): { route: Route; changed: string } {
  const original = intentTextOf('x402_evm')
  const change = row['case'] as string
  const [, prefix, rest = ''] = /^(solana|bitcoin|evm): (.*)$/s.exec(change) ?? []
  if (prefix !== undefined) {
    const route = prefix as Route
    return { route, changed: replacement(rest)(intentTextOf(route)) }
  }
  if (change === 'valid') return { route: 'x402_evm', changed: original }
  if (change === 'memo 1025 bytes')
    return { route: 'x402_evm', changed: replacement(`"memo":null -> "memo":"${'m'.repeat(1025)}"`)(original) }
  if (change === 'memo escape') return { route: 'x402_evm', changed: memoIntent(row['memo_codepoints'] as string) }
  return { route: 'x402_evm', changed: replacement(change)(original) }
}

/** The intent with a memo, rendered by our writer. */
function memoIntent(codepoints: string): string {
  const memo = String.fromCodePoint(...codepoints.split(' ').map((point) => Number.parseInt(point.slice(2), 16)))
  const { document } = parseIntent(utf8(intentTextOf('x402_evm')))
  return renderCanonical(intentShape, { ...document, memo })
}

const CALLS: ReadonlySet<string> = new Set([
  'invoice',
  'snapshot',
  'simulate',
  'approve',
  'sign',
  'broadcast',
  'reconcile',
])

/** Bytes that a scripted host pushed instead of its document, by the words of the row. */
function malformed(change: string, original: Uint8Array, maximum: number): Uint8Array {
  const document = text(original)
  switch (change) {
    case 'empty':
      return utf8('')
    case 'LF only':
      return utf8('\n')
    case 'unbalanced open':
      return utf8('{"a":1\n')
    case 'unbalanced quote':
      return utf8('{"ab\n')
    case 'array':
      return utf8('[]\n')
    case 'wrong schema':
      return utf8('{"schema":"x"}\n')
    case 'invalid utf8':
      return Uint8Array.of(0xff, 0x0a)
    case 'bom':
      return utf8('\ufeff{}\n')
    case 'depth17':
      return utf8('['.repeat(17) + ']'.repeat(17))
    case 'over limit':
      return new Uint8Array(maximum + 1).fill(0x20)
    case 'double LF':
      return utf8(`${document}\n`)
    case 'CRLF':
      return utf8(document.replace('\n', '\r\n'))
    case 'dup schema key':
      return utf8(document.replace('{"schema":', '{"schema":"x","schema":'))
    case 'extra key':
      return utf8(document.replace('}\n', ',"extra":1}\n'))
    default:
      return utf8(replacement(change)(document))
  }
}

describe.skipIf(!present)('recorded malformed answers', () => {
  const all = rows('malformed').map((row) => {
    const [, call = '', change = ''] = /^(\w+): (.*)$/s.exec(row.name) ?? []
    return { ...row, call, change }
  })

  test.each(all.filter(({ call, change }) => CALLS.has(call) && call !== 'sign' && change !== ''))('$name', (row) => {
    const maximum = row.call === 'approve' ? 65_536 : 1_048_576
    const edit = { [row.call as HostCall]: (bytes: Uint8Array) => malformed(row.change, bytes, maximum) }
    expectRun(row, { route: 'x402_evm', edit })
  })

  test.each([
    ['sign: empty', new Uint8Array(0)],
    // By its builder bytes, the recorded host pushed one byte: the type.
    ['sign: unsigned bytes', Uint8Array.of(2)],
  ])('%s', (name, bytes) => {
    const row = all.find((candidate) => candidate.name === name)
    if (row === undefined) throw new Error(name)
    expectRun(row, { route: 'evm', edit: { sign: () => bytes } })
  })

  const one = Uint8Array.of(1)
  const bytes32 = (value: bigint) => hexToBytes(value.toString(16).padStart(64, '0'))
  const signatures: Readonly<Record<string, Parameters<typeof signEvm>[1]>> = {
    'sign evm: parity 0': { parity: new Uint8Array(0), r: one, s: one },
    'sign evm: parity 1': { parity: one, r: one, s: one },
    'sign evm: parity 0x00 byte': { parity: Uint8Array.of(0), r: one, s: one },
    'sign evm: r=0': { parity: one, r: new Uint8Array(0), s: one },
    'sign evm: leading zero r': { parity: one, r: Uint8Array.of(0, 1), s: one },
  }
  test.each(all.filter(({ name }) => name in signatures))('$name', (row) => {
    const signature = signatures[row.name]
    if (signature === undefined) throw new Error(row.name)
    const { built } = playRun({ route: 'evm' })
    if (built === undefined) throw new Error('nothing was built')
    expectRun(row, { route: 'evm', edit: { sign: () => signEvm(built.bytes, signature) } })
  })

  /** D16: the reference's curve constants are malformed, so it refuses the first two and treats the others by chance. */
  test.each([
    ['sign evm: r=n-1', { r: bytes32(SECP256K1_ORDER - 1n), s: one }, true],
    ['sign evm: s=n/2', { r: one, s: bytes32(SECP256K1_HALF_ORDER) }, true],
    ['r = n', { r: bytes32(SECP256K1_ORDER), s: one }, false],
    ['s = n/2 + 1', { r: one, s: bytes32(SECP256K1_HALF_ORDER + 1n) }, false],
  ] as const)('%s with the real curve: accepted %s %s', (_, { r, s }, accepted) => {
    const { built } = playRun({ route: 'evm' })
    if (built === undefined) throw new Error('nothing was built')
    const { limits } = admissionOf('evm').policy.document
    const signed = signEvm(built.bytes, { parity: one, r, s })
    expect(diagnosticOf(() => readSigned(signed, built, limits)) === null).toBe(accepted)
  })

  test.each(['sign evm: nonce changed', 'sign evm: access list nonempty'])('%s is SPX-G213', (name) => {
    const row: Row | undefined = all.find((candidate) => candidate.name === name)
    const { built } = playRun({ route: 'evm' })
    if (built === undefined || row === undefined) throw new Error(name)
    const { limits } = admissionOf('evm').policy.document
    const signed = signEvm(built.bytes, { parity: one, r: one, s: one })
    const changed = Uint8Array.from(signed)
    if (name.endsWith('nonce changed')) changed[6] = 8
    else changed[changed.length - 4] = 0xc1
    expect(diagnosticOf(() => readSigned(changed, built, limits))).toBe(`${row['code']}: ${row['message']}`)
  })
})

describe.skipIf(!present)('recorded rail answers', () => {
  const all = rows('rails')
  const routes: ReadonlySet<string> = new Set(ROUTES)

  /** D22: the reference does not look at the units of a Bitcoin simulation; we refuse zero. */
  const stricter: ReadonlySet<string> = new Set(['bitcoin simulate: "units":1 -> "units":0'])

  test.each(all.filter((row) => / -> /.test(row.name)))('$name', (row) => {
    const [, prefix = '', call = '', change = ''] = /^(\w+) (\w+): (.*)$/s.exec(row.name) ?? []
    const route = (routes.has(prefix) ? prefix : 'bitcoin') as Route
    const edit = { [call as HostCall]: (bytes: Uint8Array) => utf8(replacement(change)(text(bytes))) }
    const options: RunOptions =
      prefix === 'bitcoin3'
        ? { route, edit, intent: replacement('"confirmation_target":1 -> "confirmation_target":3') }
        : { route, edit }
    if (stricter.has(row.name)) expect(playRun(options).result.code).toBe('SPX-G213')
    else expectRun(row, options)
  })

  test.each(all.filter((row) => row['signed_hex'] !== undefined))('$name', (row) => {
    const route = row.name.split(' ')[0] as Route
    expectRun(row, { route, edit: { sign: () => hexToBytes(row['signed_hex'] as string) } })
  })

  test('x402 over Solana needs a limit of 200000 compute units', () => {
    const row = all.find(({ name }) => name.startsWith('x402_solana max_compute_units'))
    const admit = () => admissionOf('x402_solana', { max_compute_units: 199_999n })
    expect(diagnosticOf(admit)).toBe(`${row?.['code']}: ${row?.['message']}`)
  })
})

describe.skipIf(!present)('recorded limits', () => {
  const all = rows('limits')

  test.each(
    all.filter(
      (row) =>
        /^max_\w+ (exact|-1) \(\d+\)$/.test(row.name) &&
        row['outcome'] === 'run' &&
        !row.name.startsWith('max_journal'),
    ),
  )('$name', (row) => {
    const [, name = '', value = ''] = /^(max_\w+) \S+ \((\d+)\)$/.exec(row.name) ?? []
    expectRun(row, { route: 'x402_evm', limits: { [name as keyof Limits]: BigInt(value) } })
  })

  test('max_journal_bytes -1: Evidence names the last committed journal, as D5 asks, not the one that was too long', () => {
    const row = all.find(({ name }) => name.startsWith('max_journal_bytes -1'))
    const run = playRun({ route: 'x402_evm', limits: { max_journal_bytes: 2393n } })
    expect(run.result).toMatchObject({ status: row?.['status'], code: row?.['code'], message: row?.['message'] })
    expect(run.trace.digest).toBe(row?.['trace_digest'])
    expect(run.evidence.document.journal.digest).toBe(run.journals.at(-1)?.digest)
    expect(run.evidence.document.budget.used_journal_bytes).toBeLessThanOrEqual(2393n)
  })

  test.each([2n, 3n, 4n, 5n])('a policy of depth 5 under max_json_depth %s', (depth) => {
    const diagnostic = diagnosticOf(() => parsePolicy(policyBytesOf('x402_evm', { max_json_depth: depth })))
    expect(diagnostic).toBe(depth === 5n ? null : `SPX-G216: json_depth exceeds ${depth}`)
  })

  test('max_trace_bytes and max_evidence_bytes: the exact size passes, one less does not', () => {
    const { trace } = playRun({ route: 'x402_evm' })
    const exact = BigInt(trace.bytes.length)
    expect(playRun({ route: 'x402_evm', limits: { max_trace_bytes: exact } }).result.status).toBe('confirmed')
    const less = () => playRun({ route: 'x402_evm', limits: { max_trace_bytes: exact - 1n } })
    expect(diagnosticOf(less)).toBe(`SPX-G216: trace_bytes exceeds ${exact - 1n}`)
    const small = () => playRun({ route: 'x402_evm', limits: { max_evidence_bytes: 17_395n } })
    expect(diagnosticOf(small)).toMatch(/^SPX-G216: evidence_bytes exceeds 17395$/)
  })
})

describe.skipIf(!present)('a recorded broadcast without an answer', () => {
  test.each(rows('dispositions').filter(({ name }) => name.startsWith('broadcast/')))('$name', (row) => {
    expectRun(row, { route: 'x402_evm', isBroadcastUnanswered: true })
    const run = playRun({ route: 'x402_evm', isBroadcastUnanswered: true })
    expect(verifyEvidence(run.evidence.bytes, run.documents).findings).toEqual([])
  })
})
