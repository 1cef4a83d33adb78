import { planShape, seal, U64_MAX, unsignedDigest } from '@oikos/core/economic'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEvmLab, type EvmLab, said } from '../../../test/rails/evm-lab.ts'
import { SUITE_AMOUNT, suiteAddress } from '../../../test/rails/evm-wallet.ts'
import { completeMemory, createLab, type Lab } from '../../../test/rails/lab.ts'
import { makeMemoryRail } from '../../../test/rails/memory-rail.ts'
import { EndpointFaultError, RailOptionError, RpcAnswerError } from '../endpoint/index.ts'
import type { EvmBlock, EvmNode } from './node.ts'
import { createEvmRail, type EvmRailOptions } from './rail.ts'

let lab: Lab
beforeAll(async () => {
  lab = createLab(await makeMemoryRail())
})

const head = (change: Partial<EvmBlock>): Partial<EvmNode> => ({
  getHead: async () => ({
    height: 0n,
    blockId: `0x${'ee'.repeat(32)}`,
    timestampSec: 0n,
    baseFeePerGas: 7n,
    ...change,
  }),
})
const rejecting = (cause: unknown) => async (): Promise<never> => {
  throw cause
}
const answer = (code: bigint) => new RpcAnswerError('memory:0', 'eth_estimateGas', code, 'no')
const reset = new EndpointFaultError('memory:0', 'connection-lost', 'uncertain', 'reset')

describe('snapshot', () => {
  const stateOf = async (evm: EvmLab, nodes: readonly Partial<EvmNode>[], settings = {}) => {
    const { snapshot } = await lab.plan(evm.rail(nodes, settings))
    if (snapshot.document.rail !== 'evm') throw new Error('another rail')
    return { ...snapshot.document.state, validMs: snapshot.document.expires_at_ms - snapshot.document.observed_at_ms }
  }

  test('takes the fees of the node that is furthest and the highest nonce that any node knows', async () => {
    const evm = createEvmLab()
    evm.chain.mine(3)
    const behind: Partial<EvmNode> = { ...head({ height: 1n, baseFeePerGas: 999n }), getNonce: async () => 5n }
    for (const nodes of [
      [behind, {}],
      [{}, behind],
    ])
      expect(await stateOf(evm, nodes)).toMatchObject({
        chain_id: 11_155_111n,
        from: suiteAddress,
        nonce: 5n,
        base_fee_per_gas: 7n,
        gas_limit: 21_000n,
      })
  })

  test('is good for five minutes, or as long as it is told', async () => {
    expect((await stateOf(createEvmLab(), [{}])).validMs).toBe(300_000n)
    expect((await stateOf(createEvmLab(), [{}], { validityMs: 600_000 })).validMs).toBe(600_000n)
  })

  test('gives payments of one nonce different fees, and one payment always the same', async () => {
    const evm = createEvmLab()
    const sent = completeMemory()
    const [first, second] = [lab.newPayment(), lab.newPayment()]
    const feeOf = async (payment: typeof first) => {
      const { snapshot } = await lab.plan(evm.rail([{}], { sent, priorityFeePerGas: 40n }), payment)
      return snapshot.document.rail === 'evm' ? snapshot.document.state.max_priority_fee_per_gas : undefined
    }
    expect([await feeOf(first), await feeOf(second), await feeOf(first), await feeOf(second)]).toEqual([
      40n,
      41n,
      40n,
      41n,
    ])
  })

  test('refuses a chain whose newest block is too old, and takes one that is just young enough', async () => {
    const evm = createEvmLab()
    const intent = lab.intentOf(lab.newPayment())
    const railAt = (ageMs: bigint) =>
      evm.rail([head({ timestampSec: 1_000n })], { clockMs: () => 1_000_000n + ageMs, maxHeadAgeMs: 60_000 })
    expect(await said((sink) => railAt(60_001n).snapshot(intent, sink))).toBe('policy_rejected')
    expect(await said((sink) => railAt(60_000n).snapshot(intent, sink))).toMatchObject({ rail: 'evm' })
  })

  test('fails where a node does, and goes on with another one', async () => {
    const evm = createEvmLab()
    const intent = lab.intentOf(lab.newPayment())
    const broken = { getHead: rejecting(reset) }
    expect(await said((sink) => evm.rail([broken]).snapshot(intent, sink))).toBe('failed_uncertain')
    expect(await said((sink) => evm.rail([broken, {}]).snapshot(intent, sink))).toMatchObject({ rail: 'evm' })
  })
})

