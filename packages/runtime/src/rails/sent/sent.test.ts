import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasPostgres, type PostgresCluster, startPostgres } from '../../../test/postgres-cluster.ts'
import { DurableStoreError } from '../../durable/database.ts'
import { JournalOpenError } from '../../journal/errors.ts'
import { openSqliteJournal } from '../../journal/sqlite.ts'
import { openPostgresSentTransactions, type PostgresSentTransactions } from './postgres.ts'
import { createMemorySentTransactions, MAX_FACTS_LENGTH, type SentTransactions } from './sent-transactions.ts'
import { openSqliteSentTransactions, type SqliteSentTransactions } from './sqlite.ts'

let folder: string
let path: string
const opened: SqliteSentTransactions[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oikos-sent-'))
  path = join(folder, 'sent.sqlite')
})
afterEach(() => {
  for (const memory of opened.splice(0)) memory.close()
  rmSync(folder, { recursive: true, force: true })
})
const openFile = async (): Promise<SentTransactions> => {
  const memory = await openSqliteSentTransactions(path)
  opened.push(memory)
  return memory
}

let cluster: PostgresCluster | undefined
const memories: PostgresSentTransactions[] = []
beforeAll(async () => {
  if (hasPostgres) cluster = await startPostgres()
})
afterAll(async () => {
  for (const memory of memories) await memory.close()
  await cluster?.stop()
})
/** A memory with nothing in it, unless another one of the same test shares it. */
const openPostgres = async (): Promise<SentTransactions> => {
  const memory = await openPostgresSentTransactions(cluster?.url ?? '')
  memories.push(memory)
  return memory
}
const ask = async (statement: string): Promise<void> => {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: cluster?.url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
afterEach(async () => {
  if (memories.length > 0) await ask('TRUNCATE sent_transaction')
})

const stores = [
  ['in memory', async () => createMemorySentTransactions(), false],
  ['in SQLite', openFile, true],
  ...(hasPostgres ? [['in PostgreSQL', openPostgres, true] as const] : []),
] as const

describe.each(stores)('sent transactions %s', (_name, open, isComplete) => {
  test('says whether a missing note means that nothing was sent', async () => {
    expect((await open()).isComplete).toBe(isComplete)
  })

  test('keeps the first facts of an id, and says whether they are the first', async () => {
    const memory = await open()
    expect(await memory.find('a')).toBeUndefined()
    expect(await memory.note('a', 'first')).toBe(true)
    expect(await memory.note('a', 'second')).toBe(false)
    expect(await memory.find('a')).toEqual({ facts: 'first', seenIn: null })
  })

  test('keeps the last block in which a noted transaction was seen', async () => {
    const memory = await open()
    await memory.noteSeen('a', { height: 1n, blockId: 'x' })
    expect(await memory.find('a')).toBeUndefined()
    await memory.note('a', 'facts')
    await memory.noteSeen('a', { height: 7n, blockId: 'x' })
    await memory.noteSeen('a', { height: 7n, blockId: 'x' })
    await memory.noteSeen('a', { height: 2n ** 60n, blockId: 'y' })
    expect(await memory.find('a')).toEqual({ facts: 'facts', seenIn: { height: 2n ** 60n, blockId: 'y' } })
    expect(await memory.note('a', 'later')).toBe(false)
    expect((await memory.find('a'))?.seenIn?.blockId).toBe('y')
  })

  test('takes a note back', async () => {
    const memory = await open()
    await memory.note('a', 'facts')
    await memory.note('b', 'other')
    await memory.withdraw('a')
    expect([await memory.find('a'), (await memory.find('b'))?.facts]).toEqual([undefined, 'other'])
    expect(await memory.note('a', 'again')).toBe(true)
  })

  test('refuses facts above the maximum', async () => {
    const memory = await open()
    await memory.note('a', 'x'.repeat(MAX_FACTS_LENGTH))
    await expect(memory.note('b', 'x'.repeat(MAX_FACTS_LENGTH + 1))).rejects.toThrow(RangeError)
    expect(await memory.find('b')).toBeUndefined()
  })
})

describe.skipIf(!hasPostgres)('the PostgreSQL table (skipped where no server is installed)', () => {
  test('is shared by machines: of many that note one id at the same time, one is the first', async () => {
    const machines = await Promise.all([1, 2, 3, 4].map(openPostgres))
    const notes = await Promise.all(machines.map((memory, index) => memory.note('a', `facts ${index}`)))
    expect(notes.filter((isFirst) => isFirst)).toHaveLength(1)
    const found = await Promise.all(machines.map((memory) => memory.find('a')))
    expect(new Set(found.map((note) => note?.facts))).toEqual(new Set([`facts ${notes.indexOf(true)}`]))
  })

  test('outlives connections that break, idle ones and such with a call under way', async () => {
    const broken: unknown[] = []
    const url = cluster?.url ?? ''
    const memory = await openPostgresSentTransactions(url, { onBroken: (cause) => broken.push(cause) })
    memories.push(memory)
    await memory.note('a', 'facts')
    const others = 'FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $$client backend$$'
    await ask(`SELECT pg_terminate_backend(pid) ${others}`)
    await expect.poll(() => broken.length).toBeGreaterThan(0)
    await expect.poll(() => memory.find('a').catch(String)).toMatchObject({ facts: 'facts' })
    const finding = Promise.allSettled(Array.from({ length: 50 }, () => memory.find('a')))
    await ask(`SELECT pg_terminate_backend(pid) ${others}`)
    await finding
    // A call that gets a connection before its end was heard of is rejected, too; then there is another one.
    await expect.poll(() => memory.find('a').catch(String)).toMatchObject({ facts: 'facts' })
  })

  test('MUST be durable, since a missing note means that nothing was sent', async () => {
    await ask('ALTER SYSTEM SET synchronous_commit = off')
    await ask('SELECT pg_reload_conf()')
    try {
      await expect
        .poll(() => openPostgresSentTransactions(cluster?.url ?? '').then(({ close }) => close(), String))
        .toMatch(/DurableStoreError: .*synchronous_commit=off/)
    } finally {
      await ask('ALTER SYSTEM RESET synchronous_commit')
      await ask('SELECT pg_reload_conf()')
    }
  })

  test('is refused where nobody answers, and the URL tells no password', async () => {
    const refused = openPostgresSentTransactions('postgres://me:secret@127.0.0.1:9/x', { timeoutMs: 500 })
    const error = await refused.catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'DurableStoreError', retryable: true, path: 'postgres://127.0.0.1:9/x' })
  })
})

describe('the SQLite file', () => {
  test('is read by other processes and after a restart', async () => {
    const [first, second] = [await openFile(), await openFile()]
    expect([await first.note('a', 'facts'), await second.note('a', 'other')]).toEqual([true, false])
    expect(await second.find('a')).toEqual({ facts: 'facts', seenIn: null })
    for (const memory of opened.splice(0)) memory.close()
    expect((await (await openFile()).find('a'))?.facts).toBe('facts')
  })

  test('is refused when it is a journal, and a journal is refused when it is such a file', async () => {
    await openFile()
    await expect(openSqliteJournal(path)).rejects.toThrow(JournalOpenError)
    const journal = join(folder, 'journal.sqlite')
    await (await openSqliteJournal(journal)).close()
    await expect(openSqliteSentTransactions(journal)).rejects.toThrow(DurableStoreError)
    await expect(openSqliteSentTransactions(join(folder, 'absent', 'x'))).rejects.toThrow(DurableStoreError)
  })
})
