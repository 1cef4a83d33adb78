import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256, numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../../../../../scripts/chain.ts'
import { runChild } from '../../../test/child-process.ts'
import type { HostCall } from '../../../test/interrupted-host.ts'
import { type EvmChildTask, runEvmTask } from '../../../test/rails/evm-child.ts'
import { said, signTransfer } from '../../../test/rails/evm-lab.ts'
import { type AnvilCall, callerOf, NOBODY } from '../../../test/rails/evm-rail.ts'
import { evmProposals, SUITE_AMOUNT, suiteAddress, suiteRecipient } from '../../../test/rails/evm-wallet.ts'
import { completeMemory, createLab, type Lab } from '../../../test/rails/lab.ts'
import { type FaultyLine, startFaultyLine } from '../../../test/rails/transport-fault.ts'
import type { EvmObservation } from './context.ts'
import { createEvmRail, type EvmRail, type EvmRailOptions } from './rail.ts'

const GWEI = 10n ** 9n

let chain: LocalChain
let line: FaultyLine
let call: AnvilCall
let folder: string
const opened: EvmRail[] = []
beforeAll(async () => {
  chain = await startChain({ flags: ['--no-mining'] })
  line = await startFaultyLine(chain.url, ({ body }) => body.includes('"eth_sendRawTransaction"'))
  call = callerOf(chain)
  folder = mkdtempSync(join(tmpdir(), 'oikos-evm-'))
})
beforeEach(async () => {
  await call('anvil_setBalance', [suiteAddress, numberToHex(10n ** 18n)])
  await call('anvil_setCode', [suiteRecipient, '0x'])
  await call('anvil_mine', ['0x1'])
})
afterAll(async () => {
  for (const rail of opened) rail.close()
  await line.stop()
  await chain.stop()
  rmSync(folder, { recursive: true, force: true })
})

const observations: EvmObservation[] = []
const openRail = (options: Partial<EvmRailOptions> = {}): EvmRail => {
  const rail = createEvmRail({
    endpoints: [chain.url],
    account: suiteAddress,
    sent: completeMemory(),
    finality: 1,
    onObservation: (observation) => observations.push(observation),
    ...options,
  })
  opened.push(rail)
  return rail
}
const mine = (blocks: number) => call('anvil_mine', [numberToHex(blocks)])
const nextNonce = async () => BigInt((await call('eth_getTransactionCount', [suiteAddress, 'latest'])) as string)
const transfer = async (nonce: bigint, value = 1n) => signTransfer(nonce, { value, maxFeePerGas: 5n * GWEI })
const payments = async () =>
  Number(BigInt((await call('eth_getBalance', [suiteRecipient, 'latest'])) as string) / SUITE_AMOUNT)