describe('simulation', () => {
  const simulateOn = async (nodes: readonly Partial<EvmNode>[]) => {
    const evm = createEvmLab()
    const { plan, built } = await lab.plan(evm.rail([{}]))
    return said((sink) => evm.rail(nodes).simulate(plan.text, built.bytes, sink))
  }

  test('says what the transfer would do now', async () => {
    const fee = 8n * 21_000n
    expect(await simulateOn([{}])).toMatchObject({
      success: true,
      fee_atomic: Number(fee),
      balance_before_atomic: 10 ** 18,
      allowance_atomic: 0,
      units: 21_000,
    })
    const evm = createEvmLab()
    const payment = lab.newPayment()
    const planned = await lab.plan(evm.rail([{}]), payment)
    await lab.simulate(evm.rail([{}]), planned, payment)
  })

  test('never says more than the cap, and takes the cap for enough', async () => {
    const capPerGas = 2n * 7n + 1n
    expect(await simulateOn([head({ baseFeePerGas: capPerGas })])).toMatchObject({
      fee_atomic: Number(capPerGas * 21_000n),
    })
    const cost = SUITE_AMOUNT + capPerGas * 21_000n
    expect(await simulateOn([{ getBalance: async () => cost }])).toMatchObject({ success: true })
    expect(await simulateOn([{ getBalance: async () => cost - 1n }])).toBe('policy_rejected')
  })

  test.each<readonly [string, Partial<EvmNode>]>([
    [
      'money that a waiting transaction takes',
      { getBalance: async (_account, at) => (at === 'pending' ? 1n : 10n ** 18n) },
    ],
    ['money that has not arrived', { getBalance: async (_account, at) => (at === 'latest' ? 1n : 10n ** 18n) }],
    ['a nonce that is taken', { getNonce: async () => 1n }],
    ['a base fee above the cap', head({ baseFeePerGas: 16n })],
    ['a recipient that takes more than a transfer', { estimateGas: async () => 21_001n }],
    ['a transfer that reverts', { estimateGas: rejecting(answer(3n)) }],
    ['a transfer that the node refuses', { estimateGas: rejecting(answer(-32000n)) }],
  ])('refuses %s', async (_name, node) => {
    expect(await simulateOn([node])).toBe('policy_rejected')
  })

  test('refuses bytes that are not the transfer of the plan, though the plan names them', async () => {
    const evm = createEvmLab()
    const { plan, built } = await lab.plan(evm.rail([{}]))
    const rail = evm.rail([{}])
    const foreign = Uint8Array.from(
      Buffer.from(Buffer.from(built.bytes).toString('hex').replace('83aa36a7', '83aa36a8'), 'hex'),
    )
    const cases = [
      [{ recipient: suiteAddress }, built.bytes],
      [{ amount_atomic: SUITE_AMOUNT - 1n }, built.bytes],
      [{}, foreign],
    ] as const
    for (const [change, bytes] of cases) {
      const unsigned = { ...plan.document.unsigned_transaction, digest: unsignedDigest(bytes) }
      const changed = seal('plan', planShape, { ...plan.document, ...change, unsigned_transaction: unsigned })
      expect(await said((sink) => rail.simulate(changed.text, bytes, sink))).toBe('policy_rejected')
    }
  })

  test('an error that is no verdict is a failure, and the next node is asked', async () => {
    const unable = { estimateGas: rejecting(answer(-32603n)) }
    expect(await simulateOn([unable])).toBe('failed_uncertain')
    expect(await simulateOn([unable, {}])).toMatchObject({ success: true })
  })

  test('a balance above what a document can say is given as the most that it can say', async () => {
    const evm = createEvmLab()
    const payment = lab.newPayment()
    const planned = await lab.plan(evm.rail([{}]), payment)
    const rich = evm.rail([{ getBalance: async () => U64_MAX + 5n }])
    await lab.simulate(rich, planned, payment)
    const result = await said((sink) => rich.simulate(planned.plan.text, planned.built.bytes, sink))
    expect(result).toMatchObject({ balance_before_atomic: Number(U64_MAX) })
  })
})

describe('settings', () => {
  const options: EvmRailOptions = {
    endpoints: ['http://127.0.0.1:1'],
    account: suiteAddress,
    sent: completeMemory(),
  }
  test.each<readonly [string, Partial<EvmRailOptions>]>([
    ['account', { account: '0xABC' }],
    ['account', { account: suiteAddress.toUpperCase() }],
    ['finality', { finality: 0 }],
    ['finality', { finality: 65 }],
    ['finality', { finality: 1.5 }],
    ['validityMs', { validityMs: 600_001 }],
    ['maxHeadAgeMs', { maxHeadAgeMs: 0 }],
    ['priorityFeePerGas', { priorityFeePerGas: -1n }],
    ['endpoints', { endpoints: [] }],
  ])('%s is checked: %o', (option, change) => {
    expect(() => createEvmRail({ ...options, ...change })).toThrow(RailOptionError)
    expect(() => createEvmRail({ ...options, ...change })).toThrow(option)
  })

  test('what is in range is taken, and nothing is asked before the first call', () => {
    for (const finality of [1, 64, 'safe', 'finalized'] as const)
      createEvmRail({ ...options, finality, validityMs: 1, maxHeadAgeMs: 3_600_000, priorityFeePerGas: 0n }).close()
  })
})
