import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type HostilePackage, makeHostilePackages } from '../../test/hostile-packages.ts'
import { makeSealedPackages } from '../../test/sealed-packages.ts'
import type { TaskHash } from '../digest/index.ts'
import { blocksFrom } from './blocks.ts'
import { FINDING_CODES, type FindingCode } from './codes.ts'
import { MAX_FINDINGS } from './limits.ts'
import { packTaskPackage } from './pack-task.ts'
import { createSealedOpener } from './sealed/open.ts'
import { verifyTaskPackage } from './verify-task.ts'

const packages = [...makeHostilePackages(), ...makeSealedPackages()]

function verify(hostile: HostilePackage) {
  const { blocks, secretKey, name: _name, codes: _codes, ...rest } = hostile
  return verifyTaskPackage({
    ...rest,
    source: blocksFrom(blocks),
    ...(secretKey && { openers: [createSealedOpener({ secretKey })] }),
  })
}

describe('verifyTaskPackage gives the code of the broken clause', () => {
  for (const hostile of packages) {
    it(`${hostile.name}: ${hostile.codes.join(', ') || 'valid'}`, async () => {
      const verdict = await verify(hostile)
      expect(verdict.findings.map(({ code }) => code)).toEqual(hostile.codes)
      expect(verdict.ok).toBe(hostile.codes.length === 0)
      for (const { where, message } of verdict.findings) {
        expect(where).not.toBe('')
        expect(message).not.toMatch(/undefined|\[object/)
      }
    })
  }
})

describe('finding codes', () => {
  /** Codes that no package can provoke; each has a test of its own below or beside the function that gives it. */
  const elsewhere: readonly FindingCode[] = ['source.failed', 'verifier.failed', 'path.not-unicode']

  it('each is given by some package', () => {
    const given = new Set<string>([...packages.flatMap(({ codes }) => codes), ...elsewhere])
    expect(Object.keys(FINDING_CODES).filter((code) => !given.has(code))).toEqual([])
  })

  it('the table of docs/task-packages.md is the list, in its order', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/task-packages.md'), 'utf8')
    const codes = page.slice(page.indexOf('## Codes'))
    const rows = [...codes.matchAll(/^\| `([a-z]+\.[a-z0-9-]+)` \| (.*) \|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ])
    expect(rows).toEqual(Object.entries(FINDING_CODES))
  })
})

describe('verifyTaskPackage', () => {
  const packed = packTaskPackage({ files: new Map([['TASK.md', new TextEncoder().encode('# Work')]]) })
  const { taskHash } = packed

  it('reports a source that fails as incomplete, not as a broken package', async () => {
    const get = async () => {
      throw new Error('connection lost')
    }
    const verdict = await verifyTaskPackage({ source: { get }, taskHash })
    expect(verdict).toMatchObject({
      ok: false,
      status: 'incomplete',
      findings: [{ code: 'source.failed', where: 'root' }],
    })
  })

  it('reports a failure of its own instead of throwing', async () => {
    const verdict = await verifyTaskPackage({
      source: blocksFrom(packed.blocks),
      taskHash,
      hash: () => {
        throw new Error('broken hash')
      },
    })
    expect(verdict).toMatchObject({ ok: false, status: 'invalid', findings: [{ code: 'verifier.failed' }] })
  })

  it('does not throw on options of the wrong form', async () => {
    const bad = await verifyTaskPackage({ source: blocksFrom(packed.blocks), taskHash, limits: { files: -1 } })
    expect(bad.findings[0]?.code).toBe('verifier.failed')
    const hash = '0x12' as TaskHash
    expect((await verifyTaskPackage({ source: blocksFrom(packed.blocks), taskHash: hash })).findings[0]?.code).toBe(
      'verifier.failed',
    )
  })

  it('keeps a bounded number of findings and counts the rest', async () => {
    const files = new Map<string, Uint8Array>([['TASK.md', new Uint8Array()]])
    for (let index = 0; index < MAX_FINDINGS + 9; index++) files.set(`file${index}`, Uint8Array.of(index, 1))
    const many = packTaskPackage({ files })
    const verdict = await verifyTaskPackage({
      source: blocksFrom(new Map([[many.rootCid, many.rootBytes]])),
      taskHash: many.taskHash,
    })
    expect(verdict.findings.length).toBe(MAX_FINDINGS)
    expect(verdict.status).toBe('incomplete')
    expect(verdict.findings.length + verdict.omittedFindings).toBe(files.size + 1)
  })

  it('says what it could not check', async () => {
    const source = blocksFrom(packed.blocks)
    expect((await verifyTaskPackage({ source, taskHash })).facts.notChecked).toEqual(['binding'])
    expect((await verifyTaskPackage({ source, taskHash, level: 'root' })).facts.notChecked).toEqual([
      'binding',
      'documents',
      'objects',
    ])
    expect((await verifyTaskPackage({ source, taskHash, level: 'documents' })).facts.notChecked).toEqual([
      'binding',
      'objects',
    ])
  })

  it('asks for each block once, however many paths name it', async () => {
    const bytes = new TextEncoder().encode('same')
    const files = new Map([
      ['TASK.md', bytes],
      ['a', bytes],
      ['b', bytes],
    ])
    const copies = packTaskPackage({ files })
    const asked: string[] = []
    const verdict = await verifyTaskPackage({
      taskHash: copies.taskHash,
      source: {
        get: async (cid) => {
          asked.push(cid)
          return copies.blocks.get(cid)
        },
      },
    })
    expect(verdict.ok).toBe(true)
    expect(verdict.facts.packageBytes).toBe(12)
    expect(asked.length).toBe(4)
  })
})
