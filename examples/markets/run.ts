import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startChain } from '../../scripts/chain.ts'
import { openExplorer } from '../market/explorer.ts'
import { createNarrator } from '../market/narrator.ts'
import type { Stage } from '../market/stage.ts'
import { type MarketName, marketNames, playMarkets } from './play.ts'
import { openStage } from './stage/open-stage.ts'
import type { MarketOutcome } from './stage/outcome.ts'

const help = `Plays worked markets on an embedded chain, accounts for all money to the last unit, audits every tender, and ends.

  npm run examples                      play all of them
  npm run examples -- labelling         play one, or several by their names
  npm run examples -- --json            print one JSON document with deliveries, money and verdicts instead of the story
  npm run examples -- --explorer        play, then show them in the explorer until Ctrl-C

Markets: ${marketNames.join(', ')}.

Ends with 0 when every market went as its story says, with 1 when one did not, and with 2 for a wrong command line.`

type Choice = { names: readonly MarketName[]; json: boolean; explorer: boolean }

function readChoice(): Choice | 'help' | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean' }, explorer: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help === true) return 'help'
    const unknown = positionals.find((name) => !marketNames.some((known) => known === name))
    if (unknown !== undefined) throw new Error(`There is no market ${JSON.stringify(unknown.slice(0, 80))}.`)
    const names = marketNames.filter((name) => positionals.length === 0 || positionals.includes(name))
    return { names, json: values.json === true, explorer: values.explorer === true }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    console.error(`See npm run examples -- --help. Markets: ${marketNames.join(', ')}.`)
    return undefined
  }
}

async function main(): Promise<number> {
  const choice = readChoice()
  if (choice === undefined) return 2
  if (choice === 'help') {
    console.log(help)
    return 0
  }
  const home = await mkdtemp(join(tmpdir(), 'oikos-markets-'))
  try {
    const chain = await startChain()
    try {
      // results go to standard output, everything else to standard error
      const say = createNarrator(choice.json ? process.stderr : process.stdout)
      const stage = await openStage({ url: chain.url, home, say })
      const outcomes = await playMarkets(stage, choice.names)
      if (choice.json) console.log(formatOutcomes(outcomes))
      else console.log(`\n${outcomes.size} markets played, accounted for and audited.`)
      if (choice.explorer) await showThem(stage, home)
      return 0
    } finally {
      await chain.stop()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Brings up the explorer over what was played, until Ctrl-C. */
async function showThem(stage: Stage, home: string): Promise<void> {
  console.error('The index starts: some seconds …')
  const explorer = await openExplorer(stage, { folder: join(home, 'index'), contentFolder: join(home, 'content') })
  try {
    console.error(`Look at them at ${explorer.url}. Press Ctrl-C to end.`)
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve())
      process.once('SIGTERM', () => resolve())
    })
  } finally {
    await explorer.stop()
  }
}

/** One document: amounts as decimal text in smallest units, members in a stable order. */
function formatOutcomes(outcomes: ReadonlyMap<MarketName, MarketOutcome>): string {
  const markets = [...outcomes].map(([market, { target, deliveries, money, audit }]) => ({
    market,
    ...target,
    deliveries,
    money,
    audit: { status: audit.status, counts: audit.counts },
  }))
  const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  return JSON.stringify({ schema: 'oikos-markets/1', markets }, text, 2)
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
