import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openPostgresJournal, openSqliteJournal } from '@oikos/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, type PostgresCluster, startPostgres } from '../../../../packages/runtime/test/postgres-cluster.ts'
import { createWorkbench, type Workbench } from './harness.ts'
import { NOW_MS, pay } from './payments.ts'

const keys = ['a', 'b', 'c', 'refused'] as const
let bench: Workbench
const store = () => join(bench.folder, 'home', 'journal.sqlite')

beforeAll(async () => {
  bench = await createWorkbench()
  const journal = await openSqliteJournal(store(), { clockMs: () => NOW_MS })
  for (const key of keys) await pay(journal, key, key === 'refused' ? 'rejected' : 'approved')
  await journal.close()
})
afterAll(() => bench.stop())

/** A copy of the journal with one row changed behind the engine's back. */
async function changed(name: string, sql: string): Promise<string> {
  await writeFile(join(bench.folder, name), readFileSync(store()))
  const database = new DatabaseSync(join(bench.folder, name))
  expect(database.prepare(sql).run().changes).toBe(1)
  database.close()
  return name
}

describe('journal list', () => {
  it('has one row a payment: state, version, amount, transaction', async () => {
    const { code, out } = await bench.run(['journal', 'list'])
    expect(code).toBe(0)
    const lines = out.trim().split('\n')
    expect(lines).toHaveLength(1 + keys.length)
    expect(lines[1]).toMatch(/^a +confirmed +9 +0\.00000000000000001 ETH +2023-11-14 22:13:20 UTC +0x[0-9a-f]{64}$/)
    expect(lines[4]).toMatch(/^refused +rejected +3 /)
  })

  it('pages, and leaves out what is over', async () => {
    const first = await bench.run(['journal', 'list', '--limit', '2', '--json'])
    expect(first.json).toMatchObject({
      ok: true,
      payments: [{ idempotencyKey: 'a', state: 'confirmed', version: '9', isOver: true, rail: 'evm' }, {}],
      nextCursor: 'b',
    })
    const second = await bench.run(['journal', 'list', '--limit', '2', '--cursor', 'b', '--json'])
    expect(second.json).toMatchObject({ payments: [{ idempotencyKey: 'c' }, { idempotencyKey: 'refused' }] })
    expect(second.json).not.toHaveProperty('nextCursor')
    expect((await bench.run(['journal', 'list', '--open'])).out).toBe('No payments.\n')
    expect((await bench.run(['journal', 'list', '--limit', '101'])).code).toBe(2)
  })
})

describe('journal show', () => {
  it('tells the whole story of one payment', async () => {
    const { code, out } = await bench.run(['journal', 'show', 'a'])
    expect(code).toBe(0)
    for (const words of ['confirmed: paid', 'holds 0.00000000000000001 ETH since 2023-11-14', 'signing begins'])
      expect(out).toContain(words)
    const { json } = await bench.run(['journal', 'show', 'a', '--json'])
    const { versions } = json as { versions: { step: string; digest: string }[] }
    expect(versions.map(({ step }) => step)).toEqual([
      'amount reserved',
      'planned and simulated',
      'approved',
      'signing begins',
      'signed',
      'broadcast begins',
      'the network accepted it',
      'an observation begins',
      'confirmed',
    ])
  })

  it('a refused payment holds nothing', async () => {
    const { json } = await bench.run(['journal', 'show', 'refused', '--json'])
    expect(json).toMatchObject({ ok: true, state: 'rejected', isOver: true })
    expect(json).not.toHaveProperty('reservation')
  })

  it('a version that does not hold ends with 1 and is named', async () => {
    const file = await changed(
      'bad.sqlite',
      `UPDATE economic_journal SET document = replace(document, '"bytes":', '"bytes": ') WHERE idempotency_key = 'b' AND version = 4`,
    )
    const { code, out } = await bench.run(['journal', 'show', 'b', '--journal', file])
    expect(code).toBe(1)
    expect(out).toMatch(/broken {3}version 4, form: SPX-G210/)
  })

  it('an unknown key ends with 4', async () => {
    expect((await bench.run(['journal', 'show', 'nobody'])).code).toBe(4)
  })
})

