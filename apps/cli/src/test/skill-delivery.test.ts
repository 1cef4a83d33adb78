import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packSkillPackage, rawCidOf } from '@oikos/core'
import { shardOf } from '@oikos/sdk/content'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarketBench, fundedAddress, textAt } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createMarketBench>>

const [demander, judge, worker, patron] = [0, 1, 2, 3]
const TREE = { 'SKILL.md': '# Brief\n', 'manifest.json': '{"name":"brief"}', 'run.py': 'print(1)\n' }
const ROLES = ['--entry', 'run.py', '--entry-profile', 'python-v1']

let market: Bench
let task: string
beforeAll(async () => {
  market = await createMarketBench()
  const { as, bench } = market
  await as(demander, 'task', 'init', 'work')
  const terms = ['--reward', '0.1 ETH', '--completions', 'unlimited', '--judge', fundedAddress(judge)]
  task = textAt(await as(demander, 'task', 'mint', 'work', ...terms, '--window', '5d', '--yes'), 'tokenId')
  await as(patron, 'task', 'fund', task, '1 ETH', '--yes')
  await mkdir(join(bench.folder, 'brief'))
  for (const [path, text] of Object.entries(TREE)) await writeFile(join(bench.folder, 'brief', path), text)
})
afterAll(() => market.stop())

/** Runs a command with --json, and gives its exit code and its document. */
async function told(...args: string[]): Promise<{ code: number; json: unknown }> {
  const { code, json } = await market.bench.run([...args, '--json'])
  return { code, json }
}

describe('a skill package as a delivery', () => {
  it('is delivered by its package hash, examined by the judge, unpacked and paid', async () => {
    const { as, bench } = market
    const { packageHash, rootCid } = packSkillPackage({
      files: new Map(Object.entries(TREE).map(([path, text]) => [path, new TextEncoder().encode(text)])),
      ...{ entry: 'run.py', entryProfile: 'python-v1' },
    })
    const submitted = await as(worker, 'task', 'submit', task, '--skill', 'brief', ...ROLES, '--yes')
    expect(submitted).toMatchObject({ resultHash: packageHash, resultURI: `ipfs://${rootCid}`, submissionId: '1' })
    const examined = await as(judge, 'task', 'examine', task, '1', '--unpack', 'received')
    expect(examined).toMatchObject({
      ...{ ok: true, kind: 'skill', verdict: 'valid', findings: [], notChecked: [], status: 'pending' },
      entry: { path: 'run.py', profile: 'python-v1' },
    })
    expect(await readFile(join(bench.folder, 'received', 'run.py'), 'utf8')).toBe(TREE['run.py'])
    const { out, err } = await bench.run(['task', 'examine', task, '1'])
    expect(out).toContain('VALID       a skill package (ERC-8338)')
    expect(err).toContain(`oikos task accept ${task} 1`)
    await as(judge, 'task', 'accept', task, '1', '--yes')
  })

  it('whose file is gone, or is another one, is not valid', async () => {
    const { as, bench } = market
    const broken = { ...TREE, 'run.py': 'print(2)\n' }
    await mkdir(join(bench.folder, 'broken'))
    for (const [path, text] of Object.entries(broken)) await writeFile(join(bench.folder, 'broken', path), text)
    await as(worker, 'task', 'submit', task, '--skill', 'broken', ...ROLES, '--yes')
    const cid = rawCidOf(new TextEncoder().encode(broken['run.py']))
    const object = join(bench.folder, 'home', 'content', shardOf(cid), cid)
    const stored = await readFile(object)
    await rm(object)
    const gone = await told('task', 'examine', task, '2')
    expect(gone).toMatchObject({
      code: 1,
      json: { kind: 'skill', verdict: 'incomplete', findings: [{ code: 'object.missing' }] },
    })
    await writeFile(object, stored)
    expect(await told('task', 'examine', task, '2')).toMatchObject({ code: 0, json: { ok: true } })
  })

  it('that is a file, or a commitment to nothing that can be found, is told as such', async () => {
    const { as, bench } = market
    await writeFile(join(bench.folder, 'report.md'), 'the report')
    await as(worker, 'task', 'submit', task, '--file', 'report.md', '--yes')
    expect(await told('task', 'examine', task, '3')).toMatchObject({ code: 0, json: { kind: 'file', bytes: 10 } })
    const unpacking = await told('task', 'examine', task, '3', '--unpack', 'nothing')
    expect(unpacking).toMatchObject({ code: 2, json: { error: { name: 'UsageError' } } })
    const hash = ['--result-hash', `0x${'ab'.repeat(32)}`, '--uri', 'https://127.0.0.1:1/\u202egnp.exe']
    await as(worker, 'task', 'submit', task, ...hash, '--yes')
    const { code, out } = await bench.run(['task', 'examine', task, '4'])
    expect(code).toBe(1)
    expect(out).toContain('NOT FOUND')
    expect(out).not.toContain('\u202e')
    expect(await told('task', 'examine', task, '9')).toMatchObject({ code: 4 })
  })

  it('that cannot be packed is refused before anything is sent', async () => {
    const { bench } = market
    const run = async (...args: string[]) => {
      const { code, err } = await bench.run([
        'task',
        'submit',
        task,
        ...args,
        '--from',
        fundedAddress(worker),
        '--dry-run',
      ])
      return [code, err]
    }
    expect(await run('--skill', 'work')).toEqual([expect.any(Number), expect.stringContaining('SKILL.md is not in')])
    expect(await run('--skill', 'brief', '--entry', 'run.py')).toEqual([
      2,
      expect.stringContaining('how run.py is run'),
    ])
    expect(await run('--skill', 'brief', '--file', 'report.md')).toEqual([
      2,
      expect.stringContaining('--file, --skill'),
    ])
    expect((await run('--skill', 'brief', ...ROLES))[0]).toBe(0)
  })
})
