import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { verifyEvidence } from '@oikos/core/economic'
import {
  createEconomicAgent,
  createMemoryJournal,
  createRehearsalChain,
  createRehearsalHost,
  type JournalArchive,
  openPostgresJournal,
  openSqliteJournal,
  type PaymentJournal,
  rehearsalPolicy,
  rehearsalSource,
} from '@oikos/runtime'
import { hasPostgres, startPostgres } from '../packages/runtime/test/postgres-cluster.ts'

/**
 * Full payments through the engine (fake chain, approver and custody) with a journal in memory, in SQLite with full sync
 * and in PostgreSQL, beside the raw rate of the same store for the nine commits of a payment; replays of Evidence; memory
 * over many payments; load time as a journal grows. `--short` measures a tenth of everything, `--json` prints JSON.
 */
type Journal = PaymentJournal & JournalArchive
const isShort = process.argv.includes('--short')
const scale = (count: number): number => (isShort ? Math.ceil(count / 10) : count)

const nowMs = 1_700_000_000_000n
const recipient = `0x${'11'.repeat(20)}`
const policy = rehearsalPolicy({
  recipients: [recipient],
  maxAmountAtomic: 1000n,
  maxRolling24hAtomic: 1_000_000_000_000n,
})
const clockMs = (): bigint => nowMs
const commitsPerPayment = 9
/** Agents that pay at the same time. */
const AGENTS = 8

/** One measured line. */
type Figure = { readonly name: string; readonly value: number; readonly unit: string }
const figures: Figure[] = []
const report = (name: string, value: number, unit: string): void => {
  figures.push({ name, value: Number(value.toPrecision(4)), unit })
  if (!process.argv.includes('--json')) console.log(`${name.padEnd(62)} ${value.toPrecision(4).padStart(10)} ${unit}`)
}

const sourceFor = (key: string) =>
  rehearsalSource({ idempotencyKey: key, recipient, amountAtomic: 10n, createdAtMs: nowMs })

function agentOn(journal: PaymentJournal) {
  const chain = createRehearsalChain({ clockMs: () => nowMs + 1n })
  const host = createRehearsalHost({ journal, chain, elapsedMs: () => 0n })
  return createEconomicAgent(policy, host, { aborted: false })
}

/** Milliseconds of each payment, and of the processor for all of them together. */
type Paid = { readonly elapsed: readonly number[]; readonly processorMs: number }

