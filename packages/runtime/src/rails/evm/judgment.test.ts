import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { createEvmLab, said, signTransfer } from '../../../test/rails/evm-lab.ts'
import { completeMemory } from '../../../test/rails/lab.ts'
import { EndpointFaultError, RpcAnswerError } from '../endpoint/index.ts'
import { createMemoryNode } from '../memory/node.ts'
import { createMemorySentTransactions } from '../sent/sent-transactions.ts'
import type { EvmNode } from './node.ts'

const unreachable = new EndpointFaultError('memory:0', 'unreachable', 'not-started', 'refused')
const reset = new EndpointFaultError('memory:0', 'connection-lost', 'uncertain', 'reset')
const answer = (code: bigint, message: string) =>
  new RpcAnswerError('memory:0', 'eth_sendRawTransaction', code, message)
const missing = new RpcAnswerError('memory:0', 'eth_getTransactionCount', -32000n, 'missing trie node')
const rejecting = (cause: unknown) => async (): Promise<never> => {
  throw cause
}

describe('broadcast', () => {
  const cases: readonly (readonly [string, Partial<EvmNode>, unknown])[] = [
    ['a node that says yes', {}, 'accepted'],
    ['a node that names another transaction', { send: async () => `0x${'00'.repeat(32)}` }, 'failed_uncertain'],
    ['a plain refusal', { send: rejecting(answer(-32000n, 'insufficient funds for gas')) }, 'rejected'],
    [
      'a refusal of what replaces',
      { send: rejecting(answer(-32003n, 'replacement transaction underpriced')) },
      'rejected',
    ],
    ['an internal error', { send: rejecting(answer(-32603n, 'internal error')) }, 'unknown'],
    ['an overloaded node', { send: rejecting(answer(-32005n, 'limit exceeded')) }, 'unknown'],
    ['"already known" of what no node has', { send: rejecting(answer(-32000n, 'already known')) }, 'unknown'],
    ['"nonce too low" of what no node has', { send: rejecting(answer(-32000n, 'nonce too low')) }, 'unknown'],
    ['a broken line', { send: rejecting(reset) }, 'failed_uncertain'],
    ['no line', { send: rejecting(unreachable) }, 'definitely_not_started'],
    [
      'a refusal, and then no answer to the question whether it is there',
      { send: rejecting(answer(-32000n, 'insufficient funds')), getInclusion: rejecting(reset) },
      'unknown',
    ],
  ]
  test.each(cases)('%s', async (_name, node, expected) => {
    const { rail } = createEvmLab()
    const result = await said(async (sink) => rail([node]).broadcast(await signTransfer(0n), sink))
    expect(typeof result === 'string' ? result : (result as { disposition: string }).disposition).toBe(expected)
  })

  test.each([
    ['insufficient funds', 'pending'],
    ['replacement transaction underpriced', 'pending'],
    ['internal error', 'pending'],
  ])('"%s" about a transaction that the node has is its receipt', async (message, disposition) => {
    const { chain, rail } = createEvmLab()
    const signed = await signTransfer(0n)
    const liar = {
      send: async (bytes: Uint8Array) => {
        await chain.submit(bytes)
        throw answer(-32000n, message)
      },
    }
    expect(await said((sink) => rail([liar]).broadcast(signed, sink))).toMatchObject({ disposition })
    chain.mine(1)
    expect(await said((sink) => rail([liar]).broadcast(signed, sink))).toMatchObject({ disposition: 'accepted' })
  })

  test('a refusal of bytes that were sent before is not the last word about them', async () => {
    const { rail } = createEvmLab()
    const signed = await signTransfer(0n)
    expect(await said((sink) => rail([{ send: rejecting(reset) }]).broadcast(signed, sink))).toBe('failed_uncertain')
    const refusing = rail([{ send: rejecting(answer(-32000n, 'insufficient funds')) }])
    expect(await said((sink) => refusing.broadcast(signed, sink))).toMatchObject({ disposition: 'unknown' })
  })

  test('another node that has the transaction outweighs the refusal of the one that was asked', async () => {
    const { chain, rail } = createEvmLab()
    const signed = await signTransfer(0n)
    const refusing = { send: rejecting(answer(-32000n, 'insufficient funds')), getTransaction: async () => undefined }
    await chain.submit(signed)
    expect(await said((sink) => rail([refusing, {}]).broadcast(signed, sink))).toMatchObject({ disposition: 'pending' })
  })

  test('a refusal is the last word only when the node that gave it says afterwards that it has nothing', async () => {
    const { rail } = createEvmLab()
    const mute = { send: rejecting(answer(-32000n, 'insufficient funds')), getInclusion: rejecting(reset) }
    const nodes = rail([mute, {}])
    expect(await said(async (sink) => nodes.broadcast(await signTransfer(0n), sink))).toMatchObject({
      disposition: 'unknown',
    })
  })

  test('only the wallet, only Sepolia, only plain transfers: everything else is refused unsent and unnoted', async () => {
    const { chain, rail } = createEvmLab()
    const sent = completeMemory()
    const foreign = rail([{}], { account: `0x${'22'.repeat(20)}`, sent })
    const own = rail([{}], { sent })
    const mainnet = await signTransfer(0n, { chainId: 1 })
    const signed = await signTransfer(0n)
    const noSignature = Uint8Array.from(signed)
    noSignature.set(new Uint8Array(32).fill(0xff), signed.length - 32)
    expect(await said((sink) => foreign.broadcast(signed, sink))).toBe('policy_rejected')
    expect(await said((sink) => own.broadcast(mainnet, sink))).toBe('policy_rejected')
    expect(await said((sink) => own.broadcast(noSignature, sink))).toBe('policy_rejected')
    expect(chain.pool().size).toBe(0)
    for (const bytes of [signed, mainnet, noSignature]) expect(await sent.find(keccak256(bytes))).toBeUndefined()
  })

  test('a note is taken back only when it is certain that nothing of it ever left', async () => {
    const { rail } = createEvmLab()
    const sent = completeMemory()
    const signed = await signTransfer(0n)
    const id = keccak256(signed)
    await said((sink) => rail([{ send: rejecting(unreachable) }], { sent }).broadcast(signed, sink))
    expect(await sent.find(id)).toBeUndefined()
    await said((sink) => rail([{ send: rejecting(reset) }], { sent }).broadcast(signed, sink))
    await said((sink) => rail([{ send: rejecting(unreachable) }], { sent }).broadcast(signed, sink))
    expect(await sent.find(id)).toMatchObject({ seenIn: null })
  })
})

