import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPostgres, type PostgresCluster, startPostgres } from '../../../test/postgres-cluster.ts'
import type { ActionPlan, SignedAttempt } from '../action.ts'
import { LeaseLostError } from '../errors.ts'
import type { MinedPlace } from './actions.ts'
import type { Fence } from './leases.ts'
import type { OperatorStore } from './operator-store.ts'
import { openPostgresOperatorStore } from './postgres.ts'
import { openSqliteOperatorStore } from './sqlite.ts'

type Opened = { readonly open: () => Promise<OperatorStore>; readonly close: () => Promise<void> }

const engines: readonly (readonly [string, boolean, () => Promise<Opened>])[] = [
  [
    'SQLite',
    true,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'oikos-operator-store-'))
      return {
        open: () => openSqliteOperatorStore(join(folder, 'operator.sqlite')),
        close: async () => rmSync(folder, { recursive: true, force: true }),
      }
    },
  ],
  [
    'PostgreSQL',
    hasPostgres,
    async () => {
      const cluster: PostgresCluster = await startPostgres()
      return { open: () => openPostgresOperatorStore(cluster.url, { timeoutMs: 2_000 }), close: () => cluster.stop() }
    },
  ],
]

let count = 0
const plan: ActionPlan = {
  ...{ kind: 'deliver', subject: 'a tender', title: 'Deliver.', once: 'deliver once', spendAtomic: 5n },
  ...{ to: `0x${'11'.repeat(20)}`, data: '0x1234' },
}
const attempt = (hash: string, signedAtMs: bigint, number = 1): SignedAttempt => ({
  ...{ hash: `0x${hash.repeat(32)}`, attempt: number, raw: '0x02', gasLimit: 100n, maxFeePerGasWei: 10n },
  ...{ maxPriorityFeePerGasWei: 1n, signedAtMs, sentAtMs: undefined },
})
const budget = { gasWei: 10_000n, spendAtomic: 8n }

