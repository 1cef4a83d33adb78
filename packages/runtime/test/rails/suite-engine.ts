import { verifyEvidence } from '@oikos/core/economic'
import { describe, expect, test } from 'vitest'
import type { EconomicAgentHost, PaymentJournal, RailAdapter } from '../../src/economic/host.ts'
import { createEconomicAgent, type EconomicAgent, type EconomicOutcome } from '../../src/economic/index.ts'
import { createMemoryJournal } from '../../src/journal/memory.ts'
import { createRehearsalChain, createRehearsalHost } from '../../src/rehearsal/index.ts'
import { type HostCall, type HostListener, listenToHost, PAYMENT_CALLS } from '../interrupted-host.ts'
import { completeMemory, type Lab } from './lab.ts'
import type { RailUnderTest } from './rail-under-test.ts'
import { TRANSPORT_FAULTS, type TransportFault } from './transport-fault.ts'

/** A host that pays over one rail: everything is approved, and signed with the wallet's real key. */
export function hostOver(rail: RailUnderTest, adapter: RailAdapter, journal: PaymentJournal): EconomicAgentHost {
  const { clockMs } = rail
  const host = createRehearsalHost({ journal, chain: createRehearsalChain({ clockMs }), elapsedMs: clockMs })
  return { ...host, rails: { ...host.rails, [rail.rail]: adapter }, custody: rail.custody }
}

/** The whole engine over a rail. */
export function describeEngine(lab: () => Lab): void {
  const rail = () => lab().rail
  const chain = () => lab().rail.chain
  const statusOf = (outcome: EconomicOutcome): string => {
    if (outcome.kind !== 'run') throw new Error(`got ${JSON.stringify(outcome)}, expected a run`)
    expect(verifyEvidence(outcome.evidence.bytes)).toMatchObject({ ok: true, findings: [] })
    return outcome.result.status
  }
  const attempt = () => {
    const payment = lab().newPayment()
    const journal = createMemoryJournal({ clockMs: rail().clockMs })
    const sent = completeMemory()
    const source = rail().source(payment)
    const agentOn = async (listener?: HostListener): Promise<EconomicAgent> => {
      const adapter = await lab().open({ at: ['faulty'], sent, timeoutMs: 700 })
      const host = hostOver(rail(), adapter, journal)
      return createEconomicAgent(rail().policy, listener === undefined ? host : listenToHost(host, listener), {
        aborted: false,
      })
    }
    return { source, agentOn, key: payment.idempotencyKey }
  }
  const counts = async () => ({ payments: await chain().countPayments(), broadcasts: rail().countBroadcasts() })

  describe('the engine over the rail', () => {
    test('pays once: pending, then confirmed, and again confirmed without a call', async () => {
      const before = await counts()
      const { source, agentOn, key } = attempt()
      const agent = await agentOn()
      expect(statusOf(await agent.execute(source))).toBe('pending')
      await chain().mine(1)
      expect(statusOf(await agent.reconcile(key, source))).toBe('confirmed')
      expect(statusOf(await agent.execute(source))).toBe('confirmed')
      expect(await counts()).toEqual({ payments: before.payments + 1, broadcasts: before.broadcasts + 1 })
    })

    const points = PAYMENT_CALLS.flatMap((call) => [['before', call] as const, ['after', call] as const])
    test.each(points)(
      'ended %s %s and restarted: at most one broadcast, and the truth about it',
      async (moment, call) => {
        const before = await counts()
        const { source, agentOn, key } = attempt()
        await runUntilDeath(agentOn, source, moment, call)

        const restarted = await agentOn()
        const first = statusOf(await restarted.execute(source))
        await chain().mine(1)
        const settled = first === 'pending' ? statusOf(await restarted.reconcile(key, source)) : first
        const after = await counts()
        const [payments, broadcasts] = [after.payments - before.payments, after.broadcasts - before.broadcasts]
        const version = versionAt(moment, call)
        const wasSent = moment === 'after' ? atLeast(call, 'broadcast') : atLeast(call, 'cas7')
        if (version <= 1) expect([settled, payments, broadcasts]).toEqual(['confirmed', 1, 1])
        else if (version <= 5) expect([settled, payments, broadcasts]).toEqual(['journal_failed', 0, 0])
        else if (wasSent) expect([settled, payments, broadcasts]).toEqual(['confirmed', 1, 1])
        else expect([settled, payments, broadcasts]).toEqual(['dropped', 0, 0])
        expect(statusOf(await restarted.execute(source))).toBe(settled)
        expect(await counts()).toEqual(after)
      },
    )

    const faults = Object.entries(TRANSPORT_FAULTS) as [TransportFault, boolean][]
    test.each(faults)('a broadcast that is %s is never repeated, and ends as what it was', async (fault, arrives) => {
      const before = await counts()
      const { source, agentOn, key } = attempt()
      const agent = await agentOn()
      rail().setFault(fault, 'broadcast')
      expect(statusOf(await agent.execute(source))).toMatch(/^(broadcast_unknown|pending)$/)
      rail().setFault(null, 'all')
      await chain().mine(1)
      expect(statusOf(await agent.reconcile(key, source))).toBe(arrives ? 'confirmed' : 'pending')
      expect(statusOf(await agent.execute(source))).toBe(arrives ? 'confirmed' : 'pending')
      const added = arrives ? 1 : 0
      expect(await counts()).toEqual({ payments: before.payments + added, broadcasts: before.broadcasts + added })
    })

    test('a payment that became impossible is dropped', async () => {
      const before = await chain().countPayments()
      const { source, agentOn, key } = attempt()
      const agent = await agentOn()
      const outcome = await agent.execute(source)
      expect(statusOf(outcome)).toBe('pending')
      await chain().displace((outcome.kind === 'run' ? outcome.result.transaction_id : null) ?? '')
      expect(statusOf(await agent.reconcile(key, source))).toBe('dropped')
      expect(await chain().countPayments()).toBe(before)
    })
  })
}

const atLeast = (call: HostCall, reference: HostCall): boolean =>
  PAYMENT_CALLS.indexOf(call) >= PAYMENT_CALLS.indexOf(reference)

/** Versions that are stored once a call has happened, and before. */
function versionAt(moment: 'before' | 'after', call: HostCall): number {
  const happened = PAYMENT_CALLS.slice(0, PAYMENT_CALLS.indexOf(call) + (moment === 'after' ? 1 : 0))
  return happened.filter((name) => name.startsWith('cas')).length
}

/** Runs a payment up to a moment and leaves it there for good, as a process that ends does. */
async function runUntilDeath(
  agentOn: (listener: HostListener) => Promise<EconomicAgent>,
  source: Parameters<EconomicAgent['execute']>[0],
  moment: 'before' | 'after',
  call: HostCall,
): Promise<void> {
  let die = (): void => {}
  const death = new Promise<void>((resolve) => {
    die = resolve
  })
  const stopAt = (now: 'before' | 'after') => (name: HostCall) => {
    if (now !== moment || name !== call) return
    die()
    return new Promise<void>(() => {})
  }
  const agent = await agentOn({ before: stopAt('before'), after: stopAt('after') })
  const outcome = agent.execute(source).then((ended) => {
    throw new Error(`the run ended before ${moment} ${call}: ${JSON.stringify(ended)}`)
  })
  await Promise.race([death, outcome])
}
