import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packTaskPackage } from '@oikos/core'
import {
  approveAssetAndWait,
  freezeTaskAndWait,
  fundTaskAndWait,
  getShareBalance,
  getSubmission,
  mintTaskAndWait,
  requestMintAndWait,
} from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyRule } from '../../../../packages/sdk/test/agents.ts'
import { compileMocks } from '../../../../packages/sdk/test/compile-mocks.ts'
import { anyTerms } from '../../../../packages/sdk/test/market.ts'
import { createAgentBench, fundedKey } from './harness.ts'

const EXECUTOR = 2
const USDC = 1_000_000n
const labelling = join(import.meta.dirname, '../../../../examples/labelling/task')
const main = join(import.meta.dirname, '..', 'main.ts')

let bench: Awaited<ReturnType<typeof createAgentBench>>
beforeAll(async () => {
  bench = await createAgentBench()
})
afterAll(() => bench.stop())

/** The package of the worked example, in the content store of the bench, as a tender that bob judges. */
async function openLabelling(content: string): Promise<bigint> {
  const { agents, market } = bench
  const names = (await readdir(labelling, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const files = new Map<string, Uint8Array>()
  for (const { parentPath, name } of names) {
    const path = join(parentPath, name)
    files.set(path.slice(labelling.length + 1), new Uint8Array(await readFile(path)))
  }
  const packed = packTaskPackage({
    ...{ files, spec: 'spec/intents.yaml', specProfile: 'x-intent-labels-v1', maxCompletions: 3n },
    ...{ acceptance: 'acceptance/batch-receipts.md', acceptanceProfile: 'x-batch-receipt-merkle-minage-v1' },
  })
  const store = await openContentStore(content)
  for (const [cid, bytes] of packed.blocks) await store.put(bytes, cid === packed.rootCid ? 'dag-cbor' : 'raw')
  const terms = { ...anyTerms, asset: agents.token, rewardPerCompletionAtomic: 10n * USDC, maxCompletions: 3n }
  const { event } = await mintTaskAndWait(market.as.publisher, {
    ...{ task: market.task, to: market.address.owner, updateAuthority: market.address.publisher },
    ...{ acceptanceAuthority: agents.address.bob, tdHash: packed.tdHash, taskHash: packed.taskHash },
    ...{ taskURI: `ipfs://${packed.rootCid}`, terms },
  })
  const target = { task: market.task, tokenId: event.args.tokenId }
  await freezeTaskAndWait(market.as.publisher, target)
  const { TestToken } = compileMocks()
  await market.tell(TestToken, agents.token, 'mint', [agents.address.alice, 30n * USDC])
  await approveAssetAndWait(agents.as.alice, { token: agents.token, spender: market.task, amountAtomic: 30n * USDC })
  await fundTaskAndWait(agents.as.alice, { ...target, amountAtomic: 30n * USDC })
  return target.tokenId
}

describe('oikos agent run', () => {
  test('lets a skill that comes with it work in a process apart, and delivers what it made', {
    timeout: 120_000,
  }, async () => {
    const { agents, market } = bench
    const selector = toFunctionSelector('submitFulfillment(uint256,bytes32,string)')
    const scope = { rules: [anyRule({ target: market.task, selector })], caps: [], members: [] }
    const agent = await agents.create({ scope })
    const content = join(bench.bench.folder, 'content')
    const tokenId = await openLabelling(content)
    const config = join(bench.bench.folder, 'works.json')
    await writeFile(
      config,
      JSON.stringify({
        ...{ finalityBlocks: 1, database: 'works.sqlite', skills: ['labels'], timing: { mineWaitMs: 5_000 } },
        // how far a worker can be kept apart depends on the machine
        isolation: 'guard',
        decider: { kind: 'rules', rules: { tender: { profiles: { 'x-intent-labels-v1': {} } } } },
        tenders: { rewards: [{ asset: agents.token, minRewardAtomic: '1000000' }] },
      }),
    )
    const words = ['agent', 'run', agent, '--config', config, '--content', content, '--once', '--json']
    const result = await bench.bench.run(words, { env: { OIKOS_PRIVATE_KEY: fundedKey(EXECUTOR) } })
    expect(result.code, result.err).toBe(0)
    expect(JSON.stringify(result.json)).toContain('"kind":"deliver"')
    const submission = await getSubmission(agents.as.owner, { task: market.task, tokenId, submissionId: 1n })
    expect(submission).toMatchObject({ fulfiller: agent, status: 'pending' })
  })

  test('ends in order on SIGTERM: what was begun is in the database', { timeout: 120_000 }, async () => {
    const { agents, market } = bench
    const agent = await agents.create()
    const config = join(bench.bench.folder, 'service.json')
    await writeFile(config, JSON.stringify({ finalityBlocks: 1, database: 'service.sqlite', timing: { pollMs: 50 } }))
    const words = ['agent', 'run', agent, '--config', config, '--json']
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...words], {
      cwd: bench.bench.folder,
      env: {
        ...{ PATH: process.env['PATH'] ?? '', HOME: bench.bench.folder, OIKOS_HOME: join(bench.bench.folder, 'home') },
        ...{ OIKOS_RPC_URL: market.chain.url, OIKOS_PRIVATE_KEY: fundedKey(EXECUTOR) },
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8')
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
    try {
      await agents.fund('alice', agent, 5n * USDC)
      await requestMintAndWait(agents.as.alice, { agent, amountAtomic: 5n * USDC })
      const shares = () => getShareBalance(agents.as.alice, { agent, account: agents.address.alice })
      await expect.poll(shares, { timeout: 60_000, interval: 100 }).toBe(5n * 10n ** 18n)
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ ok: true, ended: true })
    const status = await bench.bench.run(['agent', 'status', agent, '--config', config, '--json'])
    expect(status.json).toMatchObject({ actions: [{ succeeded: true }, { kind: 'settle-mint', succeeded: true }] })
  })
})
