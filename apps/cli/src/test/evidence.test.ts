import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createMemoryJournal } from '@oikos/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkbench, type Workbench } from './harness.ts'
import { NOW_MS, pay, writeRun } from './payments.ts'

const conformance =
  process.env['OIKOS_CONFORMANCE'] ?? resolve(import.meta.dirname, '../../../../../shared/conformance')
const frozen = join(conformance, 'economic-agent', 'documents')

let bench: Workbench
let runs = 0
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.stop())

/** A folder of a fresh run, with a change. */
async function runFolder(change: (folder: string) => Promise<void> = async () => {}): Promise<string> {
  const journal = createMemoryJournal({ clockMs: () => NOW_MS })
  const name = `run-${runs++}`
  const folder = join(bench.folder, name)
  await writeRun(folder, journal, name, await pay(journal, name))
  await change(folder)
  return name
}

const edit = (name: string, from: string | RegExp, to: string) => async (folder: string) => {
  const text = await readFile(join(folder, name), 'utf8')
  expect(text).toMatch(from)
  await writeFile(join(folder, name), text.replace(from, to))
}

describe('evidence verify', () => {
  it('replays Evidence alone, and says what is not here', async () => {
    const folder = await runFolder()
    const { code, out, json } = await bench.run(['evidence', 'verify', `${folder}/evidence.json`, '--json'])
    expect(code).toBe(0)
    expect(json).toMatchObject({ ok: true, result: { status: 'confirmed' }, journalVersions: 0, findings: [] })
    expect(out).toContain('"state": "not-given"')
    const strict = await bench.run(['evidence', 'verify', `${folder}/evidence.json`, '--strict'])
    expect([strict.code, strict.out]).toEqual([1, expect.stringContaining('11 that it names are not here')])
  })

  it('derives every digest of a folder again: policy, intent, journal and its steps, trace, source run', async () => {
    const folder = await runFolder()
    const { code, out } = await bench.run(['evidence', 'verify', folder])
    expect(code).toBe(0)
    expect(out).toContain('9 versions, each one legal step')
  })

  it.each([
    ['a changed byte of Evidence', edit('evidence.json', '"status":"confirmed"', '"status":"pending"'), 'evidence'],
    [
      'a policy that allows more',
      edit('policy.json', '"max_amount_atomic":1000,', '"max_amount_atomic":1001,'),
      'policy',
    ],
    ['another recipient', edit('intent.json', /0x1111/, '0x2111'), 'source_run'],
    ['another trace', edit('trace.json', '"index":3', '"index":4'), 'trace'],
    ['a step of the journal that was changed', edit('journal.v4.json', '"version":4', '"version":5'), 'journal'],
    ['a journal that was not the last', edit('journal.v9.json', 'confirmed', 'dropped'), 'journal'],
    [
      'a source run that did not propose it',
      edit('agent-runtime.evidence.json', '"run_id":"sha256:', '$&0'),
      'source_run',
    ],
  ])('%s is found, with its code, in words', async (_what, change, document) => {
    const folder = await runFolder(change)
    const { code, json } = await bench.run(['evidence', 'verify', folder, '--json'])
    expect(code).toBe(1)
    const { findings } = json as { findings: { document: string; code: string; meaning: string }[] }
    expect(findings[0]).toMatchObject({ document, code: expect.stringMatching(/^SPX-G21[0-7]$/) })
    expect(findings[0]?.meaning).toMatch(/\.$/)
    const { out, err } = await bench.run(['evidence', 'verify', folder])
    expect(out).toContain('INVALID')
    expect(out).toContain('SPX-G21')
    expect(err + out).not.toMatch(/\bat .*:\d+:\d+/)
  })

  it('compares with the digest that was meant', async () => {
    const folder = await runFolder()
    const { json } = await bench.run(['evidence', 'verify', folder, '--json'])
    const { digest } = json as { digest: string }
    expect((await bench.run(['evidence', 'verify', folder, '--digest', digest])).code).toBe(0)
    const other = await bench.run(['evidence', 'verify', folder, '--digest', `sha256:${'0'.repeat(64)}`])
    expect([other.code, other.out]).toEqual([1, expect.stringContaining('SPX-G217')])
    expect((await bench.run(['evidence', 'verify', folder, '--digest', 'sha256:0'])).code).toBe(2)
  })

  it.each([
    ['no bytes', new Uint8Array(0)],
    ['a program', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0xff)],
    ['JSON of something else', Buffer.from('{"schema":"x"}\n')],
    ['brackets without end', Buffer.from(`${'['.repeat(100_000)}\n`)],
    ['escapes of a terminal', Buffer.from('{"schema":"\u001b[2Jsemaprax.economic-agent-evidence.v1"}\n')],
    ['more than any Evidence may have', Buffer.alloc(17_000_000, 0x20)],
  ])('%s: a verdict, never a stack trace', async (_what, bytes) => {
    await writeFile(join(bench.folder, 'hostile.json'), bytes)
    const { code, out, err } = await bench.run(['evidence', 'verify', 'hostile.json'])
    expect(code).toBe(1)
    expect(out).toMatch(/INVALID[\s\S]*refused {2}SPX-G21[06]/)
    expect(err + out).not.toMatch(/\bat .*:\d+:\d+/)
    expect(err + out).not.toContain('\u001b')
  })

  it('what is larger than twice any Evidence is not read', async () => {
    await writeFile(join(bench.folder, 'huge.json'), Buffer.alloc(33_554_433))
    const { code, err } = await bench.run(['evidence', 'verify', 'huge.json'])
    expect([code, err]).toEqual([2, expect.stringContaining('at most 33554432 are read')])
  })

  it('reads only regular files of a folder, and says what it did not read', async () => {
    const folder = await runFolder(async (path) => {
      await symlink('/etc/passwd', join(path, 'snapshot.json'))
      await writeFile(join(path, 'notes\u001b[2J.txt'), '')
    })
    const { code, err } = await bench.run(['evidence', 'verify', folder])
    expect([code, err]).toEqual([0, 'Not read: notes\\u{1b}[2J.txt, snapshot.json\n'])
  })

  it.each([
    ['nothing there', ['evidence', 'verify', 'nowhere'], 4],
    ['a folder without Evidence', ['evidence', 'verify', '.'], 4],
    ['a device', ['evidence', 'verify', '/dev/null'], 2],
  ])('%s', async (_what, args, expected) => {
    expect((await bench.run(args)).code).toBe(expected)
  })

  it.skipIf(!existsSync(frozen))(
    'the frozen ledger of the standard holds, every document (skipped where it is absent)',
    async () => {
      const { code, json } = await bench.run(['evidence', 'verify', frozen, '--strict', '--json'])
      expect(code).toBe(0)
      const { documents, journalVersions } = json as { documents: { state: string }[]; journalVersions: number }
      expect(documents.map(({ state }) => state)).toEqual(Array.from({ length: 14 }, () => 'checked'))
      expect(journalVersions).toBe(9)
    },
  )
})
