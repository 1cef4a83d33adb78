import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { giveToServer, hasPostgres, type PostgresCluster, startPostgres } from '../../test/postgres-cluster.ts'
import { canMountDisks, mountSmallDisk, type SmallDisk } from '../../test/small-disk.ts'
import type { AdapterDisposition, PaymentJournal } from '../economic/host.ts'
import type { JournalArchive } from './archive.ts'
import type { JournalFailure } from './errors.ts'
import { openPostgresJournal } from './postgres.ts'

const nowMs = 1_700_000_000_000n
const canMount = canMountDisks()
/** Not compressible, so that it takes the room that it has. */
const document = (key: string, version: bigint): string => {
  let state = Number(version) + key.length
  const digits = Array.from({ length: 1900 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 27).toString(32)
  })
  return `${key} ${version} ${digits.join('')}\n`
}

const reserve = {
  kind: 'reserve',
  reservation: {
    walletId: 'wallet',
    ...{ rail: 'evm', network: 'sepolia', asset: 'native:eth' },
    ...{ requestedAtMs: nowMs, amountAtomic: 1n, maxRolling24hAtomic: 1_000_000n },
  },
} as const

type Step = { readonly key: string; readonly version: bigint; readonly disposition: AdapterDisposition }

const write = async (journal: PaymentJournal, key: string, version: bigint): Promise<Step> => {
  const rolling = version === 1n ? reserve : ({ kind: 'retain' } as const)
  const disposition = await journal.compareAndSwap(key, version - 1n, document(key, version), rolling)
  return { key, version, disposition }
}

/** Writes payments of nine versions until one step does not succeed. */
async function writeUntilFull(journal: PaymentJournal, steps: Step[]): Promise<Step> {
  for (let payment = 0; payment < 20_000; payment += 1)
    for (let version = 1n; version <= 9n; version += 1n) {
      const step = await write(journal, `payment.${payment}`, version)
      steps.push(step)
      if (step.disposition !== 'succeeded') return step
    }
  throw new Error('the disk is never full')
}

/** What succeeded is stored as it was written, what did not start is absent, and of the uncertain either is right. */
async function expectStored(journal: JournalArchive, steps: readonly Step[]): Promise<void> {
  for (const key of new Set(steps.map((step) => step.key))) {
    const stored = await journal.listVersions(key)
    for (const { version, document: text } of stored) expect(text).toBe(document(key, version))
    const last = steps.findLast((step) => step.key === key && step.disposition === 'succeeded')?.version ?? 0n
    const uncertain = steps.some((step) => step.key === key && step.disposition === 'failed_uncertain')
    expect(stored.length).toBeGreaterThanOrEqual(Number(last))
    expect(stored.length).toBeLessThanOrEqual(Number(last) + (uncertain ? 1 : 0))
    const held = await journal.getReservation(key)
    expect(held).toEqual(stored.length === 0 ? undefined : { admittedAtMs: nowMs, amountAtomic: 1n })
  }
}

const codeOf = ({ cause }: JournalFailure): unknown => (cause as { code?: unknown }).code

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

