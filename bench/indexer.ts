import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { taskTokenAbi } from '@oikos/core/abi'
import { startIndexer } from '@oikos/indexer'
import { fundTaskAndWait } from '@oikos/sdk'
import { type AbiEvent, decodeEventLog, encodeFunctionData, type Hex, toHex } from 'viem'
import { getBlockNumber, getLogs, sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { hasPostgres, startPostgres } from '../packages/runtime/test/postgres-cluster.ts'
import { type Market, startMarket } from '../packages/sdk/test/market.ts'

/**
 * Figures of the index on an embedded chain: events a second of a backfill beside a plain loop of eth_getLogs and decoding
 * in the same run, time from a block to the API, and answers to 100 readers at once. Every event is a `TenderFunded` of our
 * kernel, of which the index makes four rows.
 *
 *   node bench/indexer.ts --events 10000 --database postgres
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    database: { type: 'string', default: 'pglite' },
    blocks: { type: 'string', default: '50' },
    readers: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
  },
})

/** Fundings of one transaction: about 12 million gas of a block's 30. */
const PER_TRANSACTION = 200

/** Blocks on top of the last event: Ponder backfills what is final, and takes the rest as it takes live blocks. */
const FINALITY = 70

/** Blocks of one question for logs. */
const PAGE = 20n

const push = (digits: string): string => (0x60 + digits.length / 2 - 1).toString(16) + digits

/** Creation code that funds a tender with 1 wei, again and again, and leaves no contract behind. */
function fundingCode(task: Hex, tokenId: bigint, times: number): Hex {
  const call = encodeFunctionData({ abi: taskTokenAbi, functionName: 'fundTask', args: [tokenId, 1n] }).slice(2)
  let code = ''
  for (let at = 0; at < call.length; at += 64) {
    code += `${push(call.slice(at, at + 64).padEnd(64, '0'))}${push(toHex(at / 2, { size: 1 }).slice(2))}52`
  }
  const size = toHex(call.length / 2, { size: 1 }).slice(2)
  for (let count = 0; count < times; count += 1) code += `60006000${push(size)}60006001${push(task.slice(2))}5af150`
  return `0x${code}00`
}

async function emit({ as, task }: Market, tokenId: bigint, events: number): Promise<void> {
  const request = { method: 'anvil_setBlockGasLimit', params: [toHex(60_000_000)] }
  await as.owner.request(request as never)
  for (let done = 0; done < events; done += PER_TRANSACTION) {
    const times = Math.min(PER_TRANSACTION, events - done)
    const data = fundingCode(task, tokenId, times)
    const hash = await sendTransaction(as.funder, {
      data,
      value: BigInt(times),
      gas: 50_000_000n,
      chain: null,
    } as never)
    const { status } = await waitForTransactionReceipt(as.funder, { hash })
    if (status !== 'success') throw new Error('the events were not written')
  }
  await as.owner.request({ method: 'anvil_mine', params: [toHex(FINALITY)] } as never)
}

/** The least that any index does: fetch the logs and decode them. */
async function readPlainly({ as, task }: Market): Promise<{ count: number; elapsedMs: number }> {
  const events = taskTokenAbi.filter((item) => item.type === 'event') as readonly AbiEvent[]
  const startedMs = performance.now()
  const head = await getBlockNumber(as.stranger)
  let count = 0
  // pages whose answers stay below the 10 MB that viem reads of one
  for (let fromBlock = 0n; fromBlock <= head; fromBlock += PAGE) {
    const toBlock = fromBlock + PAGE - 1n > head ? head : fromBlock + PAGE - 1n
    for (const { data, topics } of await getLogs(as.stranger, { address: task, events, fromBlock, toBlock })) {
      decodeEventLog({ abi: taskTokenAbi, data, topics })
      count += 1
    }
  }
  return { count, elapsedMs: performance.now() - startedMs }
}

const quantile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(0)

async function get<answer>(url: string): Promise<answer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status} of ${url}`)
  return (await response.json()) as answer
}

type Count = { counts: { activities: number }; chains: readonly { lagBlocks: number | null }[] }
type Escrow = { escrow: string }

/** Waits until the newest blocks, which come one by one after the backfill, are in the tables. */
async function becomesLevel(url: string): Promise<void> {
  const isLevel = ({ chains }: Count): boolean => chains.every(({ lagBlocks }) => lagBlocks === 0)
  while (!isLevel(await get<Count>(`${url}/v1/status`))) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function measureLag({ as, task }: Market, tokenId: bigint, url: string, blocks: number): Promise<number[]> {
  const lags: number[] = []
  const path = `${url}/v1/tenders/11155111/${task}/${tokenId}`
  for (let block = 0; block < blocks; block += 1) {
    const before = BigInt((await get<Escrow>(path)).escrow)
    await fundTaskAndWait(as.funder, { task, tokenId, amountAtomic: 3n })
    const minedMs = performance.now()
    while (BigInt((await get<Escrow>(path)).escrow) === before) await new Promise((resolve) => setTimeout(resolve, 5))
    lags.push(performance.now() - minedMs)
  }
  return lags.sort((left, right) => left - right)
}

async function measureReaders(
  url: string,
  paths: readonly string[],
  readers: number,
  seconds: number,
): Promise<number[]> {
  const endMs = performance.now() + seconds * 1_000
  const times: number[] = []
  const read = async (reader: number): Promise<void> => {
    for (let count = reader; performance.now() < endMs; count += 1) {
      const startedMs = performance.now()
      await get(`${url}${paths[count % paths.length]}`)
      times.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)))
  return times.sort((left, right) => left - right)
}

const events = Number(values.events)
const folder = mkdtempSync(join(tmpdir(), 'oikos-bench-index-'))
const market = await startMarket()
const cluster = values.database === 'postgres' && hasPostgres ? await startPostgres() : undefined
try {
  const tokenId = await market.mint()
  await emit(market, tokenId, events)
  const plain = await readPlainly(market)
  console.log(`eth_getLogs and decoding: ${plain.count} events in ${plain.elapsedMs.toFixed(0)} ms`)

  const startedMs = performance.now()
  const index = await startIndexer({
    ...{ deployments: [market.deployment], rpcUrls: { 11155111: market.chain.url }, port: 0, folder },
    ...{ pollingIntervalMs: 100, checksPauseMs: 0, followAllTransfers: false },
    ...(cluster === undefined ? {} : { databaseUrl: cluster.url }),
  })
  try {
    const listensMs = performance.now()
    await index.ready
    const readyMs = performance.now()
    const { counts } = await get<Count>(`${index.url}/v1/status`)
    const perSecond = (counts.activities / (readyMs - listensMs)) * 1_000
    console.log(
      `${cluster === undefined ? 'PGlite' : 'PostgreSQL'}: listens after ${(listensMs - startedMs).toFixed(0)} ms`,
    )
    console.log(
      `backfill: ${counts.activities} events in ${(readyMs - listensMs).toFixed(0)} ms, ${perSecond.toFixed(0)} a second`,
    )
    await becomesLevel(index.url)
    console.log(
      `level with the chain ${(performance.now() - readyMs).toFixed(0)} ms after the backfill, ${FINALITY} blocks`,
    )
    const lags = await measureLag(market, tokenId, index.url, Number(values.blocks))
    console.log(`block to API: p50 ${quantile(lags, 0.5)} ms, p99 ${quantile(lags, 0.99)} ms, ${lags.length} blocks`)
    const tender = `/v1/tenders/11155111/${market.task}/${tokenId}`
    const paths = ['/v1/market', tender, `${tender}/movements?limit=50`, '/v1/activity?limit=50', '/v1/status']
    const times = await measureReaders(index.url, paths, Number(values.readers), Number(values.seconds))
    console.log(
      `${values.readers} readers: ${(times.length / Number(values.seconds)).toFixed(0)} answers a second, p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms`,
    )
  } finally {
    await index.stop()
  }
} finally {
  await cluster?.stop()
  await market.stop()
  rmSync(folder, { recursive: true, force: true })
}
