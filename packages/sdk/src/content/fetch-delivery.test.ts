import {
  type Cid,
  dagCborCidOf,
  packSkillPackage,
  packTaskPackage,
  parseSha256Digest,
  rawCidOf,
  sha256,
  toDagCborCid,
} from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { loopbackServers } from '../../test/loopback-server.ts'
import { createMemoryStore } from '../../test/memory-store.ts'
import { fetchDelivery } from './fetch-delivery.ts'
import { createContentResolver } from './resolver.ts'

const servers = loopbackServers()
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const skill = packSkillPackage({
  files: new Map([
    ['SKILL.md', utf8('# Skill')],
    ['manifest.json', utf8('{"name":"skill"}')],
    ['data.txt', utf8('data')],
  ]),
})

function storeOf(blocks: ReadonlyMap<Cid, Uint8Array>) {
  const store = createMemoryStore()
  for (const [cid, bytes] of blocks) store.blocks.set(cid, bytes)
  return store
}

const resolverOf = (blocks: ReadonlyMap<Cid, Uint8Array>) => createContentResolver({ store: storeOf(blocks) })

describe('fetchDelivery tells what a result hash commits to', () => {
  it('a skill package, of which every object is checked and kept', async () => {
    const keep = createMemoryStore()
    const fetched = await fetchDelivery({ resultHash: skill.packageHash, resolver: resolverOf(skill.blocks), keep })
    expect(fetched).toMatchObject({
      kind: 'skill',
      verdict: { ok: true, facts: { paths: 2, notChecked: ['binding'] } },
    })
    expect([...keep.blocks.keys()].sort()).toEqual([...skill.blocks.keys()].sort())
  })

  it('a skill package with a file that nobody has, or that is another one', async () => {
    const cid = rawCidOf(utf8('data'))
    const missing = new Map([...skill.blocks].filter(([key]) => key !== cid))
    const resultHash = skill.packageHash
    expect(await fetchDelivery({ resultHash, resolver: resolverOf(missing) })).toMatchObject({
      ...{ kind: 'skill', verdict: { ok: false, status: 'incomplete', findings: [{ code: 'object.missing' }] } },
    })
    const swapped = new Map([...skill.blocks, [cid, utf8('rm -rf /')] as const])
    expect(await fetchDelivery({ resultHash, resolver: resolverOf(swapped) })).toMatchObject({
      ...{ kind: 'skill', verdict: { status: 'invalid', findings: [{ code: 'object.hash-mismatch' }] } },
    })
  })

  it('a root that its URI names and that is none, or none of a skill', async () => {
    const junk = utf8('#!/bin/sh')
    const blocks = new Map<Cid, Uint8Array>([[dagCborCidOf(junk), junk]])
    const resultHash = sha256(junk)
    const uri = `ipfs://${toDagCborCid(resultHash)}`
    expect(await fetchDelivery({ resultHash, uri, resolver: resolverOf(blocks) })).toMatchObject({
      ...{ kind: 'skill', verdict: { status: 'invalid', findings: [{ code: 'root.malformed' }] } },
    })
    const task = packTaskPackage({ files: new Map([['TASK.md', utf8('# Work')]]) })
    const wrong = { resultHash: task.taskHash, uri: `ipfs://${task.rootCid}`, resolver: resolverOf(task.blocks) }
    const fetched = await fetchDelivery(wrong)
    expect(fetched).toMatchObject({ kind: 'skill', verdict: { ok: false, status: 'invalid' } })
    if (fetched.kind !== 'skill') throw new Error('no verdict')
    expect(fetched.verdict.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['root.unknown-key', 'root.missing-key']),
    )
  })

  it('a file, by its hash in the store or by its URI', async () => {
    const report = utf8('the report')
    const resultHash = sha256(report)
    const stored = { resultHash, resolver: resolverOf(new Map([[rawCidOf(report), report]])) }
    expect(await fetchDelivery(stored)).toMatchObject({ kind: 'file', bytes: report })
    const server = await servers.start((_, response) => response.end(report))
    const uri = `${server}/report.md`
    const online = { resultHash, uri, resolver: createContentResolver({ fetch }) }
    expect(await fetchDelivery(online)).toMatchObject({ kind: 'file', bytes: report })
    const other = await fetchDelivery({ ...online, resultHash: sha256(utf8('another report')) })
    expect(other).toMatchObject({ kind: 'missing' })
    expect(other.attempts).toContainEqual(expect.objectContaining({ outcome: 'mismatch' }))
  })

  it('nothing, for a hash that is of no content, and for a source that fails', async () => {
    const resultHash = parseSha256Digest(`0x${'ab'.repeat(32)}`)
    expect(await fetchDelivery({ resultHash, resolver: resolverOf(new Map()) })).toMatchObject({ kind: 'missing' })
    const failing = createMemoryStore({ get: () => Promise.reject(new Error('disk')) })
    const resolver = createContentResolver({ store: failing })
    expect(await fetchDelivery({ resultHash, resolver })).toMatchObject({ kind: 'missing' })
  })

  it('is bounded by the limits, and ends when it is aborted', async () => {
    const resultHash = skill.packageHash
    const resolver = resolverOf(skill.blocks)
    const bounded = await fetchDelivery({ resultHash, resolver, limits: { packageBytes: 5 } })
    expect(bounded).toMatchObject({ kind: 'skill', verdict: { findings: [{ code: 'package.too-large' }] } })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(fetchDelivery({ resultHash, resolver, signal })).rejects.toThrow('enough')
  })
})
