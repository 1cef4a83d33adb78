import { describe, expect, test } from 'vitest'
import { createEconomicAgent } from '../economic/agent.ts'
import { createRehearsalChain, createRehearsalHost, rehearsalPolicy, rehearsalSource } from '../rehearsal/index.ts'
import { type HeldReservation, type JournalArchive, type JournalVersion, MAX_VERSIONS_PER_KEY } from './archive.ts'
import { checkJournal } from './check.ts'
import { createMemoryJournal } from './memory.ts'

const nowMs = 1_700_000_000_000n
const recipient = `0x${'11'.repeat(20)}`

async function paidJournal(keys: readonly string[]) {
  const journal = createMemoryJournal({ clockMs: () => nowMs })
  const chain = createRehearsalChain({ clockMs: () => nowMs + 1n })
  const host = createRehearsalHost({ journal, chain, elapsedMs: () => 0n })
  const policy = rehearsalPolicy({ recipients: [recipient], maxAmountAtomic: 10n, maxRolling24hAtomic: 1000n })
  const agent = createEconomicAgent(policy, host, { aborted: false })
  for (const idempotencyKey of keys) {
    await agent.execute(rehearsalSource({ idempotencyKey, recipient, amountAtomic: 10n, createdAtMs: nowMs }))
  }
  return journal
}

/** The same archive with other versions of one key. */
function withVersions(
  archive: JournalArchive,
  key: string,
  change: (versions: readonly JournalVersion[]) => readonly JournalVersion[],
): JournalArchive {
  const listVersions = async (asked: string) => {
    const versions = await archive.listVersions(asked)
    return asked === key ? change(versions) : versions
  }
  return { ...archive, listVersions }
}

const edit = (version: bigint, from: string | RegExp, to: string) => (versions: readonly JournalVersion[]) =>
  versions.map((row) => (row.version === version ? { ...row, document: row.document.replace(from, to) } : row))

describe('checkJournal', () => {
  test('what the engine has written is in order', async () => {
    const verdict = await checkJournal(await paidJournal(['a', 'b']))
    expect(verdict).toEqual({ ok: true, keys: 2, versions: 18, findings: [], omittedFindings: 0 })
  })

  test('every page is read', async () => {
    const keys = Array.from({ length: 1500 }, (_, index) => `key.${index}`)
    const empty = createMemoryJournal({ clockMs: () => nowMs })
    const archive: JournalArchive = {
      ...empty,
      listKeys: async ({ after, limit }) =>
        keys
          .toSorted()
          .filter((key) => after === undefined || key > after)
          .slice(0, limit),
    }
    expect(await checkJournal(archive)).toMatchObject({ ok: true, keys: 1500, versions: 0 })
  })

  test.each([
    ['a byte of whitespace', edit(3n, '{"schema"', '{ "schema"'), [3n, 'form', /SPX-G210 rendered again/]],
    ['a changed capsule', edit(7n, 'accepted', 'rejected'), [7n, 'form', /SPX-G215 broadcast: the capsule/]],
    ['another key', edit(1n, '"idempotency_key":"a"', '"idempotency_key":"b"'), [1n, 'identity', /got b version 1/]],
    ['a missing version', (rows: readonly JournalVersion[]) => rows.slice(1), [2n, 'identity', /expected a version 1/]],
    [
      'a state that its version cannot have',
      edit(2n, '"state":"prepared"', '"state":"approved"'),
      [2n, 'state', /state approved at version 2 after prepared/],
    ],
    [
      'an amount that changes on the way',
      edit(4n, 'amount_atomic":10,', 'amount_atomic":11,'),
      [4n, 'transition', /reserved_amount_atomic was changed/],
    ],
  ] as const)('%s is found', async (_what, change, [version, kind, detail]) => {
    const verdict = await checkJournal(withVersions(await paidJournal(['a']), 'a', change))
    expect(verdict.ok).toBe(false)
    const found = verdict.findings.find((finding) => finding.version === version && finding.kind === kind)
    expect(found?.detail).toMatch(detail)
  })

  test('every row is checked, also those after one that cannot be read', async () => {
    const change = (rows: readonly JournalVersion[]) => edit(5n, 'signed"', 'paid"')(edit(2n, '{"schema"', '{')(rows))
    const { findings } = await checkJournal(withVersions(await paidJournal(['a']), 'a', change))
    expect(findings.map(({ version, kind }) => [version, kind])).toEqual([
      [2n, 'form'],
      [5n, 'form'],
    ])
  })

  test('invariant 9: a share of the window is what was reserved, and gone once it was given back', async () => {
    const journal = await paidJournal(['a'])
    const holding = (held: HeldReservation | undefined) => ({ ...journal, getReservation: async () => held })
    const reasonOf = async (archive: JournalArchive) => (await checkJournal(archive)).findings[0]
    expect(await reasonOf(holding(undefined))).toBeUndefined()
    expect(await reasonOf(holding({ admittedAtMs: nowMs, amountAtomic: 10n }))).toBeUndefined()
    expect(await reasonOf(holding({ admittedAtMs: nowMs, amountAtomic: 11n }))).toMatchObject({
      kind: 'reservation',
      detail: 'got 11, expected 10',
    })
    const ended = edit(2n, '"state":"reserved"', '"state":"failed"')
    const released = withVersions(journal, 'a', ([first]) =>
      first === undefined
        ? []
        : [first, ...ended([{ version: 2n, document: first.document.replace('"version":1', '"version":2') }])],
    )
    expect(await reasonOf(released)).toMatchObject({
      kind: 'reservation',
      detail: expect.stringContaining('it was released'),
    })
  })

  test('more versions than a payment can have are found, and no more are read', async () => {
    const rows = Array.from({ length: MAX_VERSIONS_PER_KEY }, (_, index) => ({
      version: BigInt(index + 1),
      document: 'x\n',
    }))
    const { findings } = await checkJournal(withVersions(await paidJournal(['a']), 'a', () => rows))
    expect(findings.at(-1)).toMatchObject({ kind: 'state', detail: 'it has more versions than are legal' })
  })

  test('progress is told after each key', async () => {
    const heard: number[][] = []
    await checkJournal(await paidJournal(['a', 'b']), (...counts) => heard.push(counts))
    expect(heard).toEqual([
      [1, 9],
      [2, 18],
    ])
  })
})
