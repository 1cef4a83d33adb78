import { type Cid, dagCborCidOf, packSkillPackage, packTaskPackage, rawCidOf, sha256 } from '@oikos/core'
import { createContentResolver } from '@oikos/sdk/content'
import { describe, expect, test } from 'vitest'
import { auditSkill } from './audit-skill.ts'
import { noAuditFindings } from './findings.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const skill = packSkillPackage({
  files: new Map([
    ['SKILL.md', utf8('# Skill')],
    ['manifest.json', utf8('{"name":"skill"}')],
    ['run.py', utf8('print(1)')],
  ]),
})
const run = rawCidOf(utf8('print(1)'))

/** What an audit says of bytes that were delivered, with these blocks in the only store. */
async function audit(bytes: Uint8Array, blocks: ReadonlyMap<Cid, Uint8Array>, uri = '', signal?: AbortSignal) {
  const store = {
    get: async (cid: Cid) => blocks.get(cid),
    has: async (cid: Cid) => blocks.has(cid),
    put: () => Promise.reject(new Error('an audit writes nothing')),
  }
  const findings = noAuditFindings()
  const context = {
    resolver: createContentResolver({ store }),
    packages: new Map(),
    findings,
    ...(signal && { signal }),
  }
  const result = await auditSkill({ bytes, resultHash: sha256(bytes), uri }, 'delivery 1', context)
  return [result, ...findings.list.map(({ code }) => code)]
}

describe('a delivery that is a skill package', () => {
  test('is verified when every object fits', async () => {
    expect(await audit(skill.rootBytes, skill.blocks)).toEqual(['verified'])
  })

  test('is unavailable without one of its objects: package.missing', async () => {
    const blocks = new Map([...skill.blocks].filter(([cid]) => cid !== run))
    expect(await audit(skill.rootBytes, blocks)).toEqual(['unavailable', 'package.missing'])
  })

  test('is broken with other bytes for an object: package.invalid', async () => {
    const blocks = new Map([...skill.blocks, [run, utf8('rm -rf /')] as const])
    expect(await audit(skill.rootBytes, blocks)).toEqual(['broken', 'package.invalid'])
  })

  test('is broken when its URI names bytes as a root that is none', async () => {
    const junk = utf8('#!/bin/sh')
    expect(await audit(junk, new Map(), `ipfs://${dagCborCidOf(junk)}`)).toEqual(['broken', 'package.invalid'])
  })

  test('or a task package, the form in which operators deliver, is judged as what it is', async () => {
    const packed = packTaskPackage({
      files: new Map([
        ['DELIVERY.md', utf8('# Delivery')],
        ['a.txt', utf8('a')],
      ]),
      primary: 'DELIVERY.md',
    })
    const uri = `ipfs://${packed.rootCid}`
    expect(await audit(packed.rootBytes, packed.blocks, uri)).toEqual(['verified'])
    const less = new Map([...packed.blocks].filter(([cid]) => cid !== rawCidOf(utf8('a'))))
    expect(await audit(packed.rootBytes, less, uri)).toEqual(['unavailable', 'package.missing'])
    const other = new Map([...packed.blocks, [rawCidOf(utf8('a')), utf8('b')] as const])
    expect(await audit(packed.rootBytes, other, uri)).toEqual(['broken', 'package.invalid'])
  })

  test('and a delivery that is a file is what it is', async () => {
    expect(await audit(utf8('the report'), new Map(), 'https://example.org/report')).toEqual(['verified'])
  })

  test('ends when the audit is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(audit(skill.rootBytes, skill.blocks, '', signal)).rejects.toThrow('enough')
  })
})
