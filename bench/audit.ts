import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentAbi } from '@oikos/core/abi'
import { auditAgent } from '@oikos/runtime/audit'
import { buildActionReasoning, createAgent, deployAgentFactory, getAgent } from '@oikos/sdk'
import { createContentResolver, nodeSha256, openContentStore, serveContent } from '@oikos/sdk/node'
import {
  type Abi,
  type Address,
  type Client,
  createClient,
  encodeDeployData,
  encodeFunctionData,
  http,
  numberToHex,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { anyRule } from '../packages/sdk/test/agents.ts'
import { compileMocks } from '../packages/sdk/test/compile-mocks.ts'
import { startChain } from '../scripts/chain.ts'

/**
 * Audits of an Agent after 100, 1,000 and 10,000 actions on anvil, records from our gateway over HTTP, each audit in a
 * process of its own: actions per second, most memory of the process, what the heap keeps at the end, and how they grow.
 * `--short` ends with 1,000, `--json` prints JSON.
 */
const CHILD = '--child'
const isShort = process.argv.includes('--short')
const SIZES = isShort ? [100, 1_000] : [100, 1_000, 10_000]
/** Transactions of one block, which go to the node in one request. */
const BLOCK = 250
/** The largest size once more with a heap of this size: what V8 leaves lying about does not count as need. */
const HELD_HEAP_MIB = 96
/** Audits of each size; the largest once, which takes half a minute. */
const runsOf = (size: number): number => (size < 10_000 ? 3 : 1)

type Measured = {
  readonly ms: number
  readonly cpuMs: number
  readonly maxRssMiB: number
  /** Live objects when the report is there. */
  readonly heapMiB: number
  readonly verified: number
}

if (process.argv.includes(CHILD)) await auditInThisProcess()
else await measure()

async function auditInThisProcess(): Promise<void> {
  const [rpc = '', gateway = '', agent = '', toBlock = '0'] = process.argv.slice(process.argv.indexOf(CHILD) + 1)
  const client = createClient({ transport: http(rpc, { batch: { batchSize: 50 } }) })
  const resolver = createContentResolver({ gateways: [gateway], fetch, hash: nodeSha256 })
  const started = performance.now()
  const report =
    toBlock === '0'
      ? undefined
      : await auditAgent(client, { agent: agent as Address, resolver, fromBlock: 0n, toBlock: BigInt(toBlock) })
  const ms = performance.now() - started
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  globalThis.gc?.()
  const measured: Measured = {
    ms,
    cpuMs: (userCPUTime + systemCPUTime) / 1_000,
    maxRssMiB: maxRSS / 1_024,
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
    verified: report?.actions.verified ?? 0,
  }
  process.send?.(measured)
  process.disconnect()
}

async function measure(): Promise<void> {
  const chain = await startChain({ flags: ['--gas-limit', '100000000'] })
  const folder = await mkdtemp(join(tmpdir(), 'oikos-bench-audit-'))
  const store = await openContentStore(folder, { deferSync: true })
  const gateway = await serveContent({ store })
  const figures: { name: string; value: number; unit: string }[] = []
  const report = (name: string, value: number, unit: string): void => {
    figures.push({ name, value: Number(value.toPrecision(4)), unit })
    if (!process.argv.includes('--json')) console.log(`${name.padEnd(50)} ${value.toPrecision(4).padStart(10)} ${unit}`)
  }
  try {
    const executor = mnemonicToAccount('test test test test test test test test test test test junk')
    const transport = http(chain.url, { batch: { batchSize: BLOCK } })
    const client = createClient({ account: executor, transport, pollingInterval: 20 })
    const agent = await bearAgent(client, executor.address)
    const child = (toBlock: bigint, heapMiB?: number): Promise<Measured> =>
      runChild([chain.url, gateway.url, agent, String(toBlock)], heapMiB)
    const idle = await child(0n)
    report('process without an audit, most memory', idle.maxRssMiB, 'MiB')
    report('process without an audit, heap', idle.heapMiB, 'MiB')
    let done = 0
    for (const size of SIZES) {
      await act(client, agent, size - done, store)
      done = size
      const { blockNumber } = await getAgent(client, { agent })
      const runs: Measured[] = []
      while (runs.length < runsOf(size)) runs.push(await child(blockNumber))
      const best = runs.reduce((one, other) => (one.ms < other.ms ? one : other))
      if (best.verified !== size) throw new Error(`${best.verified} of ${size} actions were verified`)
      report(`${size} actions, best of ${runs.length}`, (size / best.ms) * 1_000, 'actions/s')
      report(`${size} actions, time`, best.ms, 'ms')
      report(`${size} actions, processor`, best.cpuMs - idle.cpuMs, 'ms')
      report(`${size} actions, most memory`, Math.max(...runs.map(({ maxRssMiB }) => maxRssMiB)), 'MiB')
      report(`${size} actions, heap at the end`, Math.max(...runs.map(({ heapMiB }) => heapMiB)), 'MiB')
      if (size !== SIZES.at(-1)) continue
      const held = await child(blockNumber, HELD_HEAP_MIB)
      if (held.verified !== size) throw new Error(`${held.verified} of ${size} actions were verified`)
      report(`${size} actions, most memory, heap held to ${HELD_HEAP_MIB} MiB`, held.maxRssMiB, 'MiB')
      report(`${size} actions, heap held to ${HELD_HEAP_MIB} MiB`, (size / held.ms) * 1_000, 'actions/s')
    }
  } finally {
    await gateway.close()
    await chain.stop()
    await rm(folder, { recursive: true, force: true })
  }
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2))
}

