import { describe, expect, test } from 'vitest'
import { ask, completeMemory, type Lab, type SignedPayment } from './lab.ts'
import type { RailOpening } from './rail-under-test.ts'
import { TRANSPORT_FAULTS, type TransportFault } from './transport-fault.ts'

/** Short enough for tests, long enough for a loaded machine. */
const TIMEOUT_MS = 700

/** What the transport does to a call, and what the rail must say of it. */
export function describeTransport(lab: () => Lab): void {
  const chain = () => lab().rail.chain
  const faults = Object.entries(TRANSPORT_FAULTS) as [TransportFault, boolean][]
  const open = (at: RailOpening['at'], opening: Partial<RailOpening> = {}) =>
    lab().open({ at, timeoutMs: TIMEOUT_MS, maxResponseBytes: 1_048_576, ...opening })
  const signOn = async (): Promise<SignedPayment> => lab().prepare(await open(['node']))

  describe('a broadcast over a faulty line', () => {
    test.each(faults)('%s: never "not started", never sent twice, settled by looking it up', async (fault, arrives) => {
      const payment = await signOn()
      const [payments, broadcasts] = [await chain().countPayments(), lab().rail.countBroadcasts()]
      const adapter = await open(['faulty', 'node'], { sent: completeMemory() })
      lab().rail.setFault(fault, 'broadcast')
      const { disposition, pushes } = await ask((sink) => adapter.broadcast(payment.signed.bytes, sink))
      expect(disposition).toMatch(/^(succeeded|failed_uncertain)$/)
      expect(pushes).toHaveLength(disposition === 'succeeded' ? 1 : 0)
      if (disposition === 'succeeded')
        expect(Buffer.from(pushes[0] ?? []).toString()).toMatch(
          arrives ? /"disposition":"(accepted|pending|unknown)"/ : /"disposition":"unknown"/,
        )
      lab().rail.setFault(null, 'all')
      await chain().mine(1)
      expect(await lab().status(adapter, payment)).toBe(arrives ? 'confirmed' : 'pending')
      expect(await chain().countPayments()).toBe(payments + (arrives ? 1 : 0))
      expect(lab().rail.countBroadcasts()).toBe(broadcasts + (arrives ? 1 : 0))
    })

    test('nobody listens: definitely not started, and a complete memory knows that nothing was sent', async () => {
      const payment = await signOn()
      const sent = completeMemory()
      const broadcasts = lab().rail.countBroadcasts()
      const nowhere = await open(['nobody'], { sent })
      expect(await ask((sink) => nowhere.broadcast(payment.signed.bytes, sink))).toEqual({
        disposition: 'definitely_not_started',
        pushes: [],
      })
      expect(lab().rail.countBroadcasts()).toBe(broadcasts)
      expect(await lab().status(await open(['node'], { sent }), payment)).toBe('dropped')
    })

    test('nobody listens at the first endpoint: the second one gets it, once', async () => {
      const payment = await signOn()
      const [payments, broadcasts] = [await chain().countPayments(), lab().rail.countBroadcasts()]
      const adapter = await open(['nobody', 'node'])
      expect((await lab().broadcast(adapter, payment)).disposition).toMatch(/^(accepted|pending)$/)
      await chain().mine(1)
      expect(await chain().countPayments()).toBe(payments + 1)
      expect(lab().rail.countBroadcasts()).toBe(broadcasts + 1)
    })
  })

  describe('reads over a faulty line', () => {
    test.each(faults)('%s: no snapshot alone, one from the next endpoint', async (fault) => {
      const alone = await open(['faulty'])
      const listed = await open(['faulty', 'node'])
      const intent = lab().intentOf(lab().newPayment())
      lab().rail.setFault(fault, 'read')
      expect(await ask((sink) => alone.snapshot(intent, sink))).toEqual({ disposition: 'failed_uncertain', pushes: [] })
      await lab().prepare(listed)
    })

    test.each(faults)('%s: no observation alone, one from the next endpoint', async (fault) => {
      const payment = await signOn()
      await lab().broadcast(await open(['node']), payment)
      await chain().mine(1)
      const [alone, listed] = [await open(['faulty']), await open(['faulty', 'node'])]
      lab().rail.setFault(fault, 'read')
      const { transactionId } = payment.signed
      expect((await ask((sink) => alone.reconcile(transactionId, sink))).disposition).toBe('failed_uncertain')
      expect(await lab().status(listed, payment)).toBe('confirmed')
    })

    test('a broadcast is not begun when the question before it fails', async () => {
      const payment = await signOn()
      const broadcasts = lab().rail.countBroadcasts()
      const adapter = await open(['faulty'])
      lab().rail.setFault('swallowed', 'read')
      const { disposition } = await ask((sink) => adapter.broadcast(payment.signed.bytes, sink))
      expect([disposition, lab().rail.countBroadcasts()]).toEqual(['definitely_not_started', broadcasts])
    })

    test('a memory that fails before anything is sent: definitely not started', async () => {
      const payment = await signOn()
      const broadcasts = lab().rail.countBroadcasts()
      const broken = {
        ...completeMemory(),
        note: async () => {
          throw new Error('the disk is full')
        },
      }
      const adapter = await open(['node'], { sent: broken })
      expect(await ask((sink) => adapter.broadcast(payment.signed.bytes, sink))).toEqual({
        disposition: 'definitely_not_started',
        pushes: [],
      })
      expect(lab().rail.countBroadcasts()).toBe(broadcasts)
    })

    test('nobody listens: every call is definitely not started', async () => {
      const { plan, built, signed } = await signOn()
      const adapter = await open(['nobody'])
      const calls = [
        (sink) => adapter.snapshot(lab().intentOf(lab().newPayment()), sink),
        (sink) => adapter.simulate(plan.text, built.bytes, sink),
        (sink) => adapter.broadcast(signed.bytes, sink),
        (sink) => adapter.reconcile(signed.transactionId, sink),
      ] satisfies Parameters<typeof ask>[0][]
      for (const call of calls) expect((await ask(call)).disposition).toBe('definitely_not_started')
    })
  })

  describe('another network', () => {
    test('every call fails, and nothing is sent there', async () => {
      const { plan, built, signed } = await signOn()
      const adapter = await open(['other-network'])
      const calls = [
        (sink) => adapter.snapshot(lab().intentOf(lab().newPayment()), sink),
        (sink) => adapter.simulate(plan.text, built.bytes, sink),
        (sink) => adapter.broadcast(signed.bytes, sink),
        (sink) => adapter.reconcile(signed.transactionId, sink),
      ] satisfies Parameters<typeof ask>[0][]
      for (const call of calls) {
        const { disposition, pushes } = await ask(call)
        expect([disposition === 'succeeded', pushes]).toEqual([false, []])
      }
      expect((await ask((sink) => adapter.broadcast(signed.bytes, sink))).disposition).toBe('definitely_not_started')
    })

    test('is passed over when another endpoint serves the right one', async () => {
      const payments = await chain().countPayments()
      const adapter = await open(['other-network', 'node'])
      const payment = await lab().prepare(adapter)
      await lab().broadcast(adapter, payment)
      await chain().mine(1)
      expect(await lab().status(adapter, payment)).toBe('confirmed')
      expect(await chain().countPayments()).toBe(payments + 1)
    })
  })

  describe('a node that is behind', () => {
    test('does not hide what another endpoint shows, in either order', async () => {
      for (const at of [
        ['behind', 'node'],
        ['node', 'behind'],
      ] as const) {
        const payments = await chain().countPayments()
        const adapter = await open(at)
        const payment = await lab().prepare(adapter)
        await lab().broadcast(adapter, payment)
        await chain().mine(1)
        expect(await lab().status(adapter, payment)).toBe('confirmed')
        expect(await chain().countPayments()).toBe(payments + 1)
      }
    })

    test('is no evidence: it makes nothing reorged or dropped', async () => {
      const sent = completeMemory()
      const adapter = await open(['node'], { sent })
      const payment = await lab().prepare(adapter)
      await lab().broadcast(adapter, payment)
      await chain().mine(1)
      expect(await lab().status(adapter, payment)).toBe('confirmed')
      expect(await lab().status(await open(['behind'], { sent }), payment)).toBe('pending')
    })
  })

  describe('a caller who gives up', () => {
    test('before: every call is definitely not started, and nothing is sent', async () => {
      const { plan, built, signed } = await signOn()
      const broadcasts = lab().rail.countBroadcasts()
      const adapter = await open(['node'], { cancellation: AbortSignal.abort() })
      const calls = [
        (sink) => adapter.snapshot(lab().intentOf(lab().newPayment()), sink),
        (sink) => adapter.simulate(plan.text, built.bytes, sink),
        (sink) => adapter.broadcast(signed.bytes, sink),
        (sink) => adapter.reconcile(signed.transactionId, sink),
      ] satisfies Parameters<typeof ask>[0][]
      for (const call of calls) expect(await ask(call)).toEqual({ disposition: 'definitely_not_started', pushes: [] })
      expect(lab().rail.countBroadcasts()).toBe(broadcasts)
    })

    test.each(['swallowed', 'silent-after'] as const)('during a broadcast that is %s: uncertain', async (fault) => {
      const payment = await signOn()
      const payments = await chain().countPayments()
      const controller = new AbortController()
      const adapter = await open(['faulty', 'node'], { cancellation: controller.signal, timeoutMs: 20_000 })
      lab().rail.setFault(fault, 'broadcast')
      const outcome = ask((sink) => adapter.broadcast(payment.signed.bytes, sink))
      setTimeout(() => controller.abort(), 300)
      expect(await outcome).toEqual({ disposition: 'failed_uncertain', pushes: [] })
      await chain().mine(1)
      expect(await chain().countPayments()).toBe(payments + (fault === 'silent-after' ? 1 : 0))
    })

    test('during the question before a broadcast: definitely not started', async () => {
      const payment = await signOn()
      const controller = new AbortController()
      const adapter = await open(['faulty'], { cancellation: controller.signal, timeoutMs: 20_000 })
      lab().rail.setFault('swallowed', 'read')
      const outcome = ask((sink) => adapter.broadcast(payment.signed.bytes, sink))
      setTimeout(() => controller.abort(), 100)
      expect(await outcome).toEqual({ disposition: 'definitely_not_started', pushes: [] })
    })
  })
}
