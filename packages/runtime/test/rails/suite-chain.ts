import { describe, expect, test } from 'vitest'
import { createMemorySentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import { ask, completeMemory, type Lab, type SignedPayment } from './lab.ts'

/** What the chain does to a payment, and what the rail must say of it. */
export function describeChain(lab: () => Lab): void {
  const chain = () => lab().rail.chain
  const sendOne = async (opening: Parameters<Lab['open']>[0] = {}) => {
    const adapter = await lab().open(opening)
    const payment = await lab().prepare(adapter, opening.confirmationTarget)
    const receipt = await lab().broadcast(adapter, payment)
    return { adapter, payment, receipt }
  }

  describe('a payment that nothing disturbs', () => {
    test('is accepted, pending while nothing is mined, confirmed in a block, and arrives once', async () => {
      const before = await chain().countPayments()
      const { adapter, payment, receipt } = await sendOne()
      expect(['accepted', 'pending']).toContain(receipt.disposition)
      for (let look = 0; look < 3; look += 1) expect(await lab().status(adapter, payment)).toBe('pending')
      await chain().mine(1)
      expect(await lab().observe(adapter, payment, 1)).toMatchObject({
        status: 'confirmed',
        observed_height: await chain().height(),
        confirmations: 1n,
        canonical_block_id: expect.stringMatching(/./),
      })
      expect(await chain().countPayments()).toBe(before + 1)
    })

    test('confirmation targets are respected: pending with its block below, confirmed at the target', async () => {
      const { adapter, payment } = await sendOne({ confirmationTarget: 3 })
      await chain().mine(1)
      const height = await chain().height()
      for (const confirmations of [1n, 2n]) {
        expect(await lab().observe(adapter, payment)).toMatchObject({
          status: 'pending',
          observed_height: height,
          confirmations,
        })
        await chain().mine(1)
      }
      expect(await lab().observe(adapter, payment, 3)).toMatchObject({
        status: 'confirmed',
        observed_height: height,
        confirmations: 3n,
      })
    })

    test('two payments that are equal and planned at the same time never share a transaction', async () => {
      const before = await chain().countPayments()
      const sent = completeMemory()
      const adapters = [await lab().open({ sent }), await lab().open({ sent })] as const
      const prepared = await Promise.allSettled(adapters.map((adapter) => lab().prepare(adapter)))
      const payments = prepared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(payments.length).toBeGreaterThan(0)
      expect(new Set(payments.map(({ signed }) => signed.transactionId)).size).toBe(payments.length)
      for (const payment of payments) await ask((sink) => adapters[0].broadcast(payment.signed.bytes, sink))
      await chain().mine(2)
      let confirmed = 0
      for (const payment of payments) if ((await lab().status(adapters[1], payment)) === 'confirmed') confirmed += 1
      expect(confirmed).toBeGreaterThan(0)
      expect(await chain().countPayments()).toBe(before + confirmed)
    })

    test('several payments that wait at the same time all arrive', async () => {
      const before = await chain().countPayments()
      const sent = [await sendOne(), await sendOne(), await sendOne()]
      await chain().mine(1)
      for (const { adapter, payment } of sent) expect(await lab().status(adapter, payment)).toBe('confirmed')
      expect(await chain().countPayments()).toBe(before + 3)
    })
  })

  describe('bytes that are already known', () => {
    test('to the node: the accepted or pending receipt, and one payment', async () => {
      const before = await chain().countPayments()
      const { adapter, payment } = await sendOne()
      expect((await lab().broadcast(adapter, payment)).disposition).toMatch(/^(accepted|pending)$/)
      const restarted = await lab().open()
      expect((await lab().broadcast(restarted, payment)).disposition).toMatch(/^(accepted|pending)$/)
      await chain().mine(1)
      expect(await chain().countPayments()).toBe(before + 1)
    })

    test('to the chain: the accepted or pending receipt, also for a rail that has just been opened', async () => {
      const { adapter, payment } = await sendOne()
      await chain().mine(2)
      const before = await chain().countPayments()
      for (const again of [adapter, await lab().open()])
        expect((await lab().broadcast(again, payment)).disposition).toMatch(/^(accepted|pending)$/)
      await chain().mine(1)
      expect(await chain().countPayments()).toBe(before)
    })
  })

  describe('a reorganisation', () => {
    const included = async () => {
      const sent = await sendOne({ sent: completeMemory() })
      await chain().mine(1)
      const first = await lab().observe(sent.adapter, sent.payment)
      expect(first.status).toBe('confirmed')
      return { ...sent, first }
    }

    test('that takes the block and leaves no trace of the payment: reorged', async () => {
      const { adapter, payment } = await included()
      await chain().reorganise(1, 'without')
      expect(await lab().status(adapter, payment)).toBe('reorged')
    })

    test('after which the same bytes are sent and included again: confirmed in the new block', async () => {
      const before = await chain().countPayments()
      const { adapter, payment, first } = await included()
      await chain().reorganise(1, 'without')
      expect(await chain().countPayments()).toBe(before)
      await lab().broadcast(adapter, payment)
      await chain().mine(1)
      const second = await lab().observe(adapter, payment)
      expect(second.status).toBe('confirmed')
      expect(second.canonical_block_id).not.toBe(first.canonical_block_id)
      expect(await chain().countPayments()).toBe(before + 1)
    })

    test('that includes the payment in another block: confirmed there', async () => {
      const before = await chain().countPayments()
      const { adapter, payment, first } = await included()
      await chain().reorganise(1, 'again')
      const second = await lab().observe(adapter, payment)
      expect(second.status).toBe('confirmed')
      expect(second.canonical_block_id).not.toBe(first.canonical_block_id)
      expect(await chain().countPayments()).toBe(before + 1)
    })

    test('that nobody was watching: pending, since nothing says that it was ever included', async () => {
      const { payment } = await sendOne()
      await chain().mine(1)
      await chain().reorganise(1, 'without')
      const watcher = await lab().open({ sent: createMemorySentTransactions() })
      expect(await lab().status(watcher, payment)).toBe('pending')
    })
  })

  describe('a payment that does not get in', () => {
    test('forgotten by the node but still possible: pending, and included when it is sent again', async () => {
      const before = await chain().countPayments()
      const { adapter, payment } = await sendOne()
      await chain().forget(payment.signed.transactionId)
      await chain().mine(1)
      expect(await lab().status(adapter, payment)).toBe('pending')
      await lab().broadcast(adapter, payment)
      await chain().mine(1)
      expect(await lab().status(adapter, payment)).toBe('confirmed')
      expect(await chain().countPayments()).toBe(before + 1)
    })

    test('impossible for good: dropped, also after a restart, and never confirmed', async () => {
      const before = await chain().countPayments()
      const sent = completeMemory()
      const { adapter, payment } = await sendOne({ sent })
      await chain().displace(payment.signed.transactionId)
      expect(await lab().status(adapter, payment)).toBe('dropped')
      const restarted = await lab().open({ sent })
      expect(await lab().status(restarted, payment)).toBe('dropped')
      expect(await chain().countPayments()).toBe(before)
    })

    test('impossible, but not yet at the wanted depth: pending', async () => {
      const adapter = await lab().open({ confirmationTarget: 4, sent: completeMemory() })
      const payment = await lab().prepare(adapter, 4)
      await lab().broadcast(adapter, payment)
      const replacement = await chain().displace(payment.signed.transactionId)
      if (replacement === null) return expect(await lab().status(adapter, payment)).toBe('dropped')
      expect(await lab().status(adapter, payment)).toBe('pending')
      await chain().mine(4)
      const { status, confirmations } = await lab().observe(adapter, payment)
      expect(status).toBe('dropped')
      expect(confirmations === null || confirmations >= 4n).toBe(true)
    })

    test('never sent: dropped where the memory is complete, pending where it is not', async () => {
      const stranger = { signed: { transactionId: lab().rail.strangerId } } as SignedPayment
      const complete = await lab().open({ sent: completeMemory() })
      expect(await lab().status(complete, stranger)).toBe('dropped')
      const forgetful = await lab().open({ sent: createMemorySentTransactions() })
      expect(await lab().status(forgetful, stranger)).toBe('pending')
    })
  })

  describe('money and fees', () => {
    test('a wallet without enough money: no plan passes the simulation', async () => {
      const adapter = await lab().open()
      await chain().drainWallet()
      await expect(lab().prepare(adapter)).rejects.toThrow()
    })

    test('money that is gone after the simulation: not accepted, or never included', async () => {
      const before = await chain().countPayments()
      const adapter = await lab().open()
      const payment = await lab().prepare(adapter)
      await chain().drainWallet()
      const { disposition } = await lab().broadcast(adapter, payment)
      await chain().mine(2)
      expect(await chain().countPayments()).toBe(before)
      if (disposition === 'accepted') expect(await lab().status(adapter, payment)).not.toBe('confirmed')
    })

    test('fees that rise between plan and simulation: the simulation says no', async () => {
      const { raiseFees } = chain()
      if (raiseFees === null) return
      const adapter = await lab().open()
      const payment = lab().newPayment()
      const planned = await lab().plan(adapter, payment)
      await raiseFees()
      await expect(lab().simulate(adapter, planned, payment)).rejects.toThrow()
      await expect(lab().prepare(adapter)).rejects.toThrow()
    })

    test('fees that rise after the broadcast: pending until they fall, whether or not the node kept it', async () => {
      const { raiseFees, lowerFees } = chain()
      if (raiseFees === null || lowerFees === null) return
      const before = await chain().countPayments()
      const { adapter, payment } = await sendOne()
      await raiseFees()
      await chain().mine(3)
      expect(await lab().status(adapter, payment)).toBe('pending')
      await lowerFees()
      await lab().broadcast(adapter, payment)
      await chain().mine(1)
      expect(await lab().status(adapter, payment)).toBe('confirmed')
      expect(await chain().countPayments()).toBe(before + 1)
    })
  })

  test('what is not a request of this rail is policy_rejected, and nothing is pushed', async () => {
    const adapter = await lab().open()
    const { plan, built } = await lab().plan(adapter)
    const changed = Uint8Array.from(built.bytes, (byte, index) => (index === built.bytes.length - 1 ? byte ^ 1 : byte))
    const calls = [
      (sink) => adapter.snapshot('{}\n', sink),
      (sink) => adapter.simulate('{}\n', built.bytes, sink),
      (sink) => adapter.simulate(plan.text, changed, sink),
      (sink) => adapter.broadcast(new Uint8Array(0), sink),
      (sink) => adapter.broadcast(built.bytes, sink),
      (sink) => adapter.reconcile('nothing', sink),
    ] satisfies Parameters<typeof ask>[0][]
    for (const call of calls) expect(await ask(call)).toEqual({ disposition: 'policy_rejected', pushes: [] })
  })
}
