import { describe, expect, test } from 'vitest'
import { createEconomicAgent } from '../economic/agent.ts'
import { createRehearsalChain, createRehearsalHost, rehearsalPolicy, rehearsalSource } from '../rehearsal/index.ts'
import type { JournalArchive, JournalVersion } from './archive.ts'
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
    ['a byte of whitespace', edit(3n, '{"schema"', '{ "schema"'), [3n, 'form']],
    ['a changed capsule', edit(7n, 'accepted', 'rejected'), [7n, 'form']],
    ['another key', edit(1n, '"idempotency_key":"a"', '"idempotency_key":"b"'), [1n, 'identity']],
    ['a missing version', (versions: readonly JournalVersion[]) => versions.slice(1), [2n, 'identity']],
    ['a state that its version cannot have', edit(2n, '"state":"prepared"', '"state":"approved"'), [2n, 'state']],
    ['an amount that changes on the way', edit(4n, 'amount_atomic":10,', 'amount_atomic":11,'), [4n, 'transition']],
  ] as const)('%s is found', async (_what, change, expected) => {
    const verdict = await checkJournal(withVersions(await paidJournal(['a']), 'a', change))
    expect(verdict.ok).toBe(false)
    expect(verdict.findings.map(({ version, kind }) => [version, kind])).toContainEqual(expected)
  })
})
