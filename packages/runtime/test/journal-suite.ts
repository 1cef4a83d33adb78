import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AdapterDisposition, RollingInstruction, RollingReservation } from '../src/economic/host.ts'
import { runChild } from './child-process.ts'
import { collectingSink } from './collecting-sink.ts'
import type { JournalChildReport, JournalChildTask } from './journal-child.ts'
import type { JournalStore, OpenJournal } from './journal-store.ts'

/** How the suite gets journals of one kind. */
export type JournalSuiteSubject = {
  /** A fresh place for a journal. */
  readonly makeStore: () => Promise<JournalStore | undefined>
  /** Opens the place; a journal in memory ignores it. */
  readonly open: (store: JournalStore | undefined, clockMs: () => bigint) => Promise<OpenJournal>
  /** Whether what is closed can be opened again, also by other processes. */
  readonly durable: boolean
  /** Whether processes are killed while they write; as `durable` when absent. */
  readonly isKilled?: boolean
}

const start = 1_700_000_000_000n
const day = 86_400_000n
const retain: RollingInstruction = { kind: 'retain' }
const release: RollingInstruction = { kind: 'release' }
const child = join(import.meta.dirname, 'journal-child.ts')

/** The contract of a payment journal, the same for all of them. */
export function describeJournal(name: string, subject: JournalSuiteSubject): void {
  describe(name, () => {
    let nowMs: bigint
    let store: JournalStore | undefined
    let journal: OpenJournal

    beforeEach(async () => {
      nowMs = start
      store = await subject.makeStore()
      journal = await subject.open(store, () => nowMs)
    })
    afterEach(() => journal.close())

    const reserve = (change: Partial<RollingReservation> = {}): RollingInstruction => ({
      kind: 'reserve',
      reservation: {
        walletId: 'wallet',
        ...{ rail: 'evm', network: 'sepolia', asset: 'native:eth' },
        ...{ requestedAtMs: nowMs, amountAtomic: 10n, maxRolling24hAtomic: 100n },
        ...change,
      },
    })
    const begin = (key: string, change?: Partial<RollingReservation>): Promise<AdapterDisposition> =>
      journal.compareAndSwap(key, 0n, `${key} 1\n`, reserve(change))
    const next = (key: string, expected: bigint, rolling = retain): Promise<AdapterDisposition> =>
      journal.compareAndSwap(key, expected, `${key} ${expected + 1n}\n`, rolling)
    const load = async (key: string): Promise<string> => {
      const { sink, text } = collectingSink()
      return `${await journal.load(key, sink)} ${text()}`
    }
    const spawnChild = (task: JournalChildTask) => runChild(child, store, task)

    describe('compare-and-swap', () => {
      test('an unknown key is missing and pushes nothing', async () => {
        expect(await load('a')).toBe('missing ')
      })

      test('the newest version is loaded, byte for byte', async () => {
        const document = '{"memo":"\\u0000 é 漢 😀 \u2028 \'--"}\n'
        expect(await journal.compareAndSwap('a', 0n, document, reserve())).toBe('succeeded')
        expect(await load('a')).toBe(`present ${document}`)
        expect(await next('a', 1n)).toBe('succeeded')
        expect(await load('a')).toBe('present a 2\n')
      })

      test('a wrong expected version changes nothing and is definitely not started', async () => {
        await begin('a')
        await next('a', 1n)
        for (const expected of [1n, 3n, 4n]) expect(await next('a', expected)).toBe('definitely_not_started')
        expect(await next('b', 1n)).toBe('definitely_not_started')
        expect(await begin('a')).toBe('definitely_not_started')
        expect(await load('a')).toBe('present a 2\n')
        expect(await load('b')).toBe('missing ')
      })

      test('of many writers of one version exactly one wins', async () => {
        await begin('a')
        const all = await Promise.all(
          Array.from({ length: 16 }, (_, writer) => journal.compareAndSwap('a', 1n, `writer ${writer}\n`, retain)),
        )
        expect(all.filter((disposition) => disposition === 'succeeded')).toHaveLength(1)
        expect(all.filter((disposition) => disposition === 'definitely_not_started')).toHaveLength(15)
        expect(await load('a')).toBe(`present writer ${all.indexOf('succeeded')}\n`)
      })

      test('of many reservations of one key exactly one wins and holds one share', async () => {
        const all = await Promise.all(Array.from({ length: 16 }, () => begin('a')))
        expect(all.filter((disposition) => disposition === 'succeeded')).toHaveLength(1)
        expect(await begin('b', { amountAtomic: 90n })).toBe('succeeded')
        expect(await begin('c', { amountAtomic: 1n })).toBe('policy_rejected')
      })

      test('every version is kept', async () => {
        await begin('a')
        for (const expected of [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n]) await next('a', expected)
        const versions = await journal.listVersions('a')
        expect(versions.map(({ version }) => version)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n])
        expect(versions[10]?.document).toBe('a 11\n')
      })
    })

    describe('instructions', () => {
      test('version 1 is only written with a reservation, and a reservation only with version 1', async () => {
        expect(await journal.compareAndSwap('a', 0n, 'a\n', retain)).toBe('policy_rejected')
        expect(await journal.compareAndSwap('a', 0n, 'a\n', release)).toBe('policy_rejected')
        await begin('a')
        expect(await next('a', 1n, reserve())).toBe('policy_rejected')
        expect(await load('a')).toBe('present a 1\n')
      })

      test('Release is legal only before any possible custody or broadcast attempt', async () => {
        for (const last of [1n, 2n, 3n]) {
          const key = `key.${last}`
          await begin(key)
          for (let version = 1n; version < last; version += 1n) await next(key, version)
          expect(await next(key, last, release)).toBe('succeeded')
          expect(await journal.getReservation(key)).toBeUndefined()
        }
        await begin('late')
        for (const version of [1n, 2n, 3n]) await next('late', version)
        expect(await next('late', 4n, release)).toBe('policy_rejected')
        expect(await journal.getReservation('late')).toEqual({ admittedAtMs: start, amountAtomic: 10n })
        expect(await load('late')).toBe('present late 4\n')
      })

      test('a lost Release gives nothing back', async () => {
        await begin('a')
        await next('a', 1n)
        expect(await next('a', 1n, release)).toBe('definitely_not_started')
        expect(await journal.getReservation('a')).toEqual({ admittedAtMs: start, amountAtomic: 10n })
      })

      test('what was released can be reserved again', async () => {
        await begin('a', { amountAtomic: 100n })
        expect(await begin('b', { amountAtomic: 1n })).toBe('policy_rejected')
        await next('a', 1n, release)
        expect(await begin('b', { amountAtomic: 100n })).toBe('succeeded')
      })

      test('Retain keeps the reservation at every version', async () => {
        await begin('a', { amountAtomic: 100n })
        for (const version of [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]) {
          await next('a', version)
          expect(await begin('b', { amountAtomic: 1n })).toBe('policy_rejected')
        }
      })
    })

    describe('rolling 24-hour window', () => {
      test('admits up to the exact maximum and not one atom more', async () => {
        expect(await begin('a', { amountAtomic: 99n })).toBe('succeeded')
        expect(await begin('b', { amountAtomic: 2n })).toBe('policy_rejected')
        expect(await begin('c', { amountAtomic: 1n })).toBe('succeeded')
        expect(await begin('d', { amountAtomic: 1n })).toBe('policy_rejected')
      })

      test('a rejected reservation leaves no journal and no share', async () => {
        expect(await begin('a', { amountAtomic: 101n })).toBe('policy_rejected')
        expect(await load('a')).toBe('missing ')
        expect(await journal.getReservation('a')).toBeUndefined()
        expect(await journal.listKeys({ limit: 10 })).toEqual([])
        expect(await begin('a', { amountAtomic: 100n })).toBe('succeeded')
      })

      test('86,399,999 ms later a reservation still counts, 86,400,000 ms later it does not', async () => {
        await begin('a', { amountAtomic: 100n })
        nowMs = start + day - 1n
        expect(await begin('b', { amountAtomic: 1n })).toBe('policy_rejected')
        nowMs = start + day
        expect(await begin('b', { amountAtomic: 100n })).toBe('succeeded')
        expect(await journal.getReservation('b')).toEqual({ admittedAtMs: start + day, amountAtomic: 100n })
      })

      test('each reservation expires at its own time', async () => {
        await begin('a', { amountAtomic: 60n })
        nowMs = start + 1000n
        await begin('b', { amountAtomic: 40n })
        nowMs = start + day
        expect(await begin('c', { amountAtomic: 61n })).toBe('policy_rejected')
        expect(await begin('d', { amountAtomic: 60n })).toBe('succeeded')
        nowMs = start + day + 1000n
        expect(await begin('e', { amountAtomic: 41n })).toBe('policy_rejected')
        expect(await begin('f', { amountAtomic: 40n })).toBe('succeeded')
      })

      test('the time of admission decides, not the requested time', async () => {
        nowMs = start + 5000n
        await begin('a', { amountAtomic: 100n, requestedAtMs: start })
        nowMs = start + day + 4999n
        expect(await begin('b', { amountAtomic: 1n })).toBe('policy_rejected')
        nowMs = start + day + 5000n
        expect(await begin('b', { amountAtomic: 1n })).toBe('succeeded')
      })

      test('a release after the expiry of its reservation takes nothing from others', async () => {
        await begin('a', { amountAtomic: 100n })
        nowMs = start + day
        await begin('b', { amountAtomic: 100n })
        expect(await next('a', 1n, release)).toBe('succeeded')
        expect(await begin('c', { amountAtomic: 1n })).toBe('policy_rejected')
      })

      test('wallets, rails, networks and assets have windows of their own', async () => {
        const full = { amountAtomic: 100n }
        expect(await begin('a', full)).toBe('succeeded')
        const others = [{ walletId: 'other' }, { rail: 'solana' }, { network: 'devnet' }, { asset: 'native:sol' }]
        for (const [index, change] of others.entries()) {
          expect(await begin(`b.${index}`, { ...full, ...change })).toBe('succeeded')
          expect(await begin(`c.${index}`, { amountAtomic: 1n, ...change })).toBe('policy_rejected')
        }
      })

      test('the maximum of each request counts against the same sum', async () => {
        await begin('a', { amountAtomic: 100n })
        expect(await begin('b', { amountAtomic: 1n, maxRolling24hAtomic: 101n })).toBe('succeeded')
        expect(await begin('c', { amountAtomic: 0n, maxRolling24hAtomic: 100n })).toBe('policy_rejected')
      })

      test('its totals are what counts against the maximum, at every moment', async () => {
        const window = { walletId: 'wallet', rail: 'evm', network: 'sepolia', asset: 'native:eth' }
        const totals = async () => {
          const { payments, reservedAtomic } = await journal.getWindowTotals(window)
          return [payments, reservedAtomic]
        }
        expect(await totals()).toEqual([0n, 0n])
        await begin('a', { amountAtomic: 60n })
        await begin('other', { amountAtomic: 5n, walletId: 'other' })
        nowMs = start + 1000n
        await begin('b', { amountAtomic: 30n })
        await begin('refused', { amountAtomic: 11n })
        expect(await totals()).toEqual([2n, 90n])
        await next('b', 1n, release)
        await begin('c', { amountAtomic: 7n })
        expect(await totals()).toEqual([2n, 67n])
        // Looking changes nothing, and what has expired does not count before somebody pays again.
        nowMs = start + day - 1n
        expect(await totals()).toEqual([2n, 67n])
        nowMs = start + day
        expect(await totals()).toEqual([1n, 7n])
        expect(await journal.getReservation('a')).toEqual({ admittedAtMs: start, amountAtomic: 60n })
        nowMs = start + day + 1000n
        expect(await totals()).toEqual([0n, 0n])
        expect(await begin('d', { amountAtomic: 100n })).toBe('succeeded')
        // A clock that steps back does not bring expired time back.
        nowMs = start + 2000n
        expect(await totals()).toEqual([1n, 100n])
      })

      test('sums do not wrap: amounts of 64 bits are refused, not added', async () => {
        const u64 = 0xffff_ffff_ffff_ffffn
        const ceiling = 0x7fff_ffff_ffff_ffffn
        expect(await begin('a', { amountAtomic: u64, maxRolling24hAtomic: u64 })).toBe('policy_rejected')
        expect(await begin('b', { amountAtomic: ceiling, maxRolling24hAtomic: u64 })).toBe('succeeded')
        expect(await begin('c', { amountAtomic: 1n, maxRolling24hAtomic: u64 })).toBe('policy_rejected')
        expect(await begin('d', { amountAtomic: ceiling, maxRolling24hAtomic: u64 })).toBe('policy_rejected')
        expect(await begin('e', { amountAtomic: u64, maxRolling24hAtomic: u64 })).toBe('policy_rejected')
      })
    })

    describe('trusted nondecreasing clock', () => {
      test('a clock that steps back does not bring expired time back', async () => {
        await begin('a', { amountAtomic: 100n })
        nowMs = start + day
        expect(await begin('b', { amountAtomic: 40n })).toBe('succeeded')
        nowMs = start + 1n
        expect(await begin('c', { amountAtomic: 60n, requestedAtMs: start + day })).toBe('succeeded')
        expect(await journal.getReservation('c')).toEqual({ admittedAtMs: start + day, amountAtomic: 60n })
        expect(await begin('d', { amountAtomic: 1n, requestedAtMs: start + day })).toBe('policy_rejected')
      })

      test('a clock that steps back judges freshness by its highest reading', async () => {
        nowMs = start + day
        await begin('a')
        nowMs = start
        expect(await begin('b', { requestedAtMs: start })).toBe('policy_rejected')
        expect(await begin('c', { requestedAtMs: start + day })).toBe('succeeded')
      })

      test('a rejected request moves the clock forward, too', async () => {
        await begin('a', { amountAtomic: 100n })
        nowMs = start + 1000n
        expect(await begin('b', { amountAtomic: 1n })).toBe('policy_rejected')
        nowMs = start
        await next('a', 1n, release)
        await begin('c', { requestedAtMs: start + 1000n })
        expect(await journal.getReservation('c')).toEqual({ admittedAtMs: start + 1000n, amountAtomic: 10n })
      })

      test('requests are at most 600,000 ms old and 60,000 ms early', async () => {
        expect(await begin('a', { requestedAtMs: start - 600_000n })).toBe('succeeded')
        expect(await begin('b', { requestedAtMs: start - 600_001n })).toBe('policy_rejected')
        expect(await begin('c', { requestedAtMs: start + 60_000n })).toBe('succeeded')
        expect(await begin('d', { requestedAtMs: start + 60_001n })).toBe('policy_rejected')
      })
    })

    describe('archive', () => {
      test('keys are listed in byte order, page after page', async () => {
        for (const key of ['b', 'a:1', 'a.1', 'a-1', 'a_1', 'c']) await begin(key)
        const first = await journal.listKeys({ limit: 4 })
        expect(first).toEqual(['a-1', 'a.1', 'a:1', 'a_1'])
        expect(await journal.listKeys({ after: 'a_1', limit: 4 })).toEqual(['b', 'c'])
      })

      test('versions of one key are bounded', async () => {
        await begin('a')
        for (let version = 1n; version < 260n; version += 1n) await next('a', version)
        const versions = await journal.listVersions('a')
        expect(versions.map(({ version }) => version)).toEqual(
          Array.from({ length: 256 }, (_, index) => BigInt(index + 1)),
        )
      })

      test.runIf(subject.durable)('a store that cannot be read is a JournalReadError', async () => {
        await journal.close()
        const error = { name: 'JournalReadError', retryable: true }
        await expect(journal.listKeys({ limit: 1 })).rejects.toMatchObject(error)
        await expect(journal.listVersions('a')).rejects.toMatchObject(error)
        await expect(journal.getReservation('a')).rejects.toMatchObject(error)
        const window = { walletId: 'wallet', rail: 'evm', network: 'sepolia', asset: 'native:eth' }
        await expect(journal.getWindowTotals(window)).rejects.toMatchObject(error)
        journal = await subject.open(store, () => nowMs)
      })

      test('a page is bounded', async () => {
        await expect(journal.listKeys({ limit: 0 })).rejects.toThrow('expected an integer from 1 to 1000')
        await expect(journal.listKeys({ limit: 1001 })).rejects.toThrow('expected an integer from 1 to 1000')
      })
    })

    describe.runIf(subject.durable)('processes', () => {
      test('what was committed is there for the next process, clock included', async () => {
        await begin('a', { amountAtomic: 100n })
        await next('a', 1n)
        await journal.close()
        nowMs = start - 5000n
        journal = await subject.open(store, () => nowMs)
        expect(await load('a')).toBe('present a 2\n')
        expect(await begin('b', { amountAtomic: 1n })).toBe('policy_rejected')
        expect(await begin('c', { walletId: 'other', requestedAtMs: start })).toBe('succeeded')
      })

      test('two processes that race for the last atom: one wins, in every round', async () => {
        const rounds = 100
        const children = ['left', 'right'].map((racer) =>
          spawnChild({ work: 'race', name: racer, rounds, nowMs: String(start) }),
        )
        await Promise.all(children.map((racer) => racer.hasLines(1)))
        for (const racer of children) racer.process.stdin?.write('go\n')
        for (const racer of children) expect(await racer.ended).toBe(0)
        const [left, right] = children.map((racer) => racer.lines.slice(1) as JournalChildReport[])
        const wins = new Set<string>()
        for (let round = 0; round < rounds; round += 1) {
          const pair = [left?.[round], right?.[round]]
          expect(pair.map((report) => report?.disposition).sort()).toEqual(['policy_rejected', 'succeeded'])
          const winner = pair.find((report) => report?.disposition === 'succeeded')?.key ?? ''
          wins.add(winner)
          expect(await journal.getReservation(winner)).toEqual({ admittedAtMs: start, amountAtomic: 10n })
        }
        expect(await journal.listKeys({ limit: 1000 })).toEqual([...wins].sort())
      })

      test.runIf(subject.isKilled ?? true)(
        'kill -9 at any moment: what was acknowledged stays, and at most one step more',
        async () => {
          const kills = 12
          for (let kill = 0; kill < kills; kill += 1) {
            const marcher = spawnChild({ work: 'march', name: `march.${kill}`, nowMs: String(start) })
            await marcher.hasLines(1)
            marcher.process.stdin?.write('go\n')
            await marcher.hasLines(2 + kill * 7)
            marcher.process.kill('SIGKILL')
            expect(await marcher.ended).toBe('SIGKILL')
            await expectMarch(marcher.lines.slice(1) as JournalChildReport[], `march.${kill}`)
          }
          await journal.close()
          journal = await subject.open(store, () => nowMs)
          expect(await begin('after', { walletId: 'march', maxRolling24hAtomic: 1_000_000_000n })).toBe('succeeded')
        },
      )

      /** Compares what a killed child has reported with what the journal holds. */
      const expectMarch = async (reports: readonly JournalChildReport[], prefix: string): Promise<void> => {
        expect(reports.every(({ disposition }) => disposition === 'succeeded')).toBe(true)
        const acknowledged = new Map(reports.map(({ key, version }) => [key, version]))
        const keys = (await journal.listKeys({ limit: 1000 })).filter((key) => key.startsWith(`${prefix}.`))
        let unacknowledged = 0
        for (const key of new Set([...keys, ...acknowledged.keys()])) {
          const versions = await journal.listVersions(key)
          expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => BigInt(index + 1)))
          for (const { version, document } of versions) expect(document).toBe(`${key} ${version}\n`)
          unacknowledged += versions.length - (acknowledged.get(key) ?? 0)
          expect(versions.length).toBeGreaterThanOrEqual(acknowledged.get(key) ?? 0)
          const released = Number(key.slice(prefix.length + 1)) % 3 === 0 && versions.length === 3
          expect(await journal.getReservation(key)).toEqual(
            released ? undefined : { admittedAtMs: start, amountAtomic: 10n },
          )
        }
        expect(unacknowledged).toBeLessThanOrEqual(1)
      }
    })
  })
}
