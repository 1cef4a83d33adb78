import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { getBlockNumber } from 'viem/actions'
import { chromiumPath, startBrowser } from '../apps/web/src/test/browser.ts'
import { openExplorer } from '../examples/market/explorer.ts'
import { createNarrator } from '../examples/market/narrator.ts'
import { setStage } from '../examples/market/stage.ts'
import { openSiteReport } from '../examples/site-report/play.ts'
import { startChain } from '../scripts/chain.ts'

/**
 * The first load of the explorer's market in Chromium with an empty cache, beside a page without script from the same server:
 * what is transferred, the first and the largest paint. `--json` prints JSON.
 */
const LOADS = 15

type Figure = { readonly name: string; readonly value: number; readonly unit: string }
const figures: Figure[] = []
const report = (name: string, value: number, unit: string): void => {
  figures.push({ name, value: Number(value.toPrecision(4)), unit })
  if (!process.argv.includes('--json')) console.log(`${name.padEnd(62)} ${value.toPrecision(4).padStart(10)} ${unit}`)
}
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const largest = (values: readonly number[]): number => Math.max(...values)

type Load = {
  readonly firstMs: number
  readonly largestMs: number
  readonly scriptBytes: number
  readonly bytes: number
}

/** Evaluated in the page when it has come to rest. */
const MEASURE = `new Promise((resolve) => {
  let largestMs = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) largestMs = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => {
    const paints = performance.getEntriesByType('paint')
    const resources = [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
    const sizeOf = (list) => list.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    resolve({
      firstMs: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0,
      largestMs,
      scriptBytes: sizeOf(resources.filter(({ name }) => name.split('?')[0].endsWith('.js'))),
      bytes: sizeOf(resources),
    })
  }, 500)
})`

if (chromiumPath === undefined) {
  console.error('bench explorer: there is no Chromium; install it, or name it by OIKOS_CHROMIUM')
  process.exit(2)
}
/** Blocks whose way to an open page is measured. */
const BLOCKS = 50

/** Evaluated in the page: ends when its header says so. */
const awaitText = (text: string): string => `new Promise((resolve) => {
  const node = document.querySelector('header [role=status]')
  const look = () => node.textContent === '${text}' && resolve()
  new MutationObserver(look).observe(node, { childList: true, characterData: true, subtree: true })
  look()
})`

/** Time from a new block until an open page names it. */
async function measureLag(): Promise<number[]> {
  const page = await browser.newPage()
  await page.goto(explorer.url)
  await page.locator('tbody tr').first().waitFor()
  const lags: number[] = []
  for (let count = 0; count < BLOCKS; count += 1) {
    const next = (await getBlockNumber(stage.client.stranger)) + 1n
    const seen = page.evaluate(awaitText(`block ${next}`))
    const started = performance.now()
    await stage.passTime(1n)
    await seen
    lags.push(performance.now() - started)
  }
  await page.close()
  return lags
}

const home = mkdtempSync(join(tmpdir(), 'oikos-bench-explorer-'))
const chain = await startChain()
const say = createNarrator(new Writable({ write: (_text, _encoding, done) => done() }))
const contentFolder = join(home, 'content')
const stage = await setStage({ url: chain.url, contentFolder, purseFolder: join(home, 'purse'), say })
await openSiteReport(stage)
const explorer = await openExplorer(stage, { folder: join(home, 'index'), contentFolder })
const browser = await startBrowser()
try {
  const load = async (path: string, rest: string): Promise<Load> => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(explorer.url + path)
    await page.locator(rest).first().waitFor()
    const measured = (await page.evaluate(MEASURE)) as Load
    await context.close()
    return measured
  }
  const repeat = async (path: string, rest: string): Promise<Load[]> => {
    const loads: Load[] = []
    for (let count = 0; count < LOADS; count += 1) loads.push(await load(path, rest))
    return loads
  }
  await load('/', 'tbody tr')
  const bare = await repeat('/icon.svg', 'path')
  const market = await repeat('/', 'tbody tr')
  report('a bare picture: first contentful paint, median', median(bare.map(({ firstMs }) => firstMs)), 'ms')
  report('market: JavaScript, compressed', largest(market.map(({ scriptBytes }) => scriptBytes)) / 1_000, 'kB')
  report('market: everything, compressed', largest(market.map(({ bytes }) => bytes)) / 1_000, 'kB')
  report('market: first contentful paint, median', median(market.map(({ firstMs }) => firstMs)), 'ms')
  report('market: largest contentful paint, median', median(market.map(({ largestMs }) => largestMs)), 'ms')
  report('market: largest contentful paint, worst', largest(market.map(({ largestMs }) => largestMs)), 'ms')
  const lags = await measureLag()
  report('from a block to the page, median', median(lags), 'ms')
  report('from a block to the page, 99th percentile (the worst of 50)', largest(lags), 'ms')
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2))
} finally {
  await browser.close()
  await explorer.stop()
  await chain.stop()
  rmSync(home, { recursive: true, force: true })
}
