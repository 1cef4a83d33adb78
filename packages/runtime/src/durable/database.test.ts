import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DurableDatabase, integerColumn, openDurableDatabase, textColumn } from './database.ts'

const layout = { applicationId: 0x74657374, tables: 'CREATE TABLE fact (name TEXT PRIMARY KEY, count INTEGER) STRICT;' }
let folder: string
let path: string
let database: DurableDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oikos-durable-'))
  path = join(folder, 'facts.sqlite')
  database = await openDurableDatabase(path, layout)
})
afterEach(async () => {
  database.close()
  await rm(folder, { recursive: true, force: true })
})

const put = (over: DurableDatabase, name: string) =>
  over.prepare('INSERT INTO fact (name, count) VALUES (?, 9007199254740993)').run(name)
const names = (over: DurableDatabase) =>
  over
    .prepare('SELECT name FROM fact')
    .all()
    .map((row) => row['name'])

describe('a file of facts', () => {
  test('is readable by its owner only, with its log and its index', async () => {
    database.write(() => put(database, 'a'))
    for (const suffix of ['', '-wal', '-shm']) expect((await stat(`${path}${suffix}`)).mode & 0o777).toBe(0o600)
  })

  test('is synced at each commit, by write-ahead log', () => {
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2n })
  })

  test('keeps integers beyond 2^53', () => {
    database.write(() => put(database, 'a'))
    expect(integerColumn(database.prepare('SELECT count FROM fact').get()?.['count'])).toBe(9_007_199_254_740_993n)
  })

  test('undoes a step that throws, passes on what was thrown, and goes on', () => {
    const fault = new Error('mine')
    const change = () =>
      database.write(() => {
        put(database, 'a')
        throw fault
      })
    expect(change).toThrow(fault)
    database.write(() => put(database, 'b'))
    expect(names(database)).toEqual(['b'])
  })

  test('says that nothing was written when SQLite refuses', () => {
    database.write(() => put(database, 'a'))
    const again = () => database.write(() => put(database, 'a'))
    expect(again).toThrow(
      expect.objectContaining({ name: 'DurableStoreError', effect: 'not_started', retryable: true }),
    )
    expect(names(database)).toEqual(['a'])
  })

  test('is one for all who open it, also at the same moment', async () => {
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openDurableDatabase(join(folder, 'new.sqlite'), layout)),
    )
    for (const [index, each] of opened.entries()) each.write(() => put(each, `name ${index}`))
    expect(opened.map((each) => names(each).length)).toEqual([4, 4, 4, 4])
    for (const each of opened) each.close()
  })

  test('of another kind, or no database at all, is refused and left as it is', async () => {
    const other = openDurableDatabase(path, { ...layout, applicationId: 7 })
    await expect(other).rejects.toMatchObject({ name: 'DurableStoreError', retryable: false })
    const { writeFile } = await import('node:fs/promises')
    await writeFile(join(folder, 'text'), 'not a database, and long enough to be read as a page of one'.repeat(20))
    await expect(openDurableDatabase(join(folder, 'text'), layout)).rejects.toMatchObject({ effect: 'not_started' })
    await expect(openDurableDatabase(join(folder, 'missing', 'file'), layout)).rejects.toMatchObject({
      effect: 'not_started',
    })
    expect(names(database)).toEqual([])
  })

  test('columns of another type are not taken', () => {
    expect(() => integerColumn('1')).toThrow(TypeError)
    expect(() => textColumn(1n)).toThrow(TypeError)
  })
})
