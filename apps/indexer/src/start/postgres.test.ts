import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fundTaskAndWait } from '@oikos/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, type PostgresCluster, startPostgres } from '../../../../packages/runtime/test/postgres-cluster.ts'
import { type Market, rpc, startMarket } from '../../../../packages/sdk/test/market.ts'
import { until } from '../../test/until.ts'
import { movementPageSchema, statusSchema, type Tender, tenderPageSchema } from '../rest/types.ts'
import { type IndexerOptions, type RunningIndexer, startApi, startIndexer } from './start-indexer.ts'

/** Chain id that the second chain is given, to have two at once. */
const OTHER_CHAIN = 31_337

describe.skipIf(!hasPostgres)('an index in PostgreSQL', () => {
  let cluster: PostgresCluster
  let first: Market
  let second: Market
  let index: RunningIndexer
  let tokenId: bigint
  let options: IndexerOptions & { readonly databaseUrl: string }
  const folder = mkdtempSync(join(tmpdir(), 'oikos-index-pg-'))

  const get = async (url: string, path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  const tenders = async (url = index.url): Promise<Tender[]> =>
    tenderPageSchema.parse(await get(url, '/v1/market?order=asc&sort=updated')).items
  const isLevel = async (): Promise<boolean> => {
    const { isReady, chains } = statusSchema.parse(await get(index.url, '/v1/status'))
    return isReady && chains.length === 2 && chains.every(({ lagBlocks }) => lagBlocks === 0)
  }
  const fund = (market: Market, id: bigint) =>
    fundTaskAndWait(market.as.funder, { task: market.task, tokenId: id, amountAtomic: 7n })

  beforeAll(async () => {
    cluster = await startPostgres()
    ;[first, second] = await Promise.all([startMarket(), startMarket()])
    await rpc(second.as.owner, 'anvil_setChainId', [OTHER_CHAIN])
    tokenId = await first.mint()
    await second.mint()
    await fund(first, tokenId)
    options = {
      deployments: [first.deployment, { ...second.deployment, chainId: OTHER_CHAIN, network: 'other' }],
      rpcUrls: { 11155111: first.chain.url, [OTHER_CHAIN]: [second.chain.url] },
      ...{ databaseUrl: cluster.url, port: 0, folder, pollingIntervalMs: 100, checksPauseMs: 0 },
    }
    index = await startIndexer(options)
    await index.ready
  }, 180_000)
  afterAll(async () => {
    await index?.stop()
    await Promise.all([first?.stop(), second?.stop(), cluster?.stop()])
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  test('follows several chains at once', async () => {
    await until(isLevel, Boolean)
    const found = await tenders()
    expect(found.map(({ chainId, escrow }) => [chainId, escrow]).sort()).toEqual(
      [
        [11_155_111, '7'],
        [OTHER_CHAIN, '0'],
      ].sort(),
    )
  })

  test('is answered by any number of processes, which say the same', async () => {
    const api = await startApi(options)
    try {
      expect(await tenders(api.url)).toEqual(await tenders())
      await fund(second, 1n)
      await until(
        () => tenders(api.url),
        (list) => list.some(({ chainId, escrow }) => chainId === OTHER_CHAIN && escrow === '7'),
      )
    } finally {
      await api.stop()
    }
  }, 120_000)

  test('goes on where it was after its process was killed, without loss or repetition', async () => {
    process.kill(-index.pid, 'SIGKILL')
    await index.exited
    for (let count = 0; count < 3; count += 1) await fund(first, tokenId)
    index = await startIndexer(options)
    await index.ready
    await until(isLevel, Boolean)
    const path = `/v1/tenders/11155111/${first.task}/${tokenId}/movements`
    const { items } = movementPageSchema.parse(await get(index.url, path))
    expect(items.map(({ kind, amount }) => [kind, amount])).toEqual(Array.from({ length: 4 }, () => ['funded', '7']))
    const [tender] = (await tenders()).filter(({ chainId }) => chainId === 11_155_111)
    expect(tender).toMatchObject({ escrow: '28' })
  }, 180_000)

  test('refuses a database that has the past of another chain of the same id', async () => {
    const restarted = await startMarket()
    try {
      await rpc(restarted.as.owner, 'anvil_setChainId', [11_155_111])
      const { genesisHash: _, ...elsewhere } = restarted.deployment
      const other = { ...options, deployments: [elsewhere], rpcUrls: { 11155111: restarted.chain.url } }
      // a chain that starts again in the same second has the same block 0
      const isSame = restarted.deployment.genesisHash === first.deployment.genesisHash
      if (!isSame)
        await expect(startIndexer(other)).rejects.toMatchObject({ name: 'IndexPlanError', member: 'databaseUrl' })
    } finally {
      await restarted.stop()
    }
  })
})
