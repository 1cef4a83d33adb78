import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseTaskHash, rawCidOf } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/temporary-folder.ts'
import { shardOf } from '../content/content-store.ts'
import { packFolder } from './pack-folder.ts'
import { verifyFolder } from './verify-folder.ts'

const folders = temporaryFolders()
const TREE = { 'TASK.md': '# Work\n', 'data/a.txt': 'a' }
const OTHER_HASH = parseTaskHash(`0x${'11'.repeat(32)}`)

describe('verifyFolder', () => {
  it('judges a source folder by packing it', async () => {
    const folder = await folders.make(TREE)
    const { taskHash, tdHash } = await packFolder(folder)
    const verdict = await verifyFolder(folder, { taskHash, binding: { tdHash, version: 1n } })
    expect(verdict).toMatchObject({ ok: true, kind: 'source', taskHash })
    await writeFile(join(folder, 'data/a.txt'), 'b')
    expect((await verifyFolder(folder, { taskHash })).findings[0]?.code).toBe('root.hash-mismatch')
  })

  it('says that a packed folder is another package than the chain has', async () => {
    const folder = await folders.make(TREE)
    const output = join(dirname(folder), 'packed')
    const { taskHash } = await packFolder(folder, { output })
    expect(await verifyFolder(output, { taskHash: OTHER_HASH })).toMatchObject({
      status: 'invalid',
      taskHash,
      findings: [{ code: 'root.hash-mismatch' }],
    })
  })

  it('calls a packed folder without its objects incomplete', async () => {
    const folder = await folders.make(TREE)
    const output = join(dirname(folder), 'packed')
    await packFolder(folder, { output })
    await rm(join(output, 'objects'), { recursive: true })
    const verdict = await verifyFolder(output)
    expect(verdict.status).toBe('incomplete')
    expect(new Set(verdict.findings.map(({ code }) => code))).toEqual(new Set(['object.missing']))
  })

  it('calls a packed folder with a changed object invalid', async () => {
    const folder = await folders.make(TREE)
    const output = join(dirname(folder), 'packed')
    const { leaves } = await packFolder(folder, { output })
    const cid = leaves.find(({ path }) => path === 'data/a.txt')?.cid ?? rawCidOf(new Uint8Array())
    await writeFile(join(output, 'objects', shardOf(cid), cid), 'b')
    expect((await verifyFolder(output)).findings).toMatchObject([{ code: 'object.hash-mismatch' }])
  })

  it('gives a verdict on a root that is garbage', async () => {
    const folder = await folders.make({ 'root.cbor': Uint8Array.of(0xff, 0x00) })
    expect((await verifyFolder(folder)).findings[0]?.code).toBe('root.malformed')
  })
})
