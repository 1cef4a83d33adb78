import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, type PostgresCluster, startPostgres } from '../../../../packages/runtime/test/postgres-cluster.ts'
import { AMOUNT, PAY, RULE, usePayBench } from './pay-bench.ts'

const at = usePayBench()

describe.skipIf(!hasPostgres)(
  'pay from two machines with one journal (skipped where no PostgreSQL is installed)',
  () => {
    let cluster: PostgresCluster
    beforeAll(async () => {
      cluster = await startPostgres()
    })
    afterAll(() => cluster?.stop())

    /** Another machine: the same wallet, journal and documents, and a home of its own. */
    async function moveToAnotherMachine() {
      const home = join(at.bench.folder, 'another-home')
      await cp(join(at.bench.folder, 'home', 'custody'), join(home, 'custody'), { recursive: true })
      const env = { OIKOS_HOME: home, OIKOS_JOURNAL: cluster.url }
      return {
        pay: () => at.bench.run([...PAY, ...RULE, '--timeout', '0s'], { env }),
        reconcile: () =>
          at.bench.run(['pay', 'reconcile', at.key, '--confirmations', '1', '--timeout', '0s', '--json'], { env }),
      }
    }

    /** The first machine dies when the node gets its transaction, which is passed on or not. */
    async function dieAtBroadcast(isPassedOn: boolean): Promise<void> {
      const paying = at.start({ OIKOS_JOURNAL: cluster.url })
      at.gate.onRequest = (method) => {
        if (method !== 'eth_sendRawTransaction') return true
        paying.kill('SIGKILL')
        return isPassedOn
      }
      expect(await paying.ended, paying.err()).toBe('SIGKILL')
      at.gate.onRequest = () => true
    }

    it('MUST find a payment that another machine has sent, and pay it once', async () => {
      const [before, sent] = [await at.balance(), at.gate.sent()]
      await dieAtBroadcast(true)
      await expect.poll(at.balance).toBe(before + AMOUNT)
      const another = await moveToAnotherMachine()
      const { json, err } = await another.pay()
      expect(json, err).toMatchObject({ ok: true, outcome: 'paid', state: 'confirmed' })
      expect([(await at.balance()) - before, at.gate.sent() - sent]).toEqual([AMOUNT, 1])
    })

    it('MUST not take a payment for dropped because this machine never heard of it: it may still be on its way', async () => {
      await dieAtBroadcast(false)
      const another = await moveToAnotherMachine()
      const { json, code, err } = await another.pay()
      expect(json, err).toMatchObject({ ok: false, outcome: 'uncertain', state: 'pending' })
      expect(code).toBe(5)
      expect((await another.reconcile()).json).toMatchObject({ outcome: 'uncertain', state: 'pending' })
    })
  },
)