describe.each(engines)('an operator database in %s', (_name, isHere, make) => {
  let opened: Opened
  let store: OperatorStore
  let rival: OperatorStore
  beforeAll(async () => {
    if (!isHere) return
    opened = await make()
    store = await opened.open()
    rival = await opened.open()
  })
  afterAll(async () => {
    if (!isHere) return
    await store.close()
    await rival.close()
    await opened.close()
  })
  const freshIdentity = () => {
    count += 1
    return { agent: `1/0xagent${count}`, account: `1/0xaccount${count}` }
  }
  const acquire = async (identity = freshIdentity(), holder = 'first', ttlMs = 60_000n): Promise<Fence> => {
    const fence = await store.leases.acquire(identity, { holder, ttlMs })
    if (fence === undefined) throw new Error('the lease is taken')
    return fence
  }

  test.skipIf(!isHere)(
    'gives a lease to one holder, and to the next when it has run out or was given back',
    async () => {
      const identity = freshIdentity()
      const fence = await acquire(identity, 'first', 300n)
      expect(await rival.leases.acquire(identity, { holder: 'second', ttlMs: 300n })).toBeUndefined()
      await new Promise((resolve) => setTimeout(resolve, 400))
      const second = await rival.leases.acquire(identity, { holder: 'second', ttlMs: 60_000n })
      expect(second?.agentToken).toBeGreaterThan(fence.agentToken)
      await expect(store.leases.renew(fence, 1_000n)).rejects.toThrow(LeaseLostError)
      await store.leases.release(fence)
      expect(await store.leases.acquire(identity, { holder: 'first', ttlMs: 300n })).toBeUndefined()
      if (second !== undefined) await rival.leases.release(second)
      expect(await store.leases.acquire(identity, { holder: 'first', ttlMs: 300n })).toBeDefined()
    },
  )

  test.skipIf(!isHere)('MUST NOT take one of two leases: an account that is busy leaves the Agent free', async () => {
    const [one, other] = [freshIdentity(), freshIdentity()]
    await acquire(one)
    const mixed = { agent: other.agent, account: one.account }
    expect(await rival.leases.acquire(mixed, { holder: 'second', ttlMs: 60_000n })).toBeUndefined()
    expect(await rival.leases.acquire(other, { holder: 'third', ttlMs: 60_000n })).toBeDefined()
  })

  test.skipIf(!isHere)(
    'MUST refuse every write of a holder whose lease was taken over, and keep nothing of it',
    async () => {
      const identity = freshIdentity()
      const fence = await acquire(identity, 'first', 1n)
      const action = await store.actions.plan(fence, plan, 1n)
      if (action === undefined) throw new Error('it was not planned')
      await new Promise((resolve) => setTimeout(resolve, 20))
      await rival.leases.acquire(identity, { holder: 'second', ttlMs: 60_000n })
      const writes = [
        () => store.actions.plan(fence, { ...plan, once: 'another' }, 2n),
        () => store.actions.sign(fence, action, attempt('aa', 2n), { nonce: 0n, budget }),
        () => store.actions.resign(fence, action, attempt('ab', 2n), budget),
        () => store.actions.noteSent(fence, action, `0x${'aa'.repeat(32)}`, 2n),
        () => store.actions.noteEnd(fence, action, { state: 'final', outcome: { code: 'x', text: 'x' } }, 2n),
        () => store.notes.putWork(fence, 'work', {}, 2n),
        () => store.notes.putSubject(fence, 'tender', { id: 'tender', detail: {} }),
      ]
      for (const write of writes) await expect(write()).rejects.toThrow(LeaseLostError)
      expect(await rival.actions.listRecent(identity.agent, 10)).toMatchObject([{ state: 'planned', nonce: undefined }])
      expect(await rival.actions.listAttempts(action.id)).toEqual([])
      expect(await rival.notes.findWork(identity.agent, 'work')).toBeUndefined()
    },
  )

  test.skipIf(!isHere)('plans what must happen once only once, until it has failed', async () => {
    const fence = await acquire()
    const first = await store.actions.plan(fence, plan, 1n)
    if (first === undefined) throw new Error('it was not planned')
    expect(await store.actions.plan(fence, plan, 2n)).toBeUndefined()
    const end = { state: 'abandoned', outcome: { code: 'x', text: 'x' } } as const
    await store.actions.noteEnd(fence, first, end, 3n)
    expect(await store.actions.plan(fence, plan, 4n)).toMatchObject({ number: 2n, state: 'planned' })
  })

  test.skipIf(!isHere)(
    'MUST keep signed bytes under the next nonce only, within budgets, and not while halted',
    async () => {
      const fence = await acquire()
      const planned = async (once: string) => {
        const action = await store.actions.plan(fence, { ...plan, once }, 1n)
        if (action === undefined) throw new Error('it was not planned')
        return action
      }
      const [one, two, three] = [await planned('1'), await planned('2'), await planned('3')]
      await rival.notes.halt(fence.agent, 'an exercise', 1n)
      expect(await store.actions.sign(fence, one, attempt('b1', 10n), { nonce: 7n, budget })).toBe('halted')
      await rival.notes.lift(fence.agent)
      expect(await store.actions.sign(fence, one, attempt('b2', 10n), { nonce: 7n, budget })).toBeUndefined()
      expect(await store.actions.sign(fence, one, attempt('b3', 10n), { nonce: 8n, budget })).toBe('not-planned')
      expect(await store.actions.sign(fence, two, attempt('b4', 11n), { nonce: 7n, budget })).toBe('budget.spend')
      const roomy = { ...budget, spendAtomic: 100n }
      expect(await store.actions.sign(fence, two, attempt('b5', 11n), { nonce: 7n, budget: roomy })).toBe('nonce-taken')
      const tight = { gasWei: 1_999n, spendAtomic: 100n }
      expect(await store.actions.sign(fence, two, attempt('b6', 11n), { nonce: 8n, budget: tight })).toBe('budget.gas')
      expect(await store.actions.sign(fence, two, attempt('b7', 11n), { nonce: 8n, budget: roomy })).toBeUndefined()
      // a day later nothing of it counts any more
      const later = 86_400_000n + 12n
      expect(
        await store.actions.sign(fence, three, attempt('b8', later), {
          nonce: 9n,
          budget: { gasWei: 1_000n, spendAtomic: 5n },
        }),
      ).toBeUndefined()
      expect(await store.actions.getNextNonce(fence.account)).toBe(10n)
      const open = await store.actions.listOpen(fence.agent)
      expect(open.map(({ state, nonce }) => [state, nonce])).toEqual([
        ['signed', 7n],
        ['signed', 8n],
        ['signed', 9n],
      ])
    },
  )

  test.skipIf(!isHere)('has what an action became, and what was decided, for a process that comes later', async () => {
    const fence = await acquire()
    const action = await store.actions.plan(fence, { ...plan, decisionId: 'question' }, 1n)
    if (action === undefined) throw new Error('it was not planned')
    await store.actions.sign(fence, action, attempt('c1', 10n), { nonce: 0n, budget })
    const place: MinedPlace = {
      ...{ hash: `0x${'c1'.repeat(32)}`, blockNumber: 5n, blockHash: `0x${'d1'.repeat(32)}`, succeeded: false },
      ...{ gasCostWei: 2n ** 70n, outcome: { code: 'AgentPaused', text: 'The Agent is paused.' } },
    }
    await store.actions.noteMined(fence, action, place, 11n)
    expect(await rival.actions.listRecent(fence.agent, 1)).toMatchObject([
      { ...place, state: 'mined', decisionId: 'question' },
    ])
    expect(await rival.actions.getSpent(fence.agent, 0n)).toEqual({ gasWei: 2n ** 70n, spendAtomic: 0n })
    expect(await rival.actions.countFailures(fence.agent, 'deliver', 'a tender', 0n)).toBe(1n)
    const decision = {
      ...{ id: 'question', kind: 'tender', subject: 's', optionId: 'wait', code: 'declined', reason: 'r' },
      ...{ decidedBy: 'rules', detail: { facts: { a: '1' } }, atMs: 4n },
    }
    await store.notes.putDecision(fence, decision)
    expect(await rival.notes.findDecision(fence.agent, 'question')).toEqual(decision)
    expect(await rival.notes.listDecisions(fence.agent, { limit: 5, declined: true })).toEqual([decision])
  })
})