describe('reconcile', () => {
  const sendOne = async (lab: ReturnType<typeof createEvmLab>, nonce = 0n, change = {}) => {
    const signed = await signTransfer(nonce, change)
    await said((sink) => lab.rail([{}]).broadcast(signed, sink))
    return keccak256(signed)
  }

  test('names the transaction that took the nonce, and its block', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.forget(id)
    const rival = await sendOne(lab, 0n, { value: 2n })
    lab.chain.mine(1)
    const block = lab.chain.blocks().at(-1)
    lab.chain.mine(4)
    expect(await said((sink) => lab.rail([{}]).reconcile(id, sink))).toMatchObject({
      status: 'dropped',
      observed_height: Number(block?.height),
      confirmations: 5,
      canonical_block_id: block?.blockId,
    })
    expect(lab.observations.at(-1)).toEqual({
      transactionId: id,
      status: 'dropped',
      reason: 'replaced',
      replacedBy: rival,
    })
  })

  test('finds who took the nonce among many blocks, also on a node that keeps only the last states', async () => {
    for (const keeps of [1000n, 64n]) {
      const lab = createEvmLab()
      const id = await sendOne(lab)
      lab.chain.forget(id)
      lab.chain.mine(300)
      const rival = await sendOne(lab, 0n, { value: 2n })
      lab.chain.mine(50)
      const honest = createMemoryNode(lab.chain, {})
      const pruned: Partial<EvmNode> = {
        getNonce: async (account, at) =>
          typeof at === 'bigint' && at < 350n - keeps ? rejecting(missing)() : honest.getNonce(account, at),
      }
      expect(await said((sink) => lab.rail([pruned]).reconcile(id, sink))).toMatchObject({
        status: 'dropped',
        observed_height: 301,
        confirmations: 50,
      })
      expect(lab.observations.at(-1)?.replacedBy).toBe(rival)
    }
  })

  test('a taken nonce is no proof: pending when nobody can say who has it', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.forget(id)
    await sendOne(lab, 0n, { value: 2n })
    lab.chain.mine(200)
    const honest = createMemoryNode(lab.chain, {})
    const pruned: Partial<EvmNode> = {
      getNonce: async (account, at) =>
        typeof at === 'bigint' && at < 100n ? rejecting(missing)() : honest.getNonce(account, at),
    }
    expect(await said((sink) => lab.rail([pruned]).reconcile(id, sink))).toMatchObject({ status: 'pending' })
    expect(lab.observations.at(-1)?.reason).toBe('replaced')
  })

  test('a node that included it and does not find it any more makes it neither dropped nor reorged', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(5)
    expect(await said((sink) => lab.rail([{}]).reconcile(id, sink))).toMatchObject({ status: 'confirmed' })
    const forgetful: Partial<EvmNode> = { getInclusion: async () => undefined, getTransaction: async () => undefined }
    expect(await said((sink) => lab.rail([forgetful]).reconcile(id, sink))).toMatchObject({
      status: 'pending',
      observed_height: 1,
      confirmations: 5,
    })
    const frozen = { ...forgetful, getNonce: async () => 0n }
    expect(await said((sink) => lab.rail([frozen]).reconcile(id, sink))).toMatchObject({ status: 'pending' })
    expect(lab.observations.at(-1)?.reason).toBe('not-seen')
  })

  test('a transaction of another account with the same nonce took nothing', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.forget(id)
    const rival = await sendOne(lab, 0n, { value: 2n })
    lab.chain.mine(1)
    const stranger = { transactionId: `0x${'ff'.repeat(32)}`, from: `0x${'99'.repeat(20)}`, nonce: 0n }
    const crowded = { listSlots: async () => [stranger, ...(lab.chain.blocks()[1]?.transactions ?? [])] }
    expect(await said((sink) => lab.rail([crowded]).reconcile(id, sink))).toMatchObject({ status: 'dropped' })
    expect(lab.observations.at(-1)?.replacedBy).toBe(rival)
  })

  test('of several transactions of the wallet in one block, the one with the nonce took it', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab, 1n)
    lab.chain.forget(id)
    await sendOne(lab, 0n, { value: 2n })
    const rival = await sendOne(lab, 1n, { value: 3n })
    await sendOne(lab, 2n, { value: 4n })
    lab.chain.mine(1)
    expect(await said((sink) => lab.rail([{}]).reconcile(id, sink))).toMatchObject({ status: 'dropped' })
    expect(lab.observations.at(-1)?.replacedBy).toBe(rival)
  })

  test('a chain shorter than the wanted depth is asked for no block before its first', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.forget(id)
    await sendOne(lab, 0n, { value: 2n })
    lab.chain.mine(1)
    const honest = createMemoryNode(lab.chain, {})
    const strict: Partial<EvmNode> = {
      getNonce: async (account, at) => {
        if (typeof at === 'bigint' && at < 0n) throw new RangeError('no such block')
        return honest.getNonce(account, at)
      },
    }
    expect(await said((sink) => lab.rail([strict], { finality: 64 }).reconcile(id, sink))).toMatchObject({
      status: 'pending',
    })
  })

  test.each([
    ['safe', 32],
    ['finalized', 64],
  ] as const)('waits for a block that is %s', async (finality, blocks) => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(blocks)
    const rail = lab.rail([{}], { finality })
    expect(await said((sink) => rail.reconcile(id, sink))).toMatchObject({ status: 'pending', confirmations: blocks })
    lab.chain.mine(1)
    expect(await said((sink) => rail.reconcile(id, sink))).toMatchObject({ status: 'confirmed' })
  })

  test('is pending when the node has no block of the wanted finality', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(1)
    const young = { getBlock: async (at: unknown) => (at === 'safe' ? undefined : lab.chain.blocks()[Number(at)]) }
    expect(await said((sink) => lab.rail([young], { finality: 'safe' }).reconcile(id, sink))).toMatchObject({
      status: 'pending',
      confirmations: 1,
    })
    expect(await said((sink) => lab.rail([{}], { finality: 64 }).reconcile(id, sink))).toMatchObject({
      status: 'pending',
    })
  })

  test('a transfer that is included and failed has paid nothing: dropped, once it is final', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(1)
    const { blockId = '' } = lab.chain.blocks().at(-1) ?? {}
    const failed = { getInclusion: async () => ({ height: 1n, blockId, hasSucceeded: false }) }
    expect(await said((sink) => lab.rail([failed], { finality: 2 }).reconcile(id, sink))).toMatchObject({
      status: 'pending',
    })
    expect(await said((sink) => lab.rail([failed]).reconcile(id, sink))).toMatchObject({
      status: 'dropped',
      canonical_block_id: blockId,
    })
    expect(lab.observations.at(-1)?.reason).toBe('failed')
  })

  test('a receipt in a block that is not canonical is no inclusion', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(1)
    const stale = { getInclusion: async () => ({ height: 1n, blockId: `0x${'ee'.repeat(32)}`, hasSucceeded: true }) }
    expect(await said((sink) => lab.rail([stale]).reconcile(id, sink))).toMatchObject({
      status: 'pending',
      observed_height: null,
    })
  })

  test('a block that came after the first question counts as the newest', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    const before = lab.chain.blocks().at(-1)
    lab.chain.mine(1)
    const slow = { getHead: async () => before ?? rejecting(reset)() }
    expect(await said((sink) => lab.rail([slow]).reconcile(id, sink))).toMatchObject({
      status: 'pending',
      confirmations: 1,
    })
  })

  test('a rail that did not send it learns from the pool whose transaction it is', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    const restarted = lab.rail([{}], { sent: createMemorySentTransactions() })
    expect(await said((sink) => restarted.reconcile(id, sink))).toMatchObject({ status: 'pending' })
    lab.chain.forget(id)
    await sendOne(lab, 0n, { value: 2n })
    lab.chain.mine(1)
    expect(await said((sink) => restarted.reconcile(id, sink))).toMatchObject({ status: 'dropped' })
  })

  test('a rail that saw it only in a block notices that the block is gone', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(1)
    const restarted = lab.rail([{}], { sent: createMemorySentTransactions() })
    expect(await said((sink) => restarted.reconcile(id, sink))).toMatchObject({ status: 'confirmed' })
    lab.chain.reorganise(1, 'without')
    const canonical = lab.chain.blocks()[1]
    expect(await said((sink) => restarted.reconcile(id, sink))).toMatchObject({
      status: 'reorged',
      observed_height: 1,
      confirmations: 2,
      canonical_block_id: canonical?.blockId,
    })
  })

  test('another node that has it waiting makes nothing reorged and nothing dropped', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(1)
    const sent = completeMemory()
    const blind: Partial<EvmNode> = { getInclusion: async () => undefined, getTransaction: async () => undefined }
    expect(await said((sink) => lab.rail([blind], { sent }).reconcile(id, sink))).toMatchObject({ status: 'dropped' })
    expect(await said((sink) => lab.rail([blind, {}], { sent }).reconcile(id, sink))).toMatchObject({
      status: 'pending',
    })
    expect(lab.observations.at(-1)?.reason).toBe('in-pool')
  })

  test('another node that breaks proves nothing and stops nothing', async () => {
    const lab = createEvmLab()
    const id = `0x${'ab'.repeat(32)}`
    const rail = lab.rail([{}, { getInclusion: rejecting(reset) }], { sent: completeMemory() })
    expect(await said((sink) => rail.reconcile(id, sink))).toMatchObject({ status: 'dropped' })
  })

  test('the node that is furthest decides, wherever it stands in the list', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.mine(1)
    lab.chain.reorganise(1, 'without')
    lab.chain.mine(3)
    const old = { height: 1n, blockId: `0x${'ee'.repeat(32)}`, timestampSec: 0n, baseFeePerGas: 7n }
    const onOldBranch: Partial<EvmNode> = {
      getHead: async () => old,
      getBlock: async () => old,
      getInclusion: async () => ({ ...old, hasSucceeded: true }),
    }
    for (const nodes of [
      [onOldBranch, {}],
      [{}, onOldBranch],
    ])
      expect(await said((sink) => lab.rail(nodes).reconcile(id, sink))).toMatchObject({ status: 'pending' })
  })

  test('a memory that fails, or holds something else, makes the call fail and nothing dropped', async () => {
    const lab = createEvmLab()
    const id = await sendOne(lab)
    lab.chain.forget(id)
    const broken = { ...completeMemory(), find: rejecting(new Error('disk')) }
    expect(await said((sink) => lab.rail([{}], { sent: broken }).reconcile(id, sink))).toBe('failed_uncertain')
    const foreign = completeMemory()
    await foreign.note(id, 'lastValidBlockHeight=1 slot=1')
    expect(await said((sink) => lab.rail([{}], { sent: foreign }).reconcile(id, sink))).toBe('failed_uncertain')
  })

  test('listeners that throw change nothing', async () => {
    const lab = createEvmLab()
    const throwing = () => {
      throw new Error('listener')
    }
    const rail = lab.rail([{}], { onObservation: throwing, onFailure: throwing })
    expect(await said((sink) => rail.reconcile(`0x${'ab'.repeat(32)}`, sink))).toMatchObject({ status: 'pending' })
    expect(await said((sink) => rail.reconcile('nothing', sink))).toBe('policy_rejected')
  })
})
