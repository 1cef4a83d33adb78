import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runChild } from '../child-process.ts'
import { type HostCall, PAYMENT_CALLS } from '../interrupted-host.ts'
import { createLab } from '../rails/lab.ts'
import type { RailUnderTest } from '../rails/rail-under-test.ts'
import { type ChainChildTask, runChainTask } from './payment-child.ts'

/** A rail under test whose faulty line other processes can reach. */
type Reachable = RailUnderTest & { readonly faultyUrl: string }

/** A process that is killed inside a payment on a real chain, with journal and memory on disk, and one that goes on. */
export function describeKills(chain: ChainChildTask['chain'], make: () => Promise<Reachable>): void {
  describe(`${chain}: kill -9 inside a payment, with journal and memory on disk`, () => {
    const child = join(import.meta.dirname, 'payment-child.ts')
    let rail: Reachable
    let folder: string
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'oikos-kill-'))
      rail = await make()
    })
    afterEach(() => createLab(rail).clean())
    afterAll(async () => {
      await rail.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const taskFor = (idempotencyKey: string, dies?: ChainChildTask['dies']): ChainChildTask => ({
      ...{ chain, url: rail.faultyUrl, folder, idempotencyKey, createdAtMs: String(Date.now()) },
      ...(dies === undefined ? {} : { dies }),
    })
    const statusOf = async (task: ChainChildTask, action: 'execute' | 'observe'): Promise<string> => {
      const outcome = await runChainTask(task, action)
      return outcome.kind === 'run' ? outcome.result.status : outcome.kind
    }
    const counts = async () => ({ payments: await rail.chain.countPayments(), broadcasts: rail.countBroadcasts() })

    // The conformance suite stops at every call; a process takes longer to start, so it dies where something is at stake.
    const points = [
      ['after', 'cas1'],
      ['after', 'snapshot'],
      ['after', 'sign'],
      ['before', 'broadcast'],
      ['after', 'broadcast'],
      ['after', 'reconcile'],
    ] as const
    test.each(points)('%s %s: at most one broadcast, and the truth about it', async (moment, call) => {
      const before = await counts()
      const task = taskFor(`kill.${moment}.${call}`, { moment, call })
      expect(await runChild(child, task).ended).toBe('SIGKILL')
      const { dies: _, ...restarted } = task
      const first = await statusOf(restarted, 'execute')
      await rail.chain.mine(1)
      const settled = first === 'pending' ? await statusOf(restarted, 'observe') : first
      expect(await statusOf(restarted, 'execute')).toBe(settled)
      const after = await counts()
      const arrived = [after.payments - before.payments, after.broadcasts - before.broadcasts]
      expect([settled, ...arrived]).toEqual(expectedAfter(moment, call))
    })

    test('while the node has the bytes and its answer never comes: found again, and paid once', async () => {
      const before = await counts()
      const task = taskFor('kill.midway')
      rail.setFault('silent-after', 'broadcast')
      const running = runChild(child, task)
      while (rail.countBroadcasts() === before.broadcasts) await new Promise((resolve) => setTimeout(resolve, 10))
      running.process.kill('SIGKILL')
      expect(await running.ended).toBe('SIGKILL')
      rail.setFault(null, 'all')
      expect(await statusOf(task, 'execute')).toBe('pending')
      await rail.chain.mine(1)
      expect(await statusOf(task, 'observe')).toBe('confirmed')
      expect(await counts()).toEqual({ payments: before.payments + 1, broadcasts: before.broadcasts + 1 })
    })
  })
}

/** Status, payments and broadcasts once a payment that died there has been gone on with. Source: notes, section 11. */
function expectedAfter(moment: 'before' | 'after', call: HostCall): readonly [string, number, number] {
  const at = PAYMENT_CALLS.indexOf(call)
  const happened = PAYMENT_CALLS.slice(0, at + (moment === 'after' ? 1 : 0))
  const version = happened.filter((name) => name.startsWith('cas')).length
  if (version <= 1 || happened.includes('broadcast')) return ['confirmed', 1, 1]
  return version <= 5 ? ['journal_failed', 0, 0] : ['dropped', 0, 0]
}
