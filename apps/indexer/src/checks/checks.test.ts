import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasPostgres, startPostgres } from '../../../../packages/runtime/test/postgres-cluster.ts'
import { CheckStore, packageKey, reconciliationKey, recordKey } from './check-store.ts'
import { retryAt } from './retry.ts'
import { openSqlDatabase } from './sql-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'oikos-checks-'))
const cluster = hasPostgres ? await startPostgres() : undefined
afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places = [
  ['SQLite', { kind: 'sqlite', file: join(folder, 'deep', 'checks.sqlite') }],
  ...(cluster === undefined ? [] : [['PostgreSQL', { kind: 'postgres', url: cluster.url, schema: 'oikos_x_checks' }]]),
] as [string, Parameters<typeof openSqlDatabase>[0]][]

describe.each(places)('verdicts in %s', (_, where) => {
  const open = async (): Promise<CheckStore> => CheckStore.open(await openSqlDatabase(where))
  const key = recordKey(1, '0xa', '0xt', '0xh')

  test('are pending until they are settled, due when their time has come, and seen by another process', async () => {
    const [store, other] = [await open(), await open()]
    await store.want('record', key, '{"a":1}', 100)
    await store.want('record', key, '{"a":2}', 100)
    expect(await store.due(99, 10)).toEqual([])
    expect(await store.due(100, 10)).toEqual([{ key, kind: 'record', subject: '{"a":1}', attempts: 0 }])
    expect((await other.verdicts([key, 'x']))(key)).toMatchObject({ state: 'pending', attempts: 0, checkedAtSec: null })
    const outcome = { state: 'refused', codes: ['hash.mismatch'], from: 'store', title: null, retryAtSec: 500 } as const
    await store.settle(key, outcome, 101)
    expect((await other.verdicts([key]))(key)).toEqual({
      ...{ state: 'refused', codes: ['hash.mismatch'], checkedAtSec: 101, attempts: 1, retryAtSec: 500 },
      ...{ from: 'store', title: null },
    })
    expect(await store.due(499, 10)).toEqual([])
    const wanted = packageKey(1, '0xc', '7', '2')
    await store.want('package', wanted, '{}', 100)
    expect(await other.countVerdicts()).toEqual({
      record: { pending: 0, verified: 0, refused: 1, unavailable: 0 },
      package: { pending: 1, verified: 0, refused: 0, unavailable: 0 },
    })
    await store.close()
    await other.close()
  })

  test('reconciliations replace each other, and a gift is no difference', async () => {
    const store = await open()
    const base = { chainId: 1, contract: '0xc', tokenId: '7', block: 5, atSec: 10, books: null }
    const difference = {
      ...{ chainId: 1, contract: '0xc', subject: '7', field: 'escrow', indexed: '1', onChain: '2' },
      ...{ block: 5, checkedAtSec: 10, kind: 'difference' as const },
    }
    await store.keepReconciliation({ ...base, differences: [difference, { ...difference, kind: 'gift' }] })
    expect(await store.differences(10)).toEqual({
      ...{ differences: [difference], differenceCount: 1, contracts: 1, lastRunSec: 10 },
    })
    expect(await store.differing(10)).toEqual([{ chainId: 1, contract: '0xc', tokenId: '7' }])
    await store.keepReconciliation({ ...base, atSec: 11, differences: [] })
    expect(await store.differing(10)).toEqual([])
    expect(await store.differences(10)).toMatchObject({ differences: [], differenceCount: 0, lastRunSec: 11 })
    const keyOf = reconciliationKey(1, '0xc', '7')
    expect((await store.reconciliations([keyOf]))(keyOf)).toEqual({ ...base, atSec: 11, differences: [] })
    await store.setMark('cursor', 'a')
    await store.setMark('cursor', 'b')
    expect([await store.mark('cursor'), await store.mark('none')]).toEqual(['b', undefined])
    await store.close()
  })
})

describe('a check that is made again', () => {
  test('waits longer each time while nothing gives the bytes, and a day at most', () => {
    const pauses = [0, 1, 2, 10, 11, 400].map((attempts) => retryAt('unavailable', attempts, 1_000) - 1_000)
    expect(pauses).toEqual([60, 120, 240, 61_440, 86_400, 86_400])
    expect(retryAt('refused', 0, 0)).toBe(86_400)
    expect(retryAt('verified', 0, 0)).toBe(604_800)
  })
})
