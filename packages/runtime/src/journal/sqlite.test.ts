import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runCrampedChild } from '../../test/child-process.ts'
import type { JournalChildReport } from '../../test/journal-child.ts'
import { openStore } from '../../test/journal-store.ts'
import { describeJournal } from '../../test/journal-suite.ts'
import { describeInterruptedPayments } from '../../test/payment-suite.ts'
import type { JournalFailure } from './errors.ts'
import { openSqliteJournal } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'oikos-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const freshPath = (): string => join(folder, `journal-${files++}.sqlite`)
const start = 1_700_000_000_000n

describeJournal('SQLite journal', {
  makeStore: async () => ({ kind: 'sqlite', path: freshPath() }),
  open: async (store, clockMs) => {
    if (store === undefined) throw new Error('store: got none')
    return openStore(store, { clockMs })
  },
  durable: true,
})

describeInterruptedPayments('SQLite journal', async () => ({ kind: 'sqlite', path: freshPath() }))

const reservation = {
  walletId: 'wallet',
  ...{ rail: 'evm', network: 'sepolia', asset: 'native:eth' },
  ...{ requestedAtMs: start, amountAtomic: 1n, maxRolling24hAtomic: 1_000_000n },
}
const reserve = { kind: 'reserve', reservation } as const

describe('SQLite file', () => {
  test('commits are synced: write-ahead log and synchronous=FULL', async () => {
    const path = freshPath()
    const journal = await openSqliteJournal(path)
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(path)
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    database.close()
    await journal.close()
  })

  test('a read-only journal reads, and a write is definitely not started and reported', async () => {
    const path = freshPath()
    const writer = await openSqliteJournal(path, { clockMs: () => start })
    expect(await writer.compareAndSwap('a', 0n, 'a 1\n', reserve)).toBe('succeeded')
    const failures: JournalFailure[] = []
    const reader = await openSqliteJournal(path, { readOnly: true, onFailure: (failure) => failures.push(failure) })
    expect(await reader.listVersions('a')).toEqual([{ version: 1n, document: 'a 1\n' }])
    expect(await reader.compareAndSwap('a', 1n, 'a 2\n', { kind: 'retain' })).toBe('definitely_not_started')
    expect(failures.map(({ operation }) => operation)).toEqual(['compareAndSwap'])
    expect(String(failures[0]?.cause)).toContain('readonly')
    await reader.close()
    await writer.close()
  })

  test('a full disk is never silence: the step fails, and what was acknowledged stays', async () => {
    const path = freshPath()
    await (await openSqliteJournal(path, { clockMs: () => start })).close()
    const task = { work: 'march', name: 'march', nowMs: String(start) }
    const child = runCrampedChild(
      400,
      join(import.meta.dirname, '../../test/journal-child.ts'),
      { kind: 'sqlite', path },
      task,
    )
    await child.hasLines(1)
    child.process.stdin?.write('go\n')
    const reports = () => child.lines.slice(1) as JournalChildReport[]
    const failed = () => reports().find(({ disposition }) => disposition !== 'succeeded')
    while (failed() === undefined) await child.hasLines(child.lines.length + 1)
    child.process.kill('SIGKILL')
    await child.ended
    expect(['definitely_not_started', 'failed_uncertain']).toContain(failed()?.disposition)
    const journal = await openSqliteJournal(path, { clockMs: () => start })
    for (const { key, version, disposition } of reports()) {
      const stored = (await journal.listVersions(key)).some((row) => row.version === BigInt(version))
      if (disposition === 'succeeded') expect([key, version, stored]).toEqual([key, version, true])
      if (disposition === 'definitely_not_started') expect([key, version, stored]).toEqual([key, version, false])
    }
    await journal.close()
  })

  test('a file that cannot be opened is a JournalOpenError', async () => {
    await expect(openSqliteJournal(join(folder, 'absent', 'journal.sqlite'))).rejects.toThrow('cannot be used')
    await expect(openSqliteJournal(freshPath(), { readOnly: true })).rejects.toThrow('cannot be used')
  })

  test('a file of another program is refused and left as it was', async () => {
    const path = freshPath()
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE notes (text TEXT)')
    await expect(openSqliteJournal(path)).rejects.toThrow('name another file')
    expect(database.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'notes' }])
    database.close()
  })

  test('a writer that waits too long for another process is definitely not started', async () => {
    const path = freshPath()
    const journal = await openSqliteJournal(path, { clockMs: () => start, busyTimeoutMs: 20 })
    const { DatabaseSync } = await import('node:sqlite')
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    expect(await journal.compareAndSwap('a', 0n, 'a 1\n', reserve)).toBe('definitely_not_started')
    other.exec('ROLLBACK')
    expect(await journal.compareAndSwap('a', 0n, 'a 1\n', reserve)).toBe('succeeded')
    other.close()
    await journal.close()
  })

  test('two processes may create the same file at once', async () => {
    const path = freshPath()
    const journals = await Promise.all(
      Array.from({ length: 8 }, () => openSqliteJournal(path, { clockMs: () => start })),
    )
    const all = await Promise.all(journals.map((journal) => journal.compareAndSwap('a', 0n, 'a 1\n', reserve)))
    expect(all.filter((disposition) => disposition === 'succeeded')).toHaveLength(1)
    await Promise.all(journals.map((journal) => journal.close()))
  })
})