describe('on a real node', () => {
  // Only the proposals of a rail under test are needed here.
  const lab = (): Lab => createLab({ ...evmProposals } as never)

  test('a recipient with code is refused by the simulation', async () => {
    const rail = openRail()
    const { plan, built } = await lab().plan(rail)
    await call('anvil_setCode', [suiteRecipient, '0x5b600056'])
    expect(await said((sink) => rail.simulate(plan.text, built.bytes, sink))).toBe('policy_rejected')
    await call('anvil_setCode', [suiteRecipient, '0x'])
    expect(await said((sink) => rail.simulate(plan.text, built.bytes, sink))).toMatchObject({ success: true })
  })

  test('a transfer whose recipient gets code before it is included fails: dropped, and nothing arrives', async () => {
    const [rail, before] = [openRail(), await payments()]
    const signed = await transfer(await nextNonce(), SUITE_AMOUNT)
    await said((sink) => rail.broadcast(signed, sink))
    await call('anvil_setCode', [suiteRecipient, '0xfe'])
    await mine(1)
    expect(await said((sink) => rail.reconcile(keccak256(signed), sink))).toMatchObject({
      status: 'dropped',
      confirmations: 1,
    })
    expect([observations.at(-1)?.reason, await payments()]).toEqual(['failed', before])
  })

  test('the transaction that took the nonce is named, with its block', async () => {
    const rail = openRail()
    const nonce = await nextNonce()
    const [signed, rival] = [await transfer(nonce, 1n), await transfer(nonce, 2n)]
    await said((sink) => rail.broadcast(signed, sink))
    await call('anvil_dropTransaction', [keccak256(signed)])
    await said((sink) => openRail().broadcast(rival, sink))
    await mine(3)
    const { blockHash } = (await call('eth_getTransactionReceipt', [keccak256(rival)])) as { blockHash: string }
    expect(await said((sink) => rail.reconcile(keccak256(signed), sink))).toMatchObject({
      status: 'dropped',
      confirmations: 3,
      canonical_block_id: blockHash,
    })
    expect(observations.at(-1)?.replacedBy).toBe(keccak256(rival))
  })

  test('the pool holds another transaction of the nonce: ours is rejected, and dropped once that one is included', async () => {
    const rail = openRail()
    const nonce = await nextNonce()
    const [rival, signed] = [await transfer(nonce, 1n), await transfer(nonce, 2n)]
    await said((sink) => openRail().broadcast(rival, sink))
    expect(await said((sink) => rail.broadcast(signed, sink))).toMatchObject({ disposition: 'rejected' })
    expect(await said((sink) => rail.reconcile(keccak256(signed), sink))).toMatchObject({ status: 'pending' })
    await mine(1)
    expect(await said((sink) => rail.reconcile(keccak256(signed), sink))).toMatchObject({ status: 'dropped' })
  })

  test('a nonce that is too low is settled by looking: accepted for what is included, unknown for what is not', async () => {
    const rail = openRail()
    const nonce = await nextNonce()
    const [included, late] = [await transfer(nonce, 1n), await transfer(nonce, 2n)]
    await said((sink) => rail.broadcast(included, sink))
    await mine(1)
    expect(await said((sink) => rail.broadcast(included, sink))).toMatchObject({ disposition: 'accepted' })
    expect(await said((sink) => rail.broadcast(late, sink))).toMatchObject({ disposition: 'unknown' })
    expect(await said((sink) => rail.reconcile(keccak256(late), sink))).toMatchObject({ status: 'dropped' })
  })

  test.each([
    ['safe', 32],
    ['finalized', 64],
  ] as const)('a block that the node calls %s', async (finality, depth) => {
    const rail = openRail({ finality })
    const signed = await transfer(await nextNonce())
    await said((sink) => rail.broadcast(signed, sink))
    await mine(depth)
    expect(await said((sink) => rail.reconcile(keccak256(signed), sink))).toMatchObject({ status: 'pending' })
    await mine(1)
    expect(await said((sink) => rail.reconcile(keccak256(signed), sink))).toMatchObject({ status: 'confirmed' })
  })

  test('one endpoint of a list that never answers delays, and changes nothing', async () => {
    const silent = await startFaultyLine(chain.url, () => false)
    try {
      silent.setFault('swallowed', 'all')
      const rail = openRail({ endpoints: [silent.url, NOBODY, chain.url], timeoutMs: 5000 })
      const signed = await transfer(await nextNonce())
      expect(await said((sink) => rail.broadcast(signed, sink))).toMatchObject({ disposition: 'accepted' })
      await mine(1)
      expect(await said((sink) => rail.reconcile(keccak256(signed), sink))).toMatchObject({ status: 'confirmed' })
    } finally {
      await silent.stop()
    }
  })
})

describe('kill -9 inside a payment, with journal and memory on disk', () => {
  const child = join(import.meta.dirname, '../../../test/rails/evm-child.ts')
  const statusOf = async (task: EvmChildTask, action: 'execute' | 'observe'): Promise<string> => {
    const outcome = await runEvmTask(task, action)
    return outcome.kind === 'run' ? outcome.result.status : outcome.kind
  }
  const points: readonly (readonly ['before' | 'after', HostCall, string, number])[] = [
    ['after', 'cas1', 'confirmed', 1],
    ['after', 'sign', 'journal_failed', 0],
    ['before', 'broadcast', 'dropped', 0],
    ['after', 'broadcast', 'confirmed', 1],
    ['after', 'reconcile', 'confirmed', 1],
  ]
  test.each(points)('%s %s: %s, %i broadcasts', async (moment, name, expected, arrives) => {
    const before = { payments: await payments(), broadcasts: line.countBroadcasts() }
    const task: EvmChildTask = {
      ...{ url: line.url, folder, idempotencyKey: `kill.${moment}.${name}`, createdAtMs: String(Date.now()) },
      dies: { moment, call: name },
    }
    expect(await runChild(child, task).ended).toBe('SIGKILL')
    const { dies: _, ...restarted } = task
    const first = await statusOf(restarted, 'execute')
    await mine(1)
    expect(first === 'pending' ? await statusOf(restarted, 'observe') : first).toBe(expected)
    expect(await statusOf(restarted, 'execute')).toBe(expected)
    expect([(await payments()) - before.payments, line.countBroadcasts() - before.broadcasts]).toEqual([
      arrives,
      arrives,
    ])
  })

  test('while the node has the bytes and its answer never comes: found again, and paid once', async () => {
    const before = { payments: await payments(), broadcasts: line.countBroadcasts() }
    const task: EvmChildTask = { url: line.url, folder, idempotencyKey: 'kill.midway', createdAtMs: String(Date.now()) }
    line.setFault('silent-after', 'broadcast')
    const running = runChild(child, task)
    while (line.countBroadcasts() === before.broadcasts) await new Promise((resolve) => setTimeout(resolve, 10))
    running.process.kill('SIGKILL')
    expect(await running.ended).toBe('SIGKILL')
    line.setFault(null, 'all')
    expect(await statusOf(task, 'execute')).toBe('pending')
    await mine(1)
    expect(await statusOf(task, 'observe')).toBe('confirmed')
    expect([(await payments()) - before.payments, line.countBroadcasts() - before.broadcasts]).toEqual([1, 1])
  })
})
