import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CheckStore } from '../checks/check-store.ts'
import { openSqlDatabase } from '../checks/sql-database.ts'
import { type ChainPlan, PLAN_VARIABLE } from '../plan/index-plan.ts'
import { type PlanOptions, planChains, writePlan } from '../plan/make-plan.ts'
import { IndexPlanError } from '../plan/plan-error.ts'
import { type Child, startChild } from './child.ts'
import { schemaName } from './code-digest.ts'
import { IndexerFailedError } from './errors.ts'
import { findPort } from './free-port.ts'

/** Folder of this package. */
const room = dirname(dirname(import.meta.dirname))

/** How long the first answer of the HTTP server may take, in milliseconds: Ponder compiles its files first. */
const LISTEN_TIMEOUT_MS = 120_000

/** Pause between two rounds of checks, unless told otherwise. */
const DEFAULT_CHECKS_PAUSE_MS = 2_000

/** Pause between two looks at a process that starts, in milliseconds. */
const LOOK_MS = 100

/** Options of {@link startIndexer}. */
export type IndexerOptions = PlanOptions & {
  /** PostgreSQL. Default: an embedded database in `folder`, for one process and for data that the chain can give again. */
  readonly databaseUrl?: string
  /** Port of the API; 0 takes a free one. */
  readonly port: number
  /** Default loopback. The API has no login: whoever reaches the address may read. */
  readonly host?: string
  /** Where plan, log and embedded data go. */
  readonly folder: string
  /** Content store in which records and packages are looked for first. */
  readonly contentFolder?: string
  /** Base URLs of IPFS gateways that are asked for what the store does not have. */
  readonly gateways?: readonly string[]
  /** Whether https URIs of strangers are fetched, too. Default false. */
  readonly fetchHttps?: boolean
  /** Pause between two rounds of checks, in milliseconds; 0 runs none. Default 2,000. */
  readonly checksPauseMs?: number
}

/** An index that runs. */
export type RunningIndexer = {
  /** Base URL of the API. */
  readonly url: string
  /** Database schema of the tables. */
  readonly schema: string
  readonly logFile: string
  /** Process that indexes or answers, and its group. */
  readonly pid: number
  /** Resolves when the past is indexed; rejects with IndexerFailedError when the process ends before. */
  readonly ready: Promise<void>
  /** Resolves when the process has ended, whatever the reason. */
  readonly exited: Promise<void>
  /** Ends all processes of the index and waits for that. */
  readonly stop: () => Promise<void>
}

/**
 * Starts the index of some deployments: one process that follows the chains and answers the API. Resolves when the API
 * listens, which is before the past is indexed. One index at a time writes one schema; further processes that only answer
 * are started by {@link startApi}.
 * @throws IndexPlanError, RpcError, IndexerFailedError
 */
export async function startIndexer(options: IndexerOptions): Promise<RunningIndexer> {
  return run(options, 'start')
}

/** Starts one more process that answers the API from the PostgreSQL database of a running index. Throws as startIndexer. */
export async function startApi(options: IndexerOptions & { readonly databaseUrl: string }): Promise<RunningIndexer> {
  return run(options, 'serve')
}

async function run(options: IndexerOptions, command: 'start' | 'serve'): Promise<RunningIndexer> {
  const { host = '127.0.0.1', databaseUrl, folder } = options
  const chains = await planChains(options)
  const place = chains.map(({ rpcUrls: _, pollingIntervalMs: __, ...rest }) => rest)
  const schema = schemaName(room, JSON.stringify(place))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const plan = writePlan({
    database:
      databaseUrl === undefined
        ? { kind: 'pglite', directory: join(folder, schema) }
        : { kind: 'postgres', url: databaseUrl },
    checks:
      databaseUrl === undefined
        ? { kind: 'sqlite', file: join(folder, `${schema}.checks.sqlite`) }
        : { kind: 'postgres', url: databaseUrl, schema: `${schema}_checks` },
    chains: [...chains],
  })
  if (databaseUrl !== undefined) await claimChains(databaseUrl, chains)
  const port = await findPort(options.port, host)
  const planFile = join(folder, `${schema}.${command}.${port}.plan.json`)
  writeFileSync(planFile, plan, { mode: 0o600 })
  const logFile = join(folder, `${schema}.${command}.${port}.log`)
  const indexing = await startPonder({ command, schema, host, port, planFile, folder, logFile })
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  await answers(indexing, `${url}/health`, LISTEN_TIMEOUT_MS)
  const ready = answers(indexing, `${url}/ready`)
  // whoever does not wait for the past shall not be ended by it
  ready.catch(() => undefined)
  const checks = command === 'start' ? await startChecks(options, url, planFile, logFile) : undefined
  return {
    ...{ url, schema, logFile, ready, pid: indexing.pid },
    exited: indexing.exited.then(() => checks?.stop()),
    stop: async () => {
      // the checks ask the index, so they end first
      await checks?.stop()
      await indexing.stop()
    },
  }
}