/** Makes payments one after another. The proposals are made before, by somebody else's machine. */
async function payMany(journal: PaymentJournal, prefix: string, count: number): Promise<Paid> {
  const agent = agentOn(journal)
  const sources = Array.from({ length: count }, (_, index) => sourceFor(`${prefix}.${index}`))
  const elapsed: number[] = []
  const used = process.cpuUsage()
  for (const source of sources) {
    const started = performance.now()
    const outcome = await agent.execute(source)
    elapsed.push(performance.now() - started)
    if (outcome.kind !== 'run' || outcome.result.status !== 'confirmed') throw new Error('a payment did not confirm')
  }
  const { user, system } = process.cpuUsage(used)
  return { elapsed, processorMs: (user + system) / 1000 }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function reportPayments(name: string, { elapsed, processorMs }: Paid): number {
  const rate = (elapsed.length * 1000) / sum(elapsed)
  report(`${name}: payments, one after another`, rate, '/s')
  report(`${name}: payment, median`, quantile(elapsed, 0.5), 'ms')
  report(`${name}: payment, 99th percentile`, quantile(elapsed, 0.99), 'ms')
  report(`${name}: payment, processor`, processorMs / elapsed.length, 'ms')
  return rate
}

/** The nine commits of payments with documents of their usual sizes, and nothing else. */
async function commitRate(journal: PaymentJournal, prefix: string, payments: number): Promise<number> {
  const sizes = [740, 1147, 1287, 1287, 1376, 1886, 1905, 1905, 2394]
  const documents = sizes.map((size) => `${'x'.repeat(size - 1)}\n`)
  const reservation = {
    walletId: 'bench',
    ...{ rail: 'evm', network: 'sepolia', asset: 'native:eth' },
    ...{ requestedAtMs: nowMs, amountAtomic: 10n, maxRolling24hAtomic: 1_000_000_000_000n },
  }
  const started = performance.now()
  for (let payment = 0; payment < payments; payment += 1) {
    for (const [version, document] of documents.entries()) {
      const rolling = version === 0 ? ({ kind: 'reserve', reservation } as const) : ({ kind: 'retain' } as const)
      const done = await journal.compareAndSwap(`${prefix}.${payment}`, BigInt(version), document, rolling)
      if (done !== 'succeeded') throw new Error(`a commit was ${done}`)
    }
  }
  return (payments * commitsPerPayment * 1000) / (performance.now() - started)
}

/** Engine and raw store alternate, so that both see the same machine. */
async function measureStore(name: string, journal: Journal, payments: number): Promise<void> {
  await payMany(journal, 'warm', Math.ceil(payments / 10))
  await commitRate(journal, 'raw.warm', Math.ceil(payments / 10))
  const rawRates: number[] = []
  const elapsed: number[] = []
  let processorMs = 0
  for (let round = 0; round < 4; round += 1) {
    rawRates.push(await commitRate(journal, `raw.${round}`, Math.ceil(payments / 4)))
    const paid = await payMany(journal, `pay.${round}`, Math.ceil(payments / 4))
    elapsed.push(...paid.elapsed)
    processorMs += paid.processorMs
  }
  const raw = sum(rawRates) / rawRates.length
  report(`${name}: raw commits`, raw, '/s')
  const rate = reportPayments(name, { elapsed, processorMs })
  report(`${name}: share of the limit that its commits set`, (100 * rate * commitsPerPayment) / raw, '%')
}

/** Several agents of one process over one journal, each with payments of its own, beside as many raw writers. */
async function measureTogether(name: string, journal: Journal, payments: number): Promise<void> {
  const prefix = name.toLowerCase().replaceAll(/[^a-z]+/g, '.')
  const all = Array.from({ length: AGENTS }, (_, index) => index)
  const each = Math.ceil(payments / AGENTS)
  const timed = async (work: (index: number) => Promise<unknown>): Promise<number> => {
    const started = performance.now()
    await Promise.all(all.map(work))
    return (each * AGENTS * 1000) / (performance.now() - started)
  }
  await timed((index) => payMany(journal, `${prefix}.warm.${index}`, each))
  const raw = await timed((index) => commitRate(journal, `${prefix}.raw.${index}`, each))
  const paid = await timed((index) => payMany(journal, `${prefix}.pay.${index}`, each))
  report(`${name}: raw commits, ${AGENTS} writers at once`, raw * commitsPerPayment, '/s')
  report(`${name}: payments, ${AGENTS} agents at once, proposals included`, paid, '/s')
  report(`${name}: share of the limit that those commits set`, (100 * paid) / raw, '%')
}

/** Different Evidence each time, so that nothing that was kept of the one before helps the next. */
async function measureReplay(): Promise<void> {
  const agent = agentOn(createMemoryJournal({ clockMs }))
  const different: Uint8Array[] = []
  for (let index = 0; index < 500; index += 1) {
    const outcome = await agent.execute(sourceFor(`replayed.${index}`))
    if (outcome.kind !== 'run') throw new Error('a payment was refused')
    different.push(outcome.evidence.bytes)
  }
  for (const bytes of different) verifyEvidence(bytes)
  const rounds = scale(10)
  const started = performance.now()
  for (let round = 0; round < rounds; round += 1)
    for (const bytes of different) if (!verifyEvidence(bytes).ok) throw new Error('Evidence did not replay')
  report('Evidence replays', (rounds * different.length * 1000) / (performance.now() - started), '/s')
}

/** The journal is thrown away every thousand payments, so that only the engine can keep anything. */
async function measureMemory(): Promise<void> {
  const total = scale(100_000)
  const batch = 1000
  const heaps: number[] = []
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let paid = 0; paid < total; paid += batch) {
    await payMany(createMemoryJournal({ clockMs }), `memory.${paid}`, batch)
    collect()
    heaps.push(process.memoryUsage().heapUsed / 1_048_576)
  }
  const half = Math.floor(heaps.length / 2)
  report(`heap after ${batch} payments`, heaps[0] ?? 0, 'MiB')
  report(`heap after ${half * batch} payments`, heaps[half] ?? 0, 'MiB')
  report(`heap after ${total} payments`, heaps.at(-1) ?? 0, 'MiB')
}

async function measureLoad(folder: string): Promise<void> {
  for (const rows of [10, 10_000, scale(1_000_000)]) {
    const path = join(folder, `load-${rows}.sqlite`)
    const journal = await openSqliteJournal(path, { clockMs })
    const filler = new DatabaseSync(path)
    const insert = filler.prepare('INSERT INTO economic_journal (idempotency_key, version, document) VALUES (?, 1, ?)')
    filler.exec('BEGIN')
    for (let row = 0; row < rows; row += 1) insert.run(`key.${row}`, `{"row":${row}}\n`)
    filler.exec('COMMIT')
    filler.close()
    const count = scale(20_000)
    const sink = { push: () => true }
    const started = performance.now()
    for (let index = 0; index < count; index += 1) await journal.load(`key.${(index * 7919) % rows}`, sink)
    report(`SQLite load among ${rows} rows`, ((performance.now() - started) * 1000) / count, 'us')
    await journal.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'oikos-bench-'))
try {
  await payMany(createMemoryJournal({ clockMs }), 'warm', 300)
  reportPayments('memory', await payMany(createMemoryJournal({ clockMs }), 'memory', scale(5000)))
  await measureReplay()
  const sqlite = await openSqliteJournal(join(folder, 'journal.sqlite'), { clockMs })
  await measureStore('SQLite, full sync', sqlite, scale(2000))
  await sqlite.close()
  if (hasPostgres) {
    const cluster = await startPostgres()
    try {
      const postgres = await openPostgresJournal(cluster.url, { clockMs })
      await measureStore('PostgreSQL', postgres, scale(1000))
      await measureTogether('PostgreSQL', postgres, scale(2000))
      await postgres.close()
      // Everybody pays from one wallet, so that all wait for one window: the worst case for an isolation that aborts rivals.
      const strict = '&options=-c%20default_transaction_isolation%3Dserializable'
      const serializable = await openPostgresJournal(`${cluster.url}${strict}`, { clockMs })
      await measureTogether('PostgreSQL, serializable', serializable, scale(2000))
      await serializable.close()
    } finally {
      await cluster.stop()
    }
  } else console.log('PostgreSQL: skipped, no server programs found')
  await measureLoad(folder)
  await measureMemory()
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
