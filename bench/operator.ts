import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRulesDecider } from '@oikos/runtime/deciders'
import {
  createOperator,
  type OperatorStore,
  openPostgresOperatorStore,
  openSqliteOperatorStore,
} from '@oikos/runtime/operator'
import { getShareBalance } from '@oikos/sdk'
import { createContentResolver } from '@oikos/sdk/content'
import { openContentStore } from '@oikos/sdk/node'
import {
  type Address,
  createClient,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  http,
  type LocalAccount,
  parseAbi,
  parseEther,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getTransactionReceipt, sendRawTransaction } from 'viem/actions'
import { hasPostgres, startPostgres } from '../packages/runtime/test/postgres-cluster.ts'
import { startAgents } from '../packages/sdk/test/agents.ts'
import { rpc } from '../packages/sdk/test/market.ts'

/**
 * Requests to mint that one operator settles and hands out on the local chain, in batches of 128 and one by one, over SQLite
 * and PostgreSQL, beside as many raw transfers of a token that one account sends in the same run. `--short` takes an eighth.
 */
const isShort = process.argv.includes('--short')
const REQUESTS = isShort ? 64 : 512
const ONE_BY_ONE = isShort ? 8 : 64
const AMOUNT = 1_000_000n
const CHAIN_ID = 11_155_111

const report = (name: string, value: number, unit: string): void =>
  console.log(`${name.padEnd(66)} ${value.toPrecision(4).padStart(10)} ${unit}`)

const agents = await startAgents()
const folder = mkdtempSync(join(tmpdir(), 'oikos-bench-operator-'))
const client = createClient({
  transport: http(agents.market.chain.url, { batch: { batchSize: 100 } }),
  pollingInterval: 20,
})
const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address, uint256) returns (bool)',
])
const agentAbi = parseAbi(['function requestMint(uint256 amount)'])

/** Signs a call beforehand; the fees are beyond any that the local chain asks for. */
function signCall(account: LocalAccount, to: Address, data: `0x${string}`, nonce: number, gas = 300_000n) {
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
  return account.signTransaction({ type: 'eip1559', chainId: CHAIN_ID, to, data, nonce, gas, ...fees })
}

/** Many holders with a pending request each. */
async function openRequests(agent: Address, count: number): Promise<readonly LocalAccount[]> {
  const holders = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
  for (const { address } of holders) await rpc(client, 'anvil_setBalance', [address, toHex(parseEther('1'))])
  const { owner } = agents.as
  for (const { address } of holders) {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [address, AMOUNT] })
    await rpc(owner, 'eth_sendTransaction', [{ from: agents.address.owner, to: agents.token, data }])
  }
  for (const holder of holders) {
    const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [agent, AMOUNT] })
    const request = encodeFunctionData({ abi: agentAbi, functionName: 'requestMint', args: [AMOUNT] })
    for (const [nonce, to, data] of [
      [0, agents.token, approve],
      [1, agent, request],
    ] as const)
      await sendRawTransaction(client, { serializedTransaction: await signCall(holder, to, data, nonce) })
  }
  return holders
}

/** Raw transfers, signed beforehand, one after the other, each with its receipt: what the chain itself takes. */
async function sendRaw(count: number): Promise<number> {
  const account = privateKeyToAccount(generatePrivateKey())
  await rpc(client, 'anvil_setBalance', [account.address, toHex(parseEther('10'))])
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [agents.address.bob, 0n] })
  const signed = await Promise.all(
    Array.from({ length: count }, (_, nonce) => signCall(account, agents.token, data, nonce)),
  )
  const started = performance.now()
  for (const serializedTransaction of signed) {
    const hash: Hash = await sendRawTransaction(client, { serializedTransaction })
    // anvil answers before the block is made now and then: asked again at once, so that no pause is measured
    while ((await getTransactionReceipt(client, { hash }).catch(() => undefined)) === undefined);
  }
  return (count * 1_000) / (performance.now() - started)
}

async function measure(name: string, store: OperatorStore, count: number, maxBatch: number): Promise<void> {
  const agent = await agents.create()
  const holders = await openRequests(agent, count)
  const content = await openContentStore(join(folder, name.replaceAll(/[^a-z]+/gi, '-')))
  const operator = createOperator({
    ...{ client, chainId: CHAIN_ID, account: agents.as.executor.account as LocalAccount, agent, agentFromBlock: 0n },
    ...{ store, content, resolver: createContentResolver({ store: content }), decider: createRulesDecider() },
    settings: {
      ...{ finalityBlocks: 1n, maxBatch, maxActionsPerPass: 1_000, mineWaitMs: 5_000 },
      budget: { gasWei: parseEther('1000'), spendAtomic: 0n },
    },
    clockMs: () => BigInt(Date.now()),
  })
  const started = performance.now()
  const { status, done } = await operator.tick()
  const elapsedMs = performance.now() - started
  if (status !== 'idle') throw new Error(`the pass ended ${status}`)
  for (const { address } of holders.slice(0, 3)) {
    const shares = await getShareBalance(client, { agent, account: address })
    if (shares === 0n) throw new Error('a holder has no shares')
  }
  const actions = done.filter(({ state }) => state === 'mined').length
  report(`${name}: requests settled and handed out`, (count * 1_000) / elapsedMs, '/s')
  report(`${name}: durable actions`, (actions * 1_000) / elapsedMs, '/s')
}

try {
  await sendRaw(16)
  report(`raw transfers, one after the other, ${REQUESTS}`, await sendRaw(REQUESTS), '/s')
  const sqlite = await openSqliteOperatorStore(join(folder, 'operator.sqlite'))
  await measure(`SQLite, ${REQUESTS} requests in batches of 128`, sqlite, REQUESTS, 128)
  await measure(`SQLite, ${ONE_BY_ONE} requests one by one`, sqlite, ONE_BY_ONE, 1)
  await sqlite.close()
  report(`raw transfers, one after the other, ${ONE_BY_ONE}`, await sendRaw(ONE_BY_ONE), '/s')
  if (hasPostgres) {
    const cluster = await startPostgres()
    try {
      const postgres = await openPostgresOperatorStore(cluster.url)
      await measure(`PostgreSQL, ${REQUESTS} requests in batches of 128`, postgres, REQUESTS, 128)
      await postgres.close()
    } finally {
      await cluster.stop()
    }
  } else console.log('PostgreSQL: skipped, no server programs found')
} finally {
  await agents.stop()
  rmSync(folder, { recursive: true, force: true })
}