describe('journal check', () => {
  it('reads every row again', async () => {
    const { code, json } = await bench.run(['journal', 'check', '--json'])
    expect(code).toBe(0)
    expect(json).toMatchObject({ ok: true, keys: 4, versions: 30, findings: [], omittedFindings: 0 })
  })

  it.each([
    [
      'a digest that was changed',
      `UPDATE economic_journal SET document = replace(document, 'accepted', 'rejected') WHERE idempotency_key = 'a' AND version = 7`,
      { idempotencyKey: 'a', version: '7', kind: 'form' },
    ],
    [
      'a version that is gone',
      `DELETE FROM economic_journal WHERE idempotency_key = 'c' AND version = 1`,
      { idempotencyKey: 'c', version: '2', kind: 'identity' },
    ],
    [
      'a reservation of another amount',
      `UPDATE economic_reservation SET amount_atomic = 11 WHERE idempotency_key = 'b'`,
      { idempotencyKey: 'b', version: '9', kind: 'reservation' },
    ],
    [
      'a reservation that should have been given back',
      `INSERT INTO economic_reservation SELECT 'refused', window_key, admitted_at_ms, 10 FROM economic_reservation LIMIT 1`,
      { idempotencyKey: 'refused', version: '3', kind: 'reservation' },
    ],
  ])('%s is found', async (_what, sql, finding) => {
    const file = await changed('changed.sqlite', sql)
    const { code, json } = await bench.run(['journal', 'check', '--journal', file, '--json'])
    expect(code).toBe(1)
    expect(json).toMatchObject({ ok: false, findings: expect.arrayContaining([expect.objectContaining(finding)]) })
    expect((await bench.run(['journal', 'check', '--journal', file])).out).toContain('BROKEN')
  })

  it('a damaged file is a failure that says so, not a stack trace', async () => {
    const bytes = readFileSync(store())
    bytes.fill(0xaa, 4096)
    await writeFile(join(bench.folder, 'damaged.sqlite'), bytes)
    const { code, err } = await bench.run(['journal', 'check', '--journal', 'damaged.sqlite'])
    expect([2, 3]).toContain(code)
    expect(err).toContain('error  journal')
    expect(err).not.toMatch(/\bat .*:\d+:\d+/)
  })
})

describe('journal export', () => {
  it('writes the exact documents, which evidence verify reads', async () => {
    const { code } = await bench.run(['journal', 'export', 'a', '--out', 'one'])
    expect(code).toBe(0)
    const folder = join(bench.folder, 'one', 'a')
    expect(readdirSync(folder).sort()).toEqual(Array.from({ length: 9 }, (_, index) => `journal.v${index + 1}.json`))
    const journal = await openSqliteJournal(store(), { readOnly: true })
    for (const { version, document } of await journal.listVersions('a'))
      expect(readFileSync(join(folder, `journal.v${version}.json`), 'utf8')).toBe(document)
    await journal.close()
  })

  it('writes everything, whole or not at all', async () => {
    const { json } = await bench.run(['journal', 'export', '--out', 'all', '--json'])
    expect(json).toMatchObject({ ok: true, keys: 4, versions: 30 })
    expect(readdirSync(join(bench.folder, 'all')).sort()).toEqual([...keys])
    expect((await bench.run(['journal', 'export', '--out', 'all'])).code).toBe(2)
    expect((await bench.run(['journal', 'export', 'nobody', '--out', 'none'])).code).toBe(4)
    expect(readdirSync(bench.folder).filter((name) => name.startsWith('none'))).toEqual([])
  })

  it('a key cannot lead out of the folder', async () => {
    const file = await changed(
      'keys.sqlite',
      `INSERT INTO economic_journal SELECT '..', 1, document FROM economic_journal WHERE idempotency_key = 'a' AND version = 1`,
    )
    const { code } = await bench.run(['journal', 'export', '..', '--journal', file, '--out', 'dots'])
    expect([code, readdirSync(join(bench.folder, 'dots'))]).toEqual([0, ['%2e%2e']])
    const slash = await changed(
      'slash.sqlite',
      `UPDATE economic_journal SET idempotency_key = '../x' WHERE idempotency_key = 'a' AND version = 1`,
    )
    const refused = await bench.run(['journal', 'export', '--journal', slash, '--out', 'slashes'])
    expect([refused.code, readdirSync(bench.folder).filter((name) => name.startsWith('slashes'))]).toEqual([2, []])
  })
})

