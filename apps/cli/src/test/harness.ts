import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDeployments } from '@oikos/sdk'
import { bytesToHex, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type Agents, startAgents } from '../../../../packages/sdk/test/agents.ts'
import { type Market, startMarket } from '../../../../packages/sdk/test/market.ts'
import { run } from '../run.ts'
import type { Terminal } from '../terminal.ts'

/** What one command line did. */
type CliResult = {
  code: number
  out: string
  err: string
  /** The one document of standard output. */
  json: unknown
}

/** The text at a path of a document, such as `event.args.amount`. Fails where there is none. */
export function textAt(document: unknown, path: string): string {
  const value = path.split('.').reduce<unknown>((current, name) => (current as Record<string, unknown>)[name], document)
  if (typeof value !== 'string') throw new Error(`no text at ${path}: ${JSON.stringify(document)}`)
  return value
}

/** How one command line is run. */
type CliOptions = {
  env?: Record<string, string>
  cwd?: string
  /** Answers to questions with and without echo, or who gives them, in order; makes the terminal interactive. */
  answers?: readonly (string | ((question: string) => string))[]
  /** Told every question. */
  onQuestion?: (question: string) => void
  /** Told everything that goes to standard output. */
  onResult?: (text: string) => void
  /** Told everything that goes to standard error. */
  onSay?: (text: string) => void
  signal?: AbortSignal
}

/** A folder of its own with a home for keys and settings, in which command lines run in this process. */
export type Workbench = {
  folder: string
  run: (args: readonly string[], options?: CliOptions) => Promise<CliResult>
  stop: () => Promise<void>
}

/** Makes an empty workbench. */
export async function createWorkbench(env: Record<string, string> = {}): Promise<Workbench> {
  const folder = await mkdtemp(join(tmpdir(), 'oikos-cli-'))
  await mkdir(join(folder, 'home'))
  return {
    folder,
    run: (args, options = {}) =>
      runCaptured(args, { cwd: folder, ...options, env: { OIKOS_HOME: join(folder, 'home'), ...env, ...options.env } }),
    stop: () => rm(folder, { recursive: true, force: true }),
  }
}

async function runCaptured(args: readonly string[], options: CliOptions & { cwd: string }): Promise<CliResult> {
  let out = ''
  let err = ''
  const answers = [...(options.answers ?? [])]
  const answer = async (question: string): Promise<string> => {
    options.onQuestion?.(question)
    const next = answers.shift()
    if (next === undefined) throw new Error(`nobody answers: ${question}`)
    return typeof next === 'function' ? next(question) : next
  }
  const terminal: Terminal = {
    writeOut: (text) => {
      out += text
      options.onResult?.(text)
    },
    writeError: (text) => {
      err += text
      options.onSay?.(text)
    },
    colourOut: false,
    colourError: false,
    interactive: options.answers !== undefined,
    columns: 80,
    env: options.env ?? {},
    cwd: options.cwd,
    userHome: join(options.cwd, 'nobody'),
    checkout: join(options.cwd, 'nowhere'),
    ask: answer,
    askSecret: answer,
    entropy: (length) => new Uint8Array(randomBytes(length)),
    scryptCost: 1024,
    signal: options.signal ?? new AbortController().signal,
  }
  const code = await run(args, terminal)
  return {
    code,
    out,
    err,
    get json() {
      return JSON.parse(out)
    },
  }
}

/** Private key of an account that anvil funds; public, and worth nothing anywhere else. */
export function fundedKey(index: number): Hex {
  const { privateKey } = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex: index,
  }).getHdKey()
  if (privateKey === null) throw new Error('no key')
  return bytesToHex(privateKey)
}

/** Address of {@link fundedKey}. */
export function fundedAddress(index: number): string {
  return mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
    .address
}

/** A workbench beside a chain with a task market, which its commands find by themselves. */
export async function createMarketBench(): Promise<{
  bench: Workbench
  market: Market
  /** Runs a command with --json as one of anvil's accounts, and expects it to succeed. */
  as: (index: number, ...args: string[]) => Promise<unknown>
  stop: () => Promise<void>
}> {
  const market = await startMarket()
  const bench = await createWorkbench({ OIKOS_RPC_URL: market.chain.url })
  await writeFile(join(bench.folder, 'home', 'deployments.json'), formatDeployments([market.deployment]))
  return {
    bench,
    market,
    as: async (index, ...args) => {
      const result = await bench.run([...args, '--json'], { env: { OIKOS_PRIVATE_KEY: fundedKey(index) } })
      expect(result.err + result.out, args.join(' ')).not.toContain('error  ')
      expect(result.code, args.join(' ')).toBe(0)
      return result.json
    },
    stop: async () => {
      await market.stop()
      await bench.stop()
    },
  }
}

/** A workbench beside a chain with a market and a factory of Agents, which its commands find by themselves. */
export async function createAgentBench(): Promise<
  Awaited<ReturnType<typeof createMarketBench>> & {
    readonly agents: Agents
    /** Names Agents in the deployments. */
    readonly nameAgents: (names: Readonly<Record<string, `0x${string}`>>) => Promise<void>
  }
> {
  const market = await createMarketBench()
  const agents = await startAgents(market.market)
  const file = join(market.bench.folder, 'home', 'deployments.json')
  const nameAgents = (names: Readonly<Record<string, `0x${string}`>>): Promise<void> =>
    writeFile(file, formatDeployments([{ ...market.market.deployment, agentFactory: agents.factory, agents: names }]))
  await nameAgents({})
  const config = { assets: { USDC: agents.token } }
  await writeFile(join(market.bench.folder, 'home', 'config.json'), JSON.stringify(config))
  return { ...market, agents, nameAgents }
}
