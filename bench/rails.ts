import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createEconomicAgent,
  createMemoryJournal,
  type EconomicAgent,
  type EconomicOutcome,
  openSqliteJournal,
  type PaymentJournal,
} from '@oikos/runtime'
import { createMemorySentTransactions, openSqliteSentTransactions, type SentTransactions } from '@oikos/runtime/rails'
import { hasBcoin } from '../packages/runtime/test/chains/bitcoin/bcoin.ts'
import type { RailUnderTest } from '../packages/runtime/test/rails/rail-under-test.ts'
import { hostOver } from '../packages/runtime/test/rails/suite-engine.ts'
import type { BareTransfers, BenchedRail } from './rails/bare-rail.ts'
import { bitcoinBench } from './rails/bitcoin.ts'
import { evmBench } from './rails/evm.ts'
import { solanaBench } from './rails/solana.ts'
import { type Lap, sumOf, timed } from './rails/stopwatch.ts'

/**
 * For each rail, on its own chain on this machine: whole payments through the engine beside the same transfer sent bare by the
 * rail's own library, alternating, in the same run; then payments one after another beside what the chain itself takes. The
 * making of blocks is not timed in the first part, since it is neither's. On Linux it tells how long a payment waited for a
 * processor, too: where that is not near zero, the machine was busy and the clock's figures are too high. `--short` measures a
 * tenth, `--only solana` one rail, `--json` prints JSON.
 */
const benches: readonly BenchedRail[] = [
  evmBench,
  solanaBench,
  ...(hasBcoin ? [bitcoinBench('bitcoin-core'), bitcoinBench('esplora')] : []),
]
const only = process.argv[process.argv.indexOf('--only') + 1]
const isWanted = ({ name }: BenchedRail): boolean =>
  !process.argv.includes('--only') || name.toLowerCase().includes((only ?? '').toLowerCase())
const isShort = process.argv.includes('--short')
const scale = (count: number): number => (isShort ? Math.ceil(count / 10) : count)

/** One measured line. */
type Figure = { readonly name: string; readonly value: number; readonly unit: string }
const figures: Figure[] = []
const report = (name: string, value: number, unit: string): void => {
  figures.push({ name, value: Number(value.toPrecision(4)), unit })
  if (!process.argv.includes('--json')) console.log(`${name.padEnd(66)} ${value.toPrecision(4).padStart(10)} ${unit}`)
}
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

type Measured = RailUnderTest & BareTransfers
type Store = { readonly journal: PaymentJournal; readonly sent: SentTransactions }
let payments = 0

async function agentOver(
  rail: Measured,
  { journal, sent }: Store,
): Promise<{ agent: EconomicAgent; close: () => unknown }> {
  const { adapter, close } = await rail.open({ at: ['node'], sent })
  return { agent: createEconomicAgent(rail.policy, hostOver(rail, adapter, journal), { aborted: false }), close }
}

/** The proposal is made before: it is not a part of the payment. */
function propose(rail: Measured) {
  payments += 1
  const idempotencyKey = `bench.${payments}`
  const source = rail.source({ idempotencyKey, createdAtMs: rail.clockMs(), confirmationTarget: 1 })
  return { idempotencyKey, source }
}

function requireStatus(outcome: EconomicOutcome, expected: string): void {
  const status = outcome.kind === 'run' ? outcome.result.status : 'refused'
  if (status !== expected) throw new Error(`a payment is ${status}, expected ${expected}`)
}

/** One whole payment, without the block. */
async function payOurs(rail: Measured, agent: EconomicAgent): Promise<Lap> {
  const { idempotencyKey, source } = propose(rail)
  const paying = await timed(async () => requireStatus(await agent.execute(source), 'pending'))
  await rail.chain.mine(1)
  const looking = await timed(async () => requireStatus(await agent.reconcile(idempotencyKey, source), 'confirmed'))
  return sumOf(paying, looking)
}

async function payBare(rail: Measured): Promise<Lap> {
  let id = ''
  const paying = await timed(async () => {
    id = await rail.send()
  })
  await rail.chain.mine(1)
  return sumOf(paying, await timed(() => rail.confirm(id)))
}

async function measureLatency(bench: BenchedRail, rail: Measured, store: Store, where: string): Promise<void> {
  const { agent, close } = await agentOver(rail, store)
  const [ours, bare]: [Lap[], Lap[]] = [[], []]
  for (let warm = 0; warm < scale(50); warm += 1) {
    await payOurs(rail, agent)
    await payBare(rail)
  }
  for (let count = 0; count < scale(400); count += 1) {
    ours.push(await payOurs(rail, agent))
    bare.push(await payBare(rail))
  }
  const added = (what: keyof Lap) => ours.map((lap, index) => lap[what] - (bare[index]?.[what] ?? 0))
  const name = `${bench.name}, ${where}`
  for (const [label, values] of [
    ['payment', ours.map(({ clock }) => clock)],
    [`bare by ${bench.library}`, bare.map(({ clock }) => clock)],
    ['added', added('clock')],
    ['added, of the processor', added('processor')],
    ['payment, waiting for a processor', ours.map(({ queue }) => queue)],
  ] as const) {
    report(`${name}: ${label}, median`, quantile(values, 0.5), 'ms')
    report(`${name}: ${label}, 99th percentile`, quantile(values, 0.99), 'ms')
  }
  await close()
}

/** One payment after the other, each with its block, beside transfers that were signed before and sent at full speed. */
async function measureRate(bench: BenchedRail, rail: Measured, store: Store): Promise<void> {
  const { agent, close } = await agentOver(rail, store)
  const count = scale(400)
  const arrived = await rail.chain.countPayments()
  const { clock: elapsedMs } = await timed(async () => {
    for (let payment = 0; payment < count; payment += 1) await payOurs(rail, agent)
  })
  if ((await rail.chain.countPayments()) !== arrived + count) throw new Error('a payment did not arrive')
  report(`${bench.name}: payments end to end, one by one, a block each`, (count * 60_000) / elapsedMs, '/min')
  const { clock: bareMs } = await timed(async () => {
    for (let payment = 0; payment < count; payment += 1) await payBare(rail)
  })
  report(`${bench.name}: bare by ${bench.library}, one by one, a block each`, (count * 60_000) / bareMs, '/min')
  const send = await rail.presign(count)
  const { clock: limitMs } = await timed(async () => {
    await send()
    await rail.chain.mine(1)
  })
  if ((await rail.chain.countPayments()) !== arrived + 3 * count) throw new Error('a signed transfer did not arrive')
  report(`${bench.name}: limit of the chain, signed before, one block`, (count * 60_000) / limitMs, '/min')
  await close()
}

const folder = mkdtempSync(join(tmpdir(), 'oikos-rails-'))
try {
  for (const bench of benches.filter(isWanted)) {
    const rail = await bench.make()
    const { clockMs } = rail
    try {
      const memory: Store = { journal: createMemoryJournal({ clockMs }), sent: createMemorySentTransactions() }
      await measureLatency(bench, rail, memory, 'no disk')
      const path = join(folder, bench.library.replaceAll(/\W/g, '-'))
      const journal = await openSqliteJournal(`${path}.journal`)
      const sent = await openSqliteSentTransactions(`${path}.sent`)
      await measureLatency(bench, rail, { journal, sent }, 'SQLite')
      sent.close()
      await journal.close()
      await measureRate(bench, rail, memory)
    } finally {
      await rail.close()
    }
  }
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