/** An Agent that may pay its own Executor nothing, as often as it likes. */
async function bearAgent(client: Client, executor: Address): Promise<Address> {
  const { factory } = await deployAgentFactory(client, client)
  const token = await deployToken(client)
  const { agent } = await createAgent(client, client, {
    ...{ factory, acceptToken: token, owner: executor, executors: [executor], salt: `0x${'01'.repeat(32)}` },
    ...{ initialPrice: '1.00', reclaimHorizonSec: 86_400, name: 'Bench', symbol: 'B', scopeDelaySec: 3_600 },
    scope: { rules: [anyRule({ target: executor, plain: true })], caps: [], members: [] },
  })
  return agent
}

async function deployToken(client: Client): Promise<Address> {
  const { abi, bytecode } = compileMocks().TestToken
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args: ['USDC', 6] })
  const hash = await sendTransaction(client, { data, chain: null } as never)
  const { contractAddress } = await waitForTransactionReceipt(client, { hash })
  if (contractAddress === null || contractAddress === undefined) throw new Error('the token was not deployed')
  return contractAddress
}

/** Sends actions with a record each, a block and a request at a time; the node signs. */
async function act(
  client: Client,
  agent: Address,
  count: number,
  store: Awaited<ReturnType<typeof openContentStore>>,
): Promise<void> {
  const call = (method: string, params: readonly unknown[]): Promise<unknown> =>
    client.request({ method, params } as never)
  const { account } = client
  if (account === undefined) throw new Error('no account')
  const fees = { maxFeePerGas: numberToHex(10n ** 11n), maxPriorityFeePerGas: '0x1', gas: numberToHex(300_000) }
  let nonce = Number(await call('eth_getTransactionCount', [account.address, 'pending']))
  await call('evm_setAutomine', [false])
  for (let left = count; left > 0; left -= BLOCK) {
    const sent = Array.from({ length: Math.min(left, BLOCK) }, async () => {
      const built = buildActionReasoning({
        ...{ chainId: 11155111, agent, action: 'execute', args: [account.address, 0n, '0x'] },
        claims: { decision: 'Pay nothing.', rationale: 'This action is there to be counted.' },
      })
      await store.put(built.bytes)
      return encodeFunctionData({
        ...{ abi: agentAbi, functionName: 'execute' },
        args: [account.address, 0n, '0x', built.reasoningHash, built.reasoningURI],
      })
    })
    const transactions = (await Promise.all(sent)).map((data) => {
      const transaction = { from: account.address, to: agent, data, nonce: numberToHex(nonce), ...fees }
      nonce += 1
      return transaction
    })
    await Promise.all(transactions.map((transaction) => call('eth_sendTransaction', [transaction])))
    await call('anvil_mine', [numberToHex(1)])
  }
  await call('evm_setAutomine', [true])
}

async function runChild(args: readonly string[], heapMiB?: number): Promise<Measured> {
  const held = heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`]
  const flags = ['--disable-warning=ExperimentalWarning', '--expose-gc', ...held]
  const child = fork(import.meta.filename, [CHILD, ...args], { execArgv: flags })
  const [measured] = (await once(child, 'message')) as [Measured]
  await once(child, 'exit')
  return measured
}
