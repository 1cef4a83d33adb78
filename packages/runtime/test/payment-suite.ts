import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { admitSourceRun, parseJournal, parsePolicy, readSourceRun, utf8, verifyEvidence } from '@oikos/core/economic'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EconomicOutcome } from '../src/economic/index.ts'
import { runChild } from './child-process.ts'
import { type HostCall, PAYMENT_CALLS } from './interrupted-host.ts'
import { type JournalStore, type OpenJournal, openStore } from './journal-store.ts'
import { agentOf, type PaymentChildTask, policy, proposalOf, readEffects } from './payment-child.ts'

const nowMs = 1_700_000_000_000n
const child = join(import.meta.dirname, 'payment-child.ts')

/** Versions that are stored once a call has happened, and before. */
function versionAt(moment: 'before' | 'after', call: HostCall): number {
  const happened = PAYMENT_CALLS.slice(0, PAYMENT_CALLS.indexOf(call) + (moment === 'after' ? 1 : 0))
  return happened.filter((name) => name.startsWith('cas')).length
}

/** A process that dies inside a payment, whatever it is doing, on a journal that survives it. */
export function describeInterruptedPayments(name: string, makeStore: () => Promise<JournalStore>): void {
  describe(`${name}: kill -9 inside a payment`, () => {
    let store: JournalStore
    let journal: OpenJournal
    let folder: string
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'oikos-payment-'))
      store = await makeStore()
    })
    beforeEach(async () => {
      journal = await openStore(store, { clockMs: () => nowMs })
    })
    afterEach(() => journal.close())
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    const taskFor = (idempotencyKey: string, dies?: PaymentChildTask['dies']): PaymentChildTask => {
      const effectsPath = join(folder, `${idempotencyKey}.effects`)
      writeFileSync(effectsPath, '')
      return { idempotencyKey, nowMs: String(nowMs), effectsPath, ...(dies === undefined ? {} : { dies }) }
    }
    const survive = async (task: PaymentChildTask): Promise<{ outcome: EconomicOutcome; calls: HostCall[] }> => {
      const { dies: _, ...restarted } = task
      const { agent, calls } = agentOf(restarted, journal)
      return { outcome: await agent.execute(proposalOf(task)), calls }
    }
    const statusOf = (outcome: EconomicOutcome) => (outcome.kind === 'run' ? outcome.result.status : outcome.kind)

    test('a payment that nobody interrupts is confirmed with nine versions', async () => {
      const task = taskFor('calm')
      expect(await runChild(child, store, task).ended).toBe(0)
      expect(await journal.listVersions('calm')).toHaveLength(9)
      expect(readEffects(task)).toMatchObject({ signatures: 1, broadcasts: [expect.stringMatching(/^0x/)] })
      const { outcome, calls } = await survive(task)
      expect([statusOf(outcome), calls]).toEqual(['confirmed', ['load']])
    })

    const points = PAYMENT_CALLS.flatMap((call) => [['before', call] as const, ['after', call] as const])
    test.each(points)(
      '%s %s: at most one signature and one broadcast, and the old version or the next',
      async (moment, call) => {
        const task = taskFor(`${moment}.${call}`, { moment, call })
        const key = task.idempotencyKey
        expect(await runChild(child, store, task).ended).toBe('SIGKILL')

        const version = versionAt(moment, call)
        expect(await journal.listVersions(key)).toHaveLength(version)
        const held = version === 0 ? undefined : { admittedAtMs: nowMs, amountAtomic: 10n }
        expect(await journal.getReservation(key)).toEqual(held)
        const before = readEffects(task)

        const { outcome, calls } = await survive(task)
        const after = readEffects(task)
        expect(after.signatures).toBeLessThanOrEqual(1)
        expect(after.broadcasts.length).toBeLessThanOrEqual(1)
        if (version >= 2) expect(after).toEqual(before)
        expect(statusOf(outcome)).toBe(expectedStatus(version, after.broadcasts.length))
        if (version >= 2) expect(calls.filter((name) => name === 'sign' || name === 'broadcast')).toEqual([])
        await expectRecord(outcome, task)
      },
    )

    test('at every version, a further reconcile never signs and never broadcasts', async () => {
      for (const call of ['cas1', 'cas4', 'cas5', 'cas6', 'cas8'] as const) {
        const task = taskFor(`reconciled.${call}`, { moment: 'after', call })
        expect(await runChild(child, store, task).ended).toBe('SIGKILL')
        const { dies: _, ...restarted } = task
        const { agent, calls } = agentOf(restarted, journal)
        await agent.reconcile(task.idempotencyKey, proposalOf(task))
        expect(calls.filter((name) => name !== 'load' && name !== 'reconcile' && !name.startsWith('cas'))).toEqual([])
      }
    })

    /** Below the sign marker's version nothing left the process; from the receipt on, the chain knows or does not. */
    const expectedStatus = (version: number, broadcasts: number): string => {
      if (version <= 1) return 'confirmed'
      if (version <= 5) return 'journal_failed'
      return broadcasts === 1 ? 'confirmed' : 'dropped'
    }

    /** The Evidence replays, and every stored version is the canonical journal of this payment with its digest. */
    const expectRecord = async (outcome: EconomicOutcome, task: PaymentChildTask): Promise<void> => {
      if (outcome.kind !== 'run') throw new Error(`got ${outcome.kind}, expected a run`)
      expect(verifyEvidence(outcome.evidence.bytes)).toMatchObject({ ok: true, findings: [] })
      const versions = await journal.listVersions(task.idempotencyKey)
      const { evidence } = outcome
      const last = versions.at(-1)?.document ?? ''
      expect(BigInt(Buffer.byteLength(last))).toBe(evidence.document.journal.bytes)
      for (const { version, document } of versions) {
        const read = parseJournal(Buffer.from(document, 'utf8'), admissionOf(task))
        expect([read.document.version, read.text]).toEqual([version, document])
      }
    }
  })
}

function admissionOf(task: PaymentChildTask) {
  return admitSourceRun(parsePolicy(utf8(policy)), readSourceRun(proposalOf(task)))
}
