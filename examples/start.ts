import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Deployment, formatDeployments } from '@oikos/sdk'
import type { Address } from 'viem'
import { startChain } from '../scripts/chain.ts'
import { root } from '../scripts/toolchain.ts'
import { runFolder } from './economic/messages.ts'
import { playLabelling } from './labelling/play.ts'
import { openExplorer, type Surroundings } from './market/explorer.ts'
import { createNarrator } from './market/narrator.ts'
import { type Stage, setStage, testKey } from './market/stage.ts'
import { openSiteReport, playSiteReport } from './site-report/play.ts'
import { playTreasury } from './treasury/play.ts'

const help = `Plays two Agents that raise capital, work for two tenders and pay for what they need on an embedded chain, each run by a real
operator, and audits all of it; then leaves the chain running.

  npm start                 play, then wait for Ctrl-C
  npm start -- --once       play without the explorer, then stop everything and exit
  npm start -- --port 9545  the chain listens on another port (default 8545)
  npm start -- --web 3001   the explorer listens on another port (default 3000)
  npm start -- --no-explorer

The chain listens on loopback only. What the oikos command needs to find it is written to .oikos (or to the folder that
OIKOS_HOME names) and removed at the end.`

const { values } = readOptions()

function readOptions() {
  try {
    return parseArgs({
      options: {
        once: { type: 'boolean' },
        web: { type: 'string' },
        'no-explorer': { type: 'boolean' },
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${help}`)
    process.exit(2)
  }
}

function readPort(option: string, text: string | undefined, otherwise: number): number | undefined {
  const port = text === undefined ? otherwise : Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  console.error(`${option} takes a number from 1 to 65535, got ${text}`)
  return undefined
}

async function main(): Promise<number> {
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const port = readPort('--port', values.port, values.once === true ? 0 : 8545)
  const webPort = readPort('--web', values.web, 3000)
  if (port === undefined || webPort === undefined) return 2
  // a run that ends by itself leaves the files of a chain that is still running alone
  const home =
    values.once === true ? await mkdtemp(join(tmpdir(), 'oikos-')) : (process.env['OIKOS_HOME'] ?? join(root, '.oikos'))
  const say = createNarrator(process.stdout)
  const chain = await startChain({ port })
  let interrupted = false
  const interruption = new Promise<void>((resolve) => {
    const stop = (): void => {
      interrupted = true
      resolve()
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
  const deployments = join(home, 'deployments.json')
  const purseFolder = join(home, 'purse')
  const operatorsFolder = join(home, 'operators')
  const indexFolder = join(home, 'index')
  const contentFolder = join(home, 'content')
  let explorer: Surroundings | undefined
  try {
    console.log(`Chain     ${chain.url} (anvil, chain id 11155111)`)
    // what an earlier run left when it could not clean up belongs to a chain that is gone
    for (const folder of [purseFolder, operatorsFolder, indexFolder]) await rm(folder, { recursive: true, force: true })
    await mkdir(home, { recursive: true })
    const stage = await setStage({ url: chain.url, ...{ contentFolder, purseFolder, operatorsFolder, say } })
    const save = (deployment: Deployment): Promise<void> => writeFile(deployments, formatDeployments([deployment]))
    await save(stage.deployment)
    console.log(`Contracts ${stage.deployment.taskToken} (TaskToken), ${stage.deployment.agentFactory} (AgentFactory)`)
    if (values.once !== true && values['no-explorer'] !== true) {
      console.log('Explorer  is built, and the index starts: some seconds …')
      explorer = await openExplorer(stage, { folder: indexFolder, contentFolder, port: webPort })
      console.log(`Explorer  ${explorer.url}  (open it: its pages move with the story)`)
    }
    const agents: Record<string, Address> = {}
    const played = play(stage, (key, agent) => {
      agents[key] = agent
      return save({ ...stage.deployment, agents })
    })
    // after an interruption the chain goes away under the rest of the story, which then no longer matters
    played.catch(() => undefined)
    await Promise.race([played, interruption])
    if (values.once !== true && !interrupted) {
      console.log(`
${explorer === undefined ? '' : `Look around at ${explorer.url}, as any of the test accounts.\n`}The chain is still running. In another terminal, look at what happened and check it:
  npm run oikos -- agent show atlas
  npm run oikos -- reason verify --agent atlas
  npm run oikos -- task list
  npm run oikos -- task show 1
  npm run oikos -- task verify 2
  npm run oikos -- evidence verify ${join(purseFolder, runFolder)}
  npm run oikos -- audit atlas
Deliver to task 3 as a fulfiller, then accept as its judge (both are test keys that everybody knows):
  OIKOS_PRIVATE_KEY=${testKey(6)} npm run oikos -- task submit 3 --file README.md --yes
  OIKOS_PRIVATE_KEY=${testKey(4)} npm run oikos -- task accept 3 1 --yes
Press Ctrl-C to stop it.`)
      await interruption
    }
    return 0
  } finally {
    await explorer?.stop()
    await chain.stop()
    for (const path of values.once === true ? [home] : [deployments, purseFolder, operatorsFolder, indexFolder])
      await rm(path, { recursive: true, force: true })
    console.log(
      '\nStopped: the chain has ended; its deployments file, the purse and the operators’ databases are removed.',
    )
  }
}

/** The whole story; `onBirth` hears of each Agent as soon as there is one. */
async function play(stage: Stage, onBirth: (key: string, agent: Address) => Promise<void>): Promise<void> {
  await playTreasury(stage, onBirth, async ({ atlas, mira }) => {
    const labels = await playLabelling(stage, mira)
    const report = await playSiteReport(stage, atlas)
    return [labels.target, report.target]
  })
  await openSiteReport(stage)
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