describe('which journal', () => {
  it('a journal that is not there ends with 4, another file with 2, and neither is written', async () => {
    const absent = await bench.run(['journal', 'list', '--journal', 'absent.sqlite'])
    expect([absent.code, absent.err]).toEqual([4, expect.stringContaining('no journal "absent.sqlite"')])
    await writeFile(join(bench.folder, 'notes.txt'), 'not a database, and long enough to be read as one'.repeat(20))
    expect((await bench.run(['journal', 'list', '--journal', 'notes.txt'])).code).toBe(2)
    expect(readdirSync(bench.folder)).not.toContain('absent.sqlite')
  })

  it('comes from option, environment, configuration and default, in this order', async () => {
    const countOf = async (args: readonly string[], env: Record<string, string> = {}) =>
      ((await bench.run(['journal', 'list', '--json', ...args], { env })).json as { payments: unknown[] }).payments
        .length
    for (const [name, kept] of [
      ['option.sqlite', 1],
      ['variable.sqlite', 2],
      ['home/configured.sqlite', 3],
    ] as const) {
      await writeFile(join(bench.folder, name), readFileSync(store()))
      const database = new DatabaseSync(join(bench.folder, name))
      const unwanted = keys.slice(kept).map((key) => `'${key}'`)
      database.exec(`DELETE FROM economic_journal WHERE idempotency_key IN (${unwanted})`)
      database.close()
    }
    expect(await countOf([])).toBe(4)
    const config = join(bench.folder, 'home', 'config.json')
    await writeFile(config, JSON.stringify({ journal: 'configured.sqlite' }))
    expect(await countOf([])).toBe(3)
    expect(await countOf([], { OIKOS_JOURNAL: 'variable.sqlite' })).toBe(2)
    expect(await countOf(['--journal', 'option.sqlite'], { OIKOS_JOURNAL: 'variable.sqlite' })).toBe(1)
    await rm(config)
  })

  it('nothing is written, while list, show, check and export read', async () => {
    const before = statSync(store()).mtimeMs
    for (const args of [['list'], ['show', 'a'], ['check'], ['export', '--out', 'copied']])
      expect((await bench.run(['journal', ...args])).code).toBe(0)
    expect(statSync(store()).mtimeMs).toBe(before)
  })

  it('a password is not taken from the command line, and is never printed', async () => {
    const url = 'postgres://user:secret@127.0.0.1:1/none'
    const given = await bench.run(['journal', 'list', '--journal', url])
    expect([given.code, given.err]).toEqual([2, expect.stringContaining('OIKOS_JOURNAL')])
    const named = await bench.run(['journal', 'list', '--verbose', '--json'], { env: { OIKOS_JOURNAL: url } })
    expect([named.code, named.json]).toMatchObject([3, { error: { name: 'JournalOpenError', retryable: true } }])
    expect(given.err + given.out + named.err + named.out).not.toContain('secret')
  })

  describe.skipIf(!hasPostgres)('PostgreSQL (skipped where no server is installed)', () => {
    let cluster: PostgresCluster
    beforeAll(async () => {
      cluster = await startPostgres()
    })
    afterAll(() => cluster?.stop())

    it('is read the same way, and left as it is', async () => {
      const env = { OIKOS_JOURNAL: cluster.url }
      const empty = await bench.run(['journal', 'list'], { env })
      expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('it holds no journal')])
      const journal = await openPostgresJournal(cluster.url, { clockMs: () => NOW_MS })
      await pay(journal, 'a')
      await journal.close()
      const { json } = await bench.run(['journal', 'check', '--json'], { env })
      expect(json).toMatchObject({ ok: true, keys: 1, versions: 9 })
      expect((await bench.run(['journal', 'show', 'a'], { env })).out).toContain('confirmed: paid')
      expect((await bench.run(['journal', 'list', '--journal', cluster.url])).out).toContain('confirmed')
    })
  })
})
