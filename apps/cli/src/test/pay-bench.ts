import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { EvmAddress } from '@oikos/core/economic'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type LocalChain, startChain } from '../../../../scripts/chain.ts'
import { createWorkbench, fundedAddress, fundedKey, type Workbench } from './harness.ts'
import { intentOf, type PaidTerms, policyOf, ruleOf } from './pay-documents.ts'

/** Who is paid in these tests. */
export const recipient = `0x${'31'.repeat(20)}` as EvmAddress
/** What is paid, and the most that it may cost, wei. */
export const AMOUNT = 1_000_000_000n
export const MAX_FEE = 10n ** 15n
/** The command line of a payment, and the rule that approves it. */
export const PAY = ['pay', '--policy', 'policy.json', '--intent', 'intent.json', '--confirmations', '1', '--json']
export const RULE = ['--approve-rule', 'rule.json']

/** A node in front of anvil, which counts what is sent and can end whoever sends. */
type Gate = {
  readonly url: string
  readonly sent: () => number
  /** Called with each request before it is passed on; false keeps it back and answers nothing. */
  onRequest: (method: string) => boolean | Promise<boolean>
  readonly close: () => Promise<void>
}

/** A workbench beside anvil, with a wallet that has money, a policy, an intent and a rule; anew for each test. */
type PayBench = {
  readonly bench: Workbench
  readonly gate: Gate
  readonly chain: LocalChain
  /** Idempotency key of the test. */
  readonly key: string
  /** Address of the wallet. */
  readonly payer: string
  /** What the recipient has, wei. */
  readonly balance: () => Promise<bigint>
  readonly ask: (method: string, params: unknown[]) => Promise<unknown>
  readonly reconcile: () => ReturnType<Workbench['run']>
  /** Starts the payment of the test in a process of its own, by a rule. */
  readonly start: (env?: Readonly<Record<string, string>>) => PayingProcess
}

/** `oikos pay` in a process of its own. */
type PayingProcess = {
  readonly kill: (signal: NodeJS.Signals) => void
  /** What it has written to standard error and standard output so far. */
  readonly err: () => string
  readonly out: () => string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

const main = join(import.meta.dirname, '..', 'main.ts')

function startPay(folder: string, rpcUrl: string, more: Readonly<Record<string, string>>): PayingProcess {
  const { PATH = '' } = process.env
  const env = {
    ...{ PATH, HOME: folder, OIKOS_HOME: join(folder, 'home') },
    ...{ OIKOS_PASSPHRASE: 'passphrase', OIKOS_RPC_URL: rpcUrl, ...more },
  }
  const args = ['--disable-warning=ExperimentalWarning', main, ...PAY, ...RULE]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString('utf8')
  })
  return {
    kill: (signal) => void child.kill(signal),
    err: () => said.err,
    out: () => said.out,
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))),
  }
}

/** Registers what starts before and ends after the tests of a file. */
export function usePayBench(): PayBench {
  let [chain, gate, bench]: [LocalChain?, Gate?, Workbench?] = []
  let number = 0
  const there = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('it is there within a test only')
    return value
  }
  const at: PayBench = {
    get bench() {
      return there(bench)
    },
    get gate() {
      return there(gate)
    },
    get chain() {
      return there(chain)
    },
    get key() {
      return `invoice.${number}`
    },
    get payer() {
      return fundedAddress(number)
    },
    balance: async () => BigInt(String(await at.ask('eth_getBalance', [recipient, 'latest']))),
    ask: async (method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(at.chain.url, { method: 'POST', body, headers })
      return ((await answer.json()) as { result: unknown }).result
    },
    reconcile: () => at.bench.run(['pay', 'reconcile', at.key, '--confirmations', '1', '--timeout', '0s', '--json']),
    start: (env = {}) => startPay(at.bench.folder, at.gate.url, env),
  }
  beforeAll(async () => {
    chain = await startChain()
    gate = await openGate(chain.url)
  })
  afterAll(async () => {
    await gate?.close()
    await chain?.stop()
  })
  beforeEach(async () => {
    number += 1
    bench = await createWorkbench({ OIKOS_PASSPHRASE: 'passphrase', OIKOS_RPC_URL: at.gate.url })
    at.gate.onRequest = () => true
    await at.ask('anvil_setBalance', [at.payer, '0xde0b6b3a7640000'])
    const secret = { env: { OIKOS_PRIVATE_KEY: fundedKey(number) } }
    expect((await bench.run(['wallet', 'import', 'buyer'], secret)).code).toBe(0)
    const limits = ['--max-amount', `${AMOUNT} atomic`, '--max-fee', `${MAX_FEE} atomic`]
    expect((await bench.run(['wallet', 'allow', 'buyer', recipient, ...limits])).code).toBe(0)
    await writeFile(join(bench.folder, 'policy.json'), policyText())
    await writeFile(join(bench.folder, 'intent.json'), intentText(at.key, AMOUNT))
    await writeFile(join(bench.folder, 'rule.json'), JSON.stringify(rule(AMOUNT)))
  })
  afterEach(() => bench?.stop())
  return at
}

async function openGate(target: string): Promise<Gate> {
  let sent = 0
  const state: { onRequest: Gate['onRequest'] } = { onRequest: () => true }
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    const { method } = JSON.parse(body) as { method: string }
    if (!(await state.onRequest(method))) return
    if (method === 'eth_sendRawTransaction') sent += 1
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    response.writeHead(200, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sent: () => sent,
    get onRequest() {
      return state.onRequest
    },
    set onRequest(listener) {
      state.onRequest = listener
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The policy of these tests, one recipient and one shop. */
export const policyText = (): string => policyOf(terms(AMOUNT))

/** An intent under a key. */
export const intentText = (key: string, amountAtomic: bigint): string => intentOf(key, terms(amountAtomic))

/** A rule that approves up to an amount. */
export const rule = (amountAtomic: bigint) => ruleOf({ rail: 'evm', amountAtomic, maxFeeAtomic: MAX_FEE })

function terms(amountAtomic: bigint): PaidTerms {
  return { rail: 'evm', recipient, amountAtomic, maxFeeAtomic: MAX_FEE }
}