describe.skipIf(!hasPostgres)('PostgreSQL without room (skipped where no server is installed)', () => {
  let cluster: PostgresCluster
  beforeAll(async () => {
    cluster = await startPostgres()
  })
  afterAll(() => cluster?.stop())

  test.each([
    [
      'while it writes',
      'CREATE TRIGGER no_room BEFORE INSERT ON economic_journal FOR EACH ROW EXECUTE FUNCTION no_room()',
    ],
    [
      'when it commits',
      'CREATE CONSTRAINT TRIGGER no_room AFTER INSERT ON economic_journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION no_room()',
    ],
  ])('a server that says %s that the disk is full (53100): definitely not started, and told', async (when, trigger) => {
    const name = when.includes('commit') ? 'committing' : 'writing'
    await run(cluster.url, `CREATE DATABASE ${name}`)
    const url = cluster.url.replace('/postgres?', `/${name}?`)
    const failures: JournalFailure[] = []
    const journal = await openPostgresJournal(url, {
      clockMs: () => nowMs,
      onFailure: (failure) => failures.push(failure),
    })
    const steps = [await write(journal, 'a', 1n)]
    const noRoom = `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$`
    await run(url, noRoom, trigger)
    steps.push(await write(journal, 'a', 2n), await write(journal, 'b', 1n))
    expect(steps.map(({ disposition }) => disposition)).toEqual([
      'succeeded',
      'definitely_not_started',
      'definitely_not_started',
    ])
    expect(failures.map(codeOf)).toEqual(['53100', '53100'])
    await expectStored(journal, steps)
    await run(url, 'DROP TRIGGER no_room ON economic_journal')
    expect((await write(journal, 'a', 2n)).disposition).toBe('succeeded')
    await journal.close()
  })

  test.skipIf(!canMount)('a table that has no room left (skipped where no file system can be mounted)', async () => {
    const disk = mountSmallDisk(10)
    if (disk === undefined) throw new Error('no disk')
    giveToServer(disk.folder)
    try {
      await run(
        cluster.url,
        `CREATE TABLESPACE small LOCATION '${disk.folder}'`,
        'CREATE DATABASE cramped TABLESPACE small',
      )
      const url = cluster.url.replace('/postgres?', '/cramped?')
      const failures: JournalFailure[] = []
      const journal = await openPostgresJournal(url, {
        clockMs: () => nowMs,
        onFailure: (failure) => failures.push(failure),
      })
      const steps: Step[] = []
      const refused = await writeUntilFull(journal, steps)
      expect(refused.disposition).toBe('definitely_not_started')
      expect(failures.map(codeOf)).toEqual(['53100'])
      await expectStored(journal, steps)
      disk.resize(64)
      expect(await write(journal, refused.key, refused.version)).toMatchObject({ disposition: 'succeeded' })
      await journal.close()
      await run(cluster.url, 'DROP DATABASE cramped', 'DROP TABLESPACE small')
    } finally {
      disk.remove()
    }
  })
})

describe.skipIf(!hasPostgres || !canMount)(
  'PostgreSQL without room for its log (skipped where no server is installed or no file system can be mounted)',
  () => {
    let cluster: PostgresCluster
    let disk: SmallDisk | undefined
    beforeAll(async () => {
      disk = mountSmallDisk(8)
      if (disk === undefined) throw new Error('no disk')
      giveToServer(disk.folder)
      cluster = await startPostgres({ walFolder: `${disk.folder}/wal` })
    })
    afterAll(async () => {
      await cluster?.stop()
      disk?.remove()
    })

    test('the server ends itself: the step under way is uncertain, the next ones not started, and with room all is there', async () => {
      // A slot that nobody reads keeps the whole log, so that it grows until the disk is full.
      await run(cluster.url, "SELECT pg_create_physical_replication_slot('nobody', true)")
      const failures: JournalFailure[] = []
      const options = { clockMs: () => nowMs, onFailure: (failure: JournalFailure) => void failures.push(failure) }
      const journal = await openPostgresJournal(cluster.url, options)
      const steps: Step[] = []
      const failed = await writeUntilFull(journal, steps)
      // The server says PANIC while it writes its log: the commit may be on disk already.
      expect(failed.disposition).toBe('failed_uncertain')
      steps.push(await write(journal, 'after', 1n))
      expect(steps.at(-1)?.disposition).toBe('definitely_not_started')
      expect(failures.filter(({ operation }) => operation === 'compareAndSwap')).toHaveLength(2)
      await journal.close()
      disk?.resize(64)
      await cluster.restart()
      const again = await openPostgresJournal(cluster.url, options)
      await expectStored(again, steps)
      await again.close()
    })
  },
)