/** Schema of the table that says which chains a database is of, for all versions of the code. */
const CHAINS_SCHEMA = 'oikos_chains'

/**
 * Notes which chains a database is of. What Ponder fetched is kept by chain id, so a database that has seen another chain
 * of the same id would give that chain's past. Throws IndexPlanError.
 */
async function claimChains(url: string, chains: readonly ChainPlan[]): Promise<void> {
  const store = await CheckStore.open(await openSqlDatabase({ kind: 'postgres', url, schema: CHAINS_SCHEMA }))
  try {
    for (const { chainId, genesisHash } of chains) {
      const name = `genesis:${chainId}`
      const known = await store.mark(name)
      if (known === undefined) await store.setMark(name, genesisHash)
      else if (known !== genesisHash) {
        throw new IndexPlanError(
          'databaseUrl',
          `the past of another chain ${chainId} (block 0 ${known})`,
          'a database of this chain',
        )
      }
    }
  } finally {
    await store.close()
  }
}

/** Starts the process that checks records and packages and compares with the chains. */
async function startChecks(
  options: IndexerOptions,
  apiUrl: string,
  planFile: string,
  logFile: string,
): Promise<Child | undefined> {
  const { contentFolder = null, gateways = [], fetchHttps = false, checksPauseMs = DEFAULT_CHECKS_PAUSE_MS } = options
  if (checksPauseMs === 0) return undefined
  const asked = { apiUrl, contentFolder, gateways, fetchHttps, pauseMs: checksPauseMs }
  return startChild({
    args: ['--disable-warning=ExperimentalWarning', join(room, 'src', 'checks', 'main.ts')],
    folder: options.folder,
    logFile: logFile.replace(/\.log$/, '.checks.log'),
    environment: { ...baseEnvironment(options.folder), [PLAN_VARIABLE]: planFile, OIKOS_CHECKS: JSON.stringify(asked) },
  })
}

/** Nothing else of the owner's environment: a DATABASE_URL or PORT of somebody else would win over the plan. */
function baseEnvironment(folder: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: folder }
}

/** Ponder's program in the nearest node_modules; its package exports neither the program nor its own description. */
function findPonder(from: string): string {
  const program = join(from, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js')
  if (existsSync(program)) return program
  const parent = dirname(from)
  if (parent === from) throw new IndexerFailedError('has no ponder package', '')
  return findPonder(parent)
}

function startPonder(options: {
  readonly command: 'start' | 'serve'
  readonly schema: string
  readonly host: string
  readonly port: number
  readonly planFile: string
  readonly folder: string
  readonly logFile: string
}): Promise<Child> {
  const { command, schema, host, port, planFile, folder, logFile } = options
  const program = findPonder(room)
  return startChild({
    args: [
      program,
      ...[command, '--root', join(room, 'ponder'), '--schema', schema, '--log-format', 'json'],
      ...['--port', String(port), '--hostname', host],
    ],
    folder,
    logFile,
    environment: {
      ...baseEnvironment(folder),
      PONDER_TELEMETRY_DISABLED: 'true',
      CI: 'true',
      [PLAN_VARIABLE]: planFile,
    },
  })
}

/** Waits until a URL answers 2xx. Throws IndexerFailedError when the process ends first, or the time is over. */
async function answers(child: Child, url: string, timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
  let hasEnded = false
  void child.exited.then(() => {
    hasEnded = true
  })
  const startedMs = Date.now()
  while (!hasEnded) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
      await response.body?.cancel()
      if (response.ok) return
    } catch {
      // not listening yet
    }
    if (Date.now() - startedMs > timeoutMs) {
      await child.stop()
      throw new IndexerFailedError(`did not answer within ${timeoutMs / 1_000} s`, child.logTail())
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new IndexerFailedError('ended by itself', child.logTail())
}
