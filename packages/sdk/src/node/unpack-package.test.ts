import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  blocksFrom,
  type Cid,
  createSealedOpener,
  createSealer,
  packTaskPackage,
  packTaskRoot,
  rawCidOf,
  sealedKeyPair,
  sha256,
  type TaskHash,
  toDagCborCid,
} from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { namesBeside, temporaryFolders } from '../../test/temporary-folder.ts'
import { packFolder } from './pack-folder.ts'
import { unpackPackage } from './unpack-package.ts'

const folders = temporaryFolders()
const encode = (text: string) => new TextEncoder().encode(text)
const FILES = new Map([
  ['TASK.md', encode('# Work\n')],
  ['data/a.txt', encode('a')],
])

function hostilePackage(paths: readonly string[]) {
  const bytes = encode('x')
  const manifest = encode('{"schemaVersion":"1.0","name":"n","taskVersion":"1","summary":"s","specPath":"TASK.md"}')
  const cid = rawCidOf(bytes)
  const root = packTaskRoot({
    td: { path: 'TASK.md', cid },
    spec: { path: 'TASK.md', cid, profile: 'p' },
    manifest: rawCidOf(manifest),
    files: new Map(paths.map((path) => [path, cid])),
  })
  const taskHash = sha256(root) as TaskHash
  const blocks = new Map<Cid, Uint8Array>([
    [cid, bytes],
    [rawCidOf(manifest), manifest],
    [toDagCborCid(taskHash), root],
  ])
  return { source: blocksFrom(blocks), taskHash }
}

describe('unpackPackage', () => {
  it('writes a package that packs to the same hash again', async () => {
    const packed = packTaskPackage({ files: FILES })
    const output = join(dirname(await folders.make()), 'out')
    const unpacked = await unpackPackage({ source: blocksFrom(packed.blocks), taskHash: packed.taskHash, output })
    expect(unpacked.files.map(({ path }) => path)).toEqual(['TASK.md', 'data/a.txt', 'manifest.json'])
    expect((await packFolder(output)).taskHash).toBe(packed.taskHash)
  })

  it('decrypts with a key for the owner only, and skips what it cannot open', async () => {
    const { publicKey, secretKey } = sealedKeyPair((length) => new Uint8Array(length).fill(7))
    let counter = 0
    const entropy = (length: number) => new Uint8Array(length).fill(++counter)
    const cipher = createSealer({ recipients: [publicKey], entropy })
    const packed = packTaskPackage({ files: FILES, encrypt: { paths: ['data/a.txt'], cipher } })
    const parent = dirname(await folders.make())
    const base = { source: blocksFrom(packed.blocks), taskHash: packed.taskHash }
    const closed = await unpackPackage({ ...base, output: join(parent, 'closed') })
    expect(closed.skipped).toEqual(['data/a.txt'])
    const opened = await unpackPackage({
      ...base,
      output: join(parent, 'opened'),
      openers: [createSealedOpener({ secretKey })],
    })
    expect(opened.skipped).toEqual([])
    expect(await readFile(join(parent, 'opened', 'data', 'a.txt'), 'utf8')).toBe('a')
    expect((await stat(join(parent, 'opened', 'data', 'a.txt'))).mode & 0o777).toBe(0o600)
  })

  it('writes nothing of a package that does not verify, and gives the verdict', async () => {
    const packed = packTaskPackage({ files: FILES })
    const blocks = new Map(packed.blocks)
    blocks.set(rawCidOf(encode('a')), encode('b'))
    const folder = await folders.make()
    const unpack = unpackPackage({
      source: blocksFrom(blocks),
      taskHash: packed.taskHash,
      output: join(dirname(folder), 'out'),
    })
    await expect(unpack).rejects.toMatchObject({
      name: 'PackageRefusedError',
      verdict: { findings: [{ code: 'object.hash-mismatch' }] },
    })
    expect(await namesBeside(folder)).toEqual(['task'])
  })

  it('refuses paths that are one name on another file system, or file and folder at once', async () => {
    for (const paths of [
      ['a', 'A'],
      ['a', 'a/b'],
      ['x/y', 'X/z'],
      ['caf\u00e9', 'cafe\u0301'],
    ]) {
      const folder = await folders.make()
      const unpack = unpackPackage({ ...hostilePackage(paths), output: join(dirname(folder), 'out') })
      await expect(unpack).rejects.toMatchObject({ name: 'OutputFolderError', code: 'name-collision' })
      expect(await namesBeside(folder)).toEqual(['task'])
    }
  })

  it('never overwrites a folder or file', async () => {
    const packed = packTaskPackage({ files: FILES })
    const folder = await folders.make()
    const base = { source: blocksFrom(packed.blocks), taskHash: packed.taskHash }
    await mkdir(join(folder, 'empty'))
    await writeFile(join(folder, 'file'), 'kept')
    for (const name of ['empty', 'file'])
      await expect(unpackPackage({ ...base, output: join(folder, name) })).rejects.toMatchObject({ code: 'exists' })
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('kept')
  })

  it('leaves nothing behind when it is aborted', async () => {
    const packed = packTaskPackage({ files: FILES })
    const folder = await folders.make()
    const controller = new AbortController()
    const unpack = unpackPackage({
      source: blocksFrom(packed.blocks),
      taskHash: packed.taskHash,
      output: join(dirname(folder), 'out'),
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    await expect(unpack).rejects.toMatchObject({ name: 'AbortError' })
    expect(await namesBeside(folder)).toEqual(['task'])
  })
})
