import { decodeBitcoinTransaction, decodePsbt, readSigned, verifySignatures } from '@oikos/core/economic'
import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bcoin, hasBcoin } from '../../../test/chains/bitcoin/bcoin.ts'
import { type BitcoinSetup, type BitcoinUnderTest, makeBitcoinRail } from '../../../test/chains/bitcoin/under-test.ts'
import { spendAll, testWallet } from '../../../test/chains/bitcoin/wallet.ts'
import { ask, completeMemory, createLab, type Lab, type SignedPayment } from '../../../test/rails/lab.ts'
import { createMemorySentTransactions } from '../sent/sent-transactions.ts'
import type { BitcoinObservation } from './context.ts'

const observations: BitcoinObservation[] = []
const onObservation = (observation: BitcoinObservation): void => {
  observations.push(observation)
}
const seen = () => {
  const { reason, spentBy } = observations.at(-1) ?? { reason: undefined, spentBy: undefined }
  return { reason, spentBy }
}
const txidOf = (raw: Uint8Array): string => bcoin.TX.fromRaw(Buffer.from(raw)).txid()

/** Another spending of the first input of a payment, back to the wallet. */
function rivalOf(rail: BitcoinUnderTest, { signed, snapshot }: SignedPayment): Uint8Array {
  const [input] = decodeBitcoinTransaction(signed.bytes).inputs
  const { state } = snapshot.document
  const utxos = 'utxos' in state ? state.utxos : []
  const spent = utxos.find(({ txid, vout }) => txid === input?.txid && vout === input.vout)
  if (spent === undefined) throw new Error('the payment spends nothing of its snapshot')
  const coin = { txid: spent.txid, vout: Number(spent.vout), amount: spent.value_atomic }
  return spendAll(rail.wallet, [coin], rail.wallet.address, 2_000n)
}

