import { writeSync } from 'node:fs'
import { createContentResolver } from '@oikos/sdk/content'
import { openContentStore } from '@oikos/sdk/node'
import pg from 'pg'
import { type Address, createClient, custom, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  createOperator,
  errorFields,
  type OperatorSettings,
  type OperatorStore,
  openPostgresOperatorStore,
  openSqliteOperatorStore,
} from '../../src/operator/index.ts'
import { chooseFirst, product, workshopOf } from './doubles.ts'

/** Something that an operator does by which it can be interrupted. */
export type ChildStep =
  | 'acquire'
  | 'decision'
  | 'work'
  | 'record'
  | 'plan'
  | 'sign'
  | 'send'
  | 'noteSent'
  | 'noteMined'
  | 'noteEnd'
  /** Within the transaction of PostgreSQL that keeps a signature, before its commit. */
  | 'transaction'

/** An operator in a process of its own, and what happens to it. */
export type OperatorChildTask = {
  readonly url: string
  readonly store:
    | { readonly kind: 'sqlite'; readonly path: string }
    | { readonly kind: 'postgres'; readonly url: string }
  readonly contentFolder: string
  readonly key: Hex
  readonly agent: Address
  readonly task: Address
  readonly token: Address
  readonly fromBlock: string
  readonly leaseMs: string
  /** Ends or stops itself by this signal at the first such moment. */
  readonly strike?: {
    readonly step: ChildStep
    readonly moment: 'before' | 'after'
    readonly signal: 'SIGKILL' | 'SIGSTOP'
  }
  /** Passes until the process is ended, instead of until nothing is left to do. */
  readonly forever?: boolean
}

const task = JSON.parse(process.argv[2] ?? '') as OperatorChildTask
const say = (line: unknown): void => {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

let isStruck = false
const strike = (step: ChildStep, moment: 'before' | 'after'): void => {
  if (isStruck || task.strike?.step !== step || task.strike.moment !== moment) return
  isStruck = true
  say({ struck: step, moment })
  process.kill(process.pid, task.strike.signal)
}

/** Makes a function strike before and after. */
function around<args extends readonly unknown[], result>(
  step: ChildStep,
  work: (...args: args) => Promise<result>,
): (...args: args) => Promise<result> {
  return async (...args) => {
    strike(step, 'before')
    const result = await work(...args)
    strike(step, 'after')
    return result
  }
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = async function (this: pg.Client, ...args: unknown[]) {
  const result = await (query as (...values: unknown[]) => Promise<unknown>).apply(this, args)
  if (String(args[0]).includes("SET state = 'signed'")) strike('transaction', 'after')
  return result
} as typeof query

const opened =
  task.store.kind === 'sqlite'
    ? await openSqliteOperatorStore(task.store.path)
    : await openPostgresOperatorStore(task.store.url, { timeoutMs: 2_000 })
const { leases, actions, notes } = opened
const store: OperatorStore = {
  ...opened,
  leases: { ...leases, acquire: around('acquire', leases.acquire) },
  actions: {
    ...actions,
    plan: around('plan', actions.plan),
    sign: around('sign', actions.sign),
    noteSent: around('noteSent', actions.noteSent),
    noteMined: around('noteMined', actions.noteMined),
    noteEnd: around('noteEnd', actions.noteEnd),
  },
  notes: { ...notes, putDecision: around('decision', notes.putDecision), putWork: around('work', notes.putWork) },
}
const node = http(task.url)({ retryCount: 0 })
const send = around('send', (args: object) => node.request(args as never))
const client = createClient({
  transport: custom({
    request: (args: { method: string }) =>
      args.method === 'eth_sendRawTransaction' ? send(args) : node.request(args as never),
  }),
})
const folder = await openContentStore(task.contentFolder)
const content = { ...folder, put: around('record', folder.put) }
const settings: Partial<OperatorSettings> = {
  ...{ finalityBlocks: 1n, mineWaitMs: 2_000, pollMs: 20, resendAfterMs: 500n, leaseMs: BigInt(task.leaseMs) },
  tenders: {
    markets: [{ task: task.task, fromBlock: BigInt(task.fromBlock) }],
    rewards: [{ asset: task.token, minRewardAtomic: 1n }],
    ...{ minSecondsLeft: 60n, judged: true, verifiers: [], maxJudgmentWindowSec: 86_400n, requireFrozen: true },
    ...{ maxDeliveriesPerTender: 1n, maxAttemptsPerTender: 1n, maxPackageBytes: 1_000_000 },
    work: { timeoutMs: 10_000, memoryMiB: 64, outputBytes: 10_000 },
    resources: {},
  },
}
const operator = createOperator({
  ...{ client, chainId: 11_155_111, account: privateKeyToAccount(task.key), agent: task.agent, agentFromBlock: 0n },
  ...{ store, content, resolver: createContentResolver({ store: content }), settings },
  ...{ decider: chooseFirst('settle', 'work'), workshop: workshopOf(product), clockMs: () => BigInt(Date.now()) },
})
say('ready')
let failures = 0
for (;;) {
  try {
    const report = await operator.tick()
    if (report.done.length > 0 || report.status !== 'standby') say({ status: report.status, done: report.done })
    if (report.status === 'idle' && task.forever !== true) break
  } catch (cause) {
    say({ failure: errorFields(cause) })
    failures += 1
    if (task.forever !== true && failures > 3) throw cause
  }
  await new Promise((resolve) => setTimeout(resolve, 20))
}
await opened.close()
