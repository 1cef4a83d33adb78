import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../test/journal-store.ts'
import { describeJournal } from '../../test/journal-suite.ts'
import { describeInterruptedPayments } from '../../test/payment-suite.ts'
import { hasPostgres, type PostgresCluster, startPostgres } from '../../test/postgres-cluster.ts'
import type { JournalFailure } from './errors.ts'
import { openPostgresJournal } from './postgres.ts'

/** A busy machine takes its time. */
const WAIT = { timeout: 30_000 }

describe.skipIf(!hasPostgres)('on a PostgreSQL server (skipped where none is installed)', () => {
  let cluster: PostgresCluster
  let databases = 0
  beforeAll(async () => {
    cluster = await startPostgres()
  })
  afterAll(() => cluster?.stop())

  const freshDatabase = async (): Promise<string> => {
    const name = `journal_${databases++}`
    const { default: pg } = await import('pg')
    const client = new pg.Client(cluster.url)
    await client.connect()
    await client.query(`CREATE DATABASE ${name}`)
    await client.end()
    return cluster.url.replace('/postgres?', `/${name}?`)
  }

  describeJournal('PostgreSQL journal', {
    makeStore: async () => ({ kind: 'postgres', url: await freshDatabase() }),
    open: async (store, clockMs) => {
      if (store === undefined) throw new Error('store: got none')
      return openStore(store, { clockMs })
    },
    durable: true,
  })

  describe.each(['serializable', 'repeatable read'])('where transactions are %s', (level) => {
    const isolatedDatabase = async (): Promise<string> => {
      const url = await freshDatabase()
      const { default: pg } = await import('pg')
      const client = new pg.Client(url)
      await client.connect()
      await client.query(`ALTER DATABASE journal_${databases - 1} SET default_transaction_isolation TO '${level}'`)
      await client.end()
      return url
    }

    describeJournal('PostgreSQL journal', {
      makeStore: async () => ({ kind: 'postgres', url: await isolatedDatabase() }),
      open: async (store, clockMs) => {
        if (store === undefined) throw new Error('store: got none')
        return openStore(store, { clockMs })
      },
      durable: true,
      // What a killed process leaves behind does not depend on the isolation.
      isKilled: false,
    })

    test('they are', async () => {
      const { default: pg } = await import('pg')
      const client = new pg.Client(await isolatedDatabase())
      await client.connect()
      const { rows } = await client.query('SHOW transaction_isolation')
      expect(rows).toEqual([{ transaction_isolation: level }])
      await client.end()
    })
  })

  describeInterruptedPayments('PostgreSQL journal', async () => ({ kind: 'postgres', url: await freshDatabase() }))

  /** In a transaction of its own: within one, PostgreSQL shows the same activity again and again. */
  const ask = async (statement: string) => {
    const { default: pg } = await import('pg')
    const client = new pg.Client(cluster.url)
    await client.connect()
    try {
      return await client.query(statement)
    } finally {
      await client.end()
    }
  }

  const reserveAt = (requestedAtMs: bigint) =>
    ({
      kind: 'reserve',
      reservation: {
        walletId: 'wallet',
        ...{ rail: 'evm', network: 'sepolia', asset: 'native:eth' },
        ...{ requestedAtMs, amountAtomic: 1n, maxRolling24hAtomic: 1_000_000n },
      },
    }) as const

  test('the clock of the server is the default', async () => {
    const journal = await openPostgresJournal(await freshDatabase())
    const before = BigInt(Date.now()) - 1000n
    expect(await journal.compareAndSwap('a', 0n, 'a 1\n', reserveAt(before))).toBe('succeeded')
    const admittedAtMs = (await journal.getReservation('a'))?.admittedAtMs ?? 0n
    expect(admittedAtMs).toBeGreaterThan(before)
    expect(admittedAtMs).toBeLessThan(before + 60_000n)
    await journal.close()
  })

  test('a server that does not sync its commits is refused', async () => {
    const url = await freshDatabase()
    const { default: pg } = await import('pg')
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name')
    await client.query(`ALTER DATABASE ${rows[0]?.name} SET synchronous_commit = off`)
    await client.end()
    await expect(openPostgresJournal(url)).rejects.toThrow('synchronous_commit=off')
  })

  test('a server that cannot be reached is a retryable JournalOpenError that keeps the password to itself', async () => {
    const failure = await openPostgresJournal('postgres://user:secret@127.0.0.1:1/none').catch((cause) => cause)
    expect(failure).toMatchObject({ name: 'JournalOpenError', retryable: true, store: 'postgres://127.0.0.1:1/none' })
    expect(String(failure)).not.toContain('secret')
  })

  test('a read-only journal creates nothing, reads, and a write is definitely not started and reported', async () => {
    const url = await freshDatabase()
    const absent = await openPostgresJournal(url, { readOnly: true }).catch((cause) => cause)
    expect(absent).toMatchObject({ name: 'JournalOpenError', retryable: false })
    expect(String(absent)).toContain('it holds no journal')
    const writer = await openPostgresJournal(url)
    expect(await writer.compareAndSwap('a', 0n, 'a 1\n', reserveAt(BigInt(Date.now())))).toBe('succeeded')
    const failures: JournalFailure[] = []
    const reader = await openPostgresJournal(url, { readOnly: true, onFailure: (failure) => failures.push(failure) })
    expect(await reader.listVersions('a')).toEqual([{ version: 1n, document: 'a 1\n' }])
    expect(await reader.compareAndSwap('a', 1n, 'a 2\n', { kind: 'retain' })).toBe('definitely_not_started')
    expect(await reader.compareAndSwap('a', 1n, 'a 2\n', { kind: 'release' })).toBe('definitely_not_started')
    expect(failures.map(({ cause }) => String(cause))).toEqual([
      expect.stringContaining('read-only transaction'),
      expect.stringContaining('read-only transaction'),
    ])
    await reader.close()
    await writer.close()
  })

  test('a network that resets connections under way ends no process: uncertain, or not started before the commit', async () => {
    const url = await freshDatabase()
    const { proxy, through } = await resettableProxy(url)
    const failures: JournalFailure[] = []
    const journal = await openPostgresJournal(through, { onFailure: (failure) => failures.push(failure) })
    const now = BigInt(Date.now())
    expect(await journal.compareAndSwap('a', 0n, 'a 1\n', reserveAt(now))).toBe('succeeded')
    const { default: pg } = await import('pg')
    const other = new pg.Client(url)
    await other.connect()
    await other.query('BEGIN; LOCK TABLE economic_journal, economic_window IN ACCESS EXCLUSIVE MODE')
    const steps = [
      journal.compareAndSwap('a', 1n, 'a 2\n', { kind: 'retain' }),
      journal.compareAndSwap('b', 0n, 'b 1\n', reserveAt(now)),
    ]
    await expect
      .poll(async () => {
        const waiting = await ask("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return waiting.rowCount
      }, WAIT)
      .toBe(2)
    proxy.reset()
    expect(await Promise.all(steps)).toEqual(['failed_uncertain', 'definitely_not_started'])
    expect(failures.filter(({ operation }) => operation === 'connection')).not.toEqual([])
    await other.query('ROLLBACK')
    await other.end()
    expect(await journal.compareAndSwap('b', 0n, 'b 1\n', reserveAt(now))).toBe('succeeded')
    await journal.close()
    await proxy.close()
  })

  /** A way to the server whose connections a test can reset. */
  const resettableProxy = async (url: string) => {
    const folder = decodeURIComponent(/host=([^&]+)/.exec(url)?.[1] ?? '')
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      const upstream = connect(join(folder, '.s.PGSQL.5432'))
      for (const [from, to] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        from.on('error', () => to.destroy())
        from.pipe(to)
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const proxy = {
      reset: () => {
        for (const socket of sockets) socket.resetAndDestroy()
      },
      close: () => new Promise((resolve) => server.close(resolve)),
    }
    return { proxy, through: `postgresql://postgres@127.0.0.1:${port}${/\/journal_\d+/.exec(url)?.[0]}` }
  }

  test('a connection that is cut under way is reported and the next step uses another', async () => {
    const url = await freshDatabase()
    const failures: JournalFailure[] = []
    const journal = await openPostgresJournal(url, {
      maxConnections: 1,
      onFailure: (failure) => failures.push(failure),
    })
    expect(await journal.compareAndSwap('a', 0n, 'a 1\n', reserveAt(BigInt(Date.now())))).toBe('succeeded')
    const { default: pg } = await import('pg')
    const other = new pg.Client(url)
    await other.connect()
    await other.query('BEGIN; LOCK TABLE economic_journal IN ACCESS EXCLUSIVE MODE')
    const step = journal.compareAndSwap('a', 1n, 'a 2\n', { kind: 'retain' })
    await expect
      .poll(async () => {
        const blocked = await ask(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
        )
        return blocked.rowCount
      }, WAIT)
      .toBe(1)
    expect(await step).toBe('failed_uncertain')
    expect(failures.some(({ operation }) => operation === 'compareAndSwap')).toBe(true)
    await other.query('ROLLBACK')
    await other.end()
    expect(await journal.compareAndSwap('a', 1n, 'a 2\n', { kind: 'retain' })).toBe('succeeded')
    await journal.close()
  })
})