describe.runIf(hasBcoin).each([
  ['Bitcoin Core', 'bitcoin-core', {}],
  ['Bitcoin Core without an index of transactions', 'bitcoin-core', { core: { hasTransactionIndex: false } }],
  ['Esplora', 'esplora', {}],
] as const)('%s', (_, speaks, setup: BitcoinSetup) => {
  let rail: BitcoinUnderTest
  let lab: Lab
  beforeAll(async () => {
    rail = await makeBitcoinRail(speaks, { ...setup, rail: { onObservation } })
    lab = createLab(rail)
  })
  afterEach(() => lab.clean())
  afterAll(() => rail.close())
  const sendOne = async (target = 1) => {
    const adapter = await lab.open({ sent: completeMemory() })
    const payment = await lab.prepare(adapter, target)
    return { adapter, payment, receipt: await lab.broadcast(adapter, payment) }
  }

  describe('a mined double spend', () => {
    test('after a confirmation: pending while it is young, dropped at the depth that the intent asks for', async () => {
      const before = await rail.chain.countPayments()
      const { adapter, payment } = await sendOne(3)
      await rail.chain.mine(1)
      expect(await lab.observe(adapter, payment)).toMatchObject({ status: 'pending', confirmations: 1n })
      const rival = rivalOf(rail, payment)
      await rail.regtest.reorganize(1, 'are lost', [rival])
      expect(await lab.status(adapter, payment)).toBe('pending')
      expect(seen()).toEqual({ reason: 'double-spent', spentBy: txidOf(rival) })
      await rail.chain.mine(1)
      const last = await lab.observe(adapter, payment)
      expect(last).toMatchObject({ status: 'dropped', confirmations: 3n, observed_height: await heightOf(rival) })
      expect(await rail.chain.countPayments()).toBe(before)
    })

    test('in a block below the one that the payment was planned on: found all the same', async () => {
      const { adapter, payment } = await sendOne()
      await rail.regtest.reorganize(2, 'are lost', [rivalOf(rail, payment)])
      expect(await lab.status(adapter, payment)).toBe('dropped')
    })

    test('that is itself taken back: the payment can be included again', async () => {
      const { adapter, payment } = await sendOne(2)
      await rail.regtest.mineExactly([rivalOf(rail, payment)])
      expect(await lab.status(adapter, payment)).toBe('pending')
      await rail.regtest.reorganize(1, 'are lost')
      expect(await lab.status(adapter, payment)).toBe('pending')
      expect(seen().reason).toBe('not-seen')
      await lab.broadcast(adapter, payment)
      await rail.chain.mine(2)
      expect(await lab.status(adapter, payment)).toBe('confirmed')
    })

    test('that only waits: pending, and named', async () => {
      const adapter = await lab.open({ sent: completeMemory() })
      const payment = await lab.prepare(adapter)
      await lab.broadcast(adapter, payment)
      rail.regtest.evict(payment.signed.transactionId)
      const rival = rivalOf(rail, payment)
      await rail.regtest.submit(bcoin.TX.fromRaw(Buffer.from(rival)))
      expect(await lab.status(adapter, payment)).toBe('pending')
      expect(seen()).toEqual({ reason: 'double-spent', spentBy: txidOf(rival) })
    })

    const heightOf = async (raw: Uint8Array): Promise<bigint> => {
      const found = await rail.regtest.locate(txidOf(raw))
      return found?.at === 'chain' ? BigInt(found.block.height) : -1n
    }
  })

  test('a payment whose outputs are all spent again is still confirmed', async () => {
    const { adapter, payment } = await sendOne()
    await rail.chain.mine(1)
    const change = (await rail.coins()).find(({ txid }) => txid === payment.signed.transactionId)
    if (change === undefined) throw new Error('the payment has no change')
    await rail.regtest.mineExactly([spendAll(rail.wallet, [change], rail.regtest.treasury, 1_000n)])
    expect(await lab.observe(adapter, payment)).toMatchObject({ status: 'confirmed', confirmations: 2n })
  })

  test('an input that another payment has taken meanwhile: the simulation says no', async () => {
    const adapter = await lab.open()
    const payment = lab.newPayment()
    const planned = await lab.plan(adapter, payment)
    await rail.regtest.mineExactly([rivalOf(rail, { ...planned, signed: await sign(planned) })])
    await expect(lab.simulate(adapter, planned, payment)).rejects.toThrow('policy_rejected')
  })

  test('refused by the node: rejected when it was never sent before, unknown when it was', async () => {
    const adapter = await lab.open({ sent: createMemorySentTransactions() })
    const payment = await lab.prepare(adapter)
    await rail.regtest.mineExactly([rivalOf(rail, payment)])
    expect((await lab.broadcast(adapter, payment)).disposition).toBe('rejected')
    expect((await lab.broadcast(adapter, payment)).disposition).toBe('unknown')
    expect(await lab.status(adapter, payment)).toBe('dropped')
  })

  test('another key than the wallet: refused before anything is asked', async () => {
    const adapter = await lab.open()
    const coin = { txid: '11'.repeat(32), vout: 0, amount: 100_000n }
    const bytes = spendAll(testWallet(9), [coin], rail.wallet.address, 1_000n)
    const broadcasts = rail.countBroadcasts()
    expect(await ask((sink) => adapter.broadcast(bytes, sink))).toEqual({ disposition: 'policy_rejected', pushes: [] })
    expect(rail.countBroadcasts()).toBe(broadcasts)
  })

  describe('what the wallet can spend', () => {
    const spentBy = ({ built }: Omit<SignedPayment, 'signed'>) =>
      decodePsbt(built.bytes).inputs.map(({ txid, vout }) => `${txid}:${vout}`)
    /** Leaves the wallet with these coins, satoshi. */
    const leaveWallet = async (...amounts: readonly bigint[]): Promise<void> => {
      await rail.chain.drainWallet()
      await rail.regtest.fund(amounts.map((amount) => ({ address: rail.wallet.address, amount })))
    }

    test('payments that are prepared at the same time, also by rails that share a memory, spend different outputs', async () => {
      const sent = createMemorySentTransactions()
      const payments = [await lab.prepare(await lab.open({ sent })), await lab.prepare(await lab.open({ sent }))]
      expect(new Set(payments.flatMap(spentBy)).size).toBe(2)
      const before = await rail.chain.countPayments()
      for (const payment of payments)
        expect((await lab.broadcast(await lab.open({ sent }), payment)).disposition).toBe('accepted')
      await rail.chain.mine(1)
      expect(await rail.chain.countPayments()).toBe(before + 2)
    })

    test('one output for two equal payments: two transactions, of which one is paid', async () => {
      await leaveWallet(150_000n)
      const adapter = await lab.open()
      const [first, second] = [await lab.prepare(adapter), await lab.prepare(adapter)]
      expect(spentBy(second)).toEqual(spentBy(first))
      expect(second.signed.transactionId).not.toBe(first.signed.transactionId)
      const before = await rail.chain.countPayments()
      expect((await lab.broadcast(adapter, first)).disposition).toBe('accepted')
      expect((await lab.broadcast(adapter, second)).disposition).toBe('rejected')
      await rail.chain.mine(1)
      expect([await lab.status(adapter, first), await lab.status(adapter, second)]).toEqual(['confirmed', 'dropped'])
      expect(await rail.chain.countPayments()).toBe(before + 1)
    })

    test('one output without change for two equal payments: the same bytes, so the second one is refused', async () => {
      await leaveWallet(50_600n)
      const adapter = await lab.open()
      const payments = [lab.newPayment(), lab.newPayment()] as const
      const [first, second] = [await lab.plan(adapter, payments[0]), await lab.plan(adapter, payments[1])]
      expect(second.built.digest).toBe(first.built.digest)
      await lab.simulate(adapter, first, payments[0])
      await lab.simulate(adapter, first, payments[0])
      await expect(lab.simulate(adapter, second, payments[1])).rejects.toThrow('policy_rejected')
      await rail.chain.mine(1)
      await lab.simulate(adapter, await lab.plan(adapter, payments[1]), payments[1])
    })

    test('as few outputs as suffice, of greatest value first, in the order of the standard', async () => {
      await leaveWallet(20_000n, 30_000n, 25_000n, 1_000n, 10_000n)
      const { snapshot } = await lab.plan(await lab.open())
      const { state } = snapshot.document
      const utxos = 'utxos' in state ? state.utxos : []
      expect(utxos.map((utxo) => utxo.value_atomic).toSorted()).toEqual([25_000n, 30_000n])
      const order = utxos.map(({ txid, vout }) => `${txid}:${vout}`)
      expect(order).toEqual(order.toSorted())
    })

    test('what waits to be spent, and change that waits, are not offered', async () => {
      await leaveWallet(150_000n)
      await sendOne()
      const adapter = await lab.open()
      const intent = lab.intentOf(lab.newPayment())
      expect((await ask((sink) => adapter.snapshot(intent, sink))).disposition).toBe('policy_rejected')
      await rail.chain.mine(1)
      expect((await ask((sink) => adapter.snapshot(intent, sink))).disposition).toBe('succeeded')
    })

    test('the reward of a block is offered from its 101st confirmation on', async () => {
      const { node } = rail.regtest
      const [treasury] = node.miner.addresses
      node.miner.addresses = [bcoin.Address.fromString(rail.wallet.address, 'regtest')]
      await rail.chain.mine(1)
      node.miner.addresses = treasury === undefined ? [] : [treasury]
      const reward = (await node.chain.getBlock(node.chain.height))?.txs[0]?.txid()
      const offers = async (): Promise<boolean> => {
        const { state } = (await lab.plan(await lab.open())).snapshot.document
        return 'utxos' in state && state.utxos.some(({ txid }) => txid === reward)
      }
      await rail.chain.mine(99)
      expect(await offers()).toBe(false)
      await rail.chain.mine(1)
      expect(await offers()).toBe(true)
    })
  })

  test('signatures of the library hold for the core, and the core names the transaction as the chain does', async () => {
    const { payment } = await sendOne()
    const { signed, built, snapshot } = payment
    expect(verifySignatures(signed, built, snapshot.document)).toEqual({ ok: true })
    await rail.chain.mine(1)
    const found = await rail.regtest.locate(signed.transactionId)
    const bytes = found?.transaction.toRaw() ?? Buffer.alloc(0)
    expect(bytes.equals(signed.bytes)).toBe(true)
    const limits = { max_signed_transaction_bytes: 2000n } as never
    expect(readSigned(new Uint8Array(bytes), built, limits).transactionId).toBe(signed.transactionId)
    expect(Transaction.fromRaw(signed.bytes).id).toBe(signed.transactionId)
  })

  async function sign(planned: Omit<SignedPayment, 'signed'>) {
    const transaction = Transaction.fromPSBT(planned.built.bytes)
    transaction.sign(rail.wallet.key)
    transaction.finalize()
    return readSigned(transaction.extract(), planned.built, { max_signed_transaction_bytes: 2_000n } as never)
  }
})
