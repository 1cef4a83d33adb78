import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  createSealedOpener,
  createSealer,
  type ObjectCipher,
  PackageInputError,
  packTaskPackage,
  sealedKeyPair,
} from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { findConformance, optionsFromFlags, readPublishedPackages } from '../../../core/test/conformance.ts'
import { collect, namesBeside, temporaryFolders, writeTree } from '../../test/temporary-folder.ts'
import { openContentStore } from './content-store.ts'
import { PACKED_NAMES, packFolder } from './pack-folder.ts'
import { verifyFolder } from './verify-folder.ts'

const folders = temporaryFolders()
const TREE = { 'TASK.md': '# Work\n', 'TERMS.md': 'terms\n', 'data/a.txt': 'a', 'data/b.txt': 'bb' }
let seed = 0
const entropy = (length: number) =>
  Uint8Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) >>> 0
    return seed >>> 24
  })

describe('packFolder', () => {
  it('gives the same root as packing in memory', async () => {
    const folder = await folders.make(TREE, 'input')
    const files = new Map(Object.entries(TREE).map(([path, text]) => [path, new TextEncoder().encode(text)]))
    const packed = await packFolder(folder)
    expect(packed.taskHash).toBe(packTaskPackage({ files, name: 'input' }).taskHash)
    expect(packed.output).toBeUndefined()
    expect(await namesBeside(folder)).toEqual(['input'])
  })

  it('writes root, index and a content store that verifies', async () => {
    const folder = await folders.make(TREE)
    const output = join(dirname(folder), 'packed')
    const packed = await packFolder(folder, { output })
    expect((await readdir(output)).sort()).toEqual(['index.json', 'objects', 'root.cbor'])
    expect(new Uint8Array(await readFile(join(output, PACKED_NAMES.root)))).toEqual(packed.rootBytes)
    const store = await openContentStore(join(output, PACKED_NAMES.objects))
    const cids = await collect(store.list())
    expect(cids.sort()).toEqual([...new Set([...packed.leaves.map(({ cid }) => cid), packed.rootCid])].sort())
    const verdict = await verifyFolder(output, {
      taskHash: packed.taskHash,
      binding: { tdHash: packed.tdHash, version: 1n },
    })
    expect(verdict.findings).toEqual([])
    expect(verdict.kind).toBe('packed')
    expect(await namesBeside(folder)).toEqual(['packed', 'task'])
  })

  it('packs a file of several pieces and of 0 bytes', async () => {
    const big = new Uint8Array(2_500_001).map((_, index) => index * 7)
    const folder = await folders.make({ 'TASK.md': 'x', big, empty: '' }, 'input')
    const files = new Map<string, Uint8Array>([
      ['TASK.md', new TextEncoder().encode('x')],
      ['big', big],
      ['empty', new Uint8Array()],
    ])
    const output = join(dirname(folder), 'packed')
    expect((await packFolder(folder, { output })).taskHash).toBe(packTaskPackage({ files, name: 'input' }).taskHash)
    expect((await verifyFolder(output)).ok).toBe(true)
  })

  it('reports progress up to the whole', async () => {
    const folder = await folders.make(TREE)
    const seen: number[] = []
    let last = { filesDone: 0, files: 0, bytesDone: 0, bytes: 0 }
    await packFolder(folder, {
      onProgress: (progress) => {
        seen.push(progress.bytesDone)
        last = progress
      },
    })
    expect(last.filesDone).toBe(4)
    expect(last.bytesDone).toBe(last.bytes)
    expect(seen).toEqual([...seen].sort((left, right) => left - right))
  })
})

describe('packFolder refuses', () => {
  it('symbolic links to files and folders, which can lead outside', async () => {
    for (const target of ['/etc/passwd', '/etc', 'TASK.md', 'missing']) {
      const folder = await folders.make(TREE)
      await symlink(target, join(folder, 'data', 'link'))
      await expect(packFolder(folder)).rejects.toMatchObject({
        name: 'SourceFolderError',
        code: 'symbolic-link',
        path: 'data/link',
      })
    }
  })

  it('special files, without waiting for them', async () => {
    const folder = await folders.make(TREE)
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await expect(packFolder(folder)).rejects.toMatchObject({ code: 'special-file', path: 'pipe' })
  })

  it('dot files and files in dot folders, unless listed or all let in', async () => {
    const folder = await folders.make({ ...TREE, '.env': 'KEY=1', '.git/config': 'x' })
    await expect(packFolder(folder)).rejects.toMatchObject({ code: 'hidden-file' })
    await expect(packFolder(folder, { hidden: ['.env'] })).rejects.toMatchObject({ code: 'hidden-file', path: '.git' })
    const listed = await packFolder(folder, { hidden: ['.env', '.git/config'] })
    const all = await packFolder(folder, { includeHidden: true })
    expect(listed.leaves.map(({ path }) => path)).toContain('.git/config')
    expect(listed.taskHash).toBe(all.taskHash)
  })

  it('names that are one name on another file system', async () => {
    for (const pair of [
      ['readme', 'README'],
      ['caf\u00e9', 'cafe\u0301'],
      ['stra\u00dfe', 'STRASSE'],
      ['Data/x', 'data/y'],
    ]) {
      const folder = await folders.make({ 'TASK.md': 'x', [pair[0] ?? '']: '1', [pair[1] ?? '']: '2' })
      await expect(packFolder(folder)).rejects.toMatchObject({ code: 'name-collision' })
    }
  })

  it('names that are not UTF-8 and names with control characters or a backslash', async () => {
    const folder = await folders.make(TREE)
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff])]), 'x')
    await expect(packFolder(folder)).rejects.toMatchObject({ code: 'bad-name' })
    for (const name of ['a\nb', 'a\\b', 'a\u0085']) {
      const other = await folders.make({ 'TASK.md': 'x', [name]: '1' })
      await expect(packFolder(other)).rejects.toMatchObject({ code: 'bad-name' })
    }
  })

  it('a file that changes while it is read', async () => {
    const folder = await folders.make({ 'TASK.md': 'x', 'data/a': new Uint8Array(3_000_000), 'data/b': 'b' })
    const output = join(dirname(folder), 'packed')
    let done = false
    const pack = packFolder(folder, {
      output,
      concurrency: 1,
      onProgress: ({ bytesDone }) => {
        if (!done && bytesDone > 1_000_000) {
          done = true
          appendFileSync(join(folder, 'data', 'a'), 'more')
        }
      },
    })
    await expect(pack).rejects.toMatchObject({ code: 'file-changed', path: 'data/a', retryable: true })
    expect(await namesBeside(folder)).toEqual(['task'])
  })

  it('too many files, a file and a package beyond the limits', async () => {
    const folder = await folders.make(TREE)
    await expect(packFolder(folder, { limits: { files: 1 } })).rejects.toMatchObject({
      name: 'PackageInputError',
      subject: 'files',
    })
    await expect(packFolder(folder, { limits: { objectBytes: 6 } })).rejects.toMatchObject({
      code: 'file-too-large',
      path: 'TASK.md',
    })
    await expect(packFolder(folder, { limits: { packageBytes: 9 } })).rejects.toMatchObject({
      code: 'package-too-large',
    })
  })

  it('an output that exists, lies in the source, or has no parent', async () => {
    const folder = await folders.make(TREE)
    await expect(packFolder(folder, { output: folder })).rejects.toMatchObject({
      name: 'OutputFolderError',
      code: 'exists',
    })
    await expect(packFolder(folder, { output: join(folder, 'data', 'out') })).rejects.toMatchObject({
      code: 'overlaps-source',
    })
    await expect(packFolder(folder, { output: join(folder, 'no', 'out') })).rejects.toMatchObject({ code: 'no-parent' })
    await symlink(folder, `${folder}-alias`)
    await expect(packFolder(folder, { output: join(`${folder}-alias`, 'out') })).rejects.toMatchObject({
      code: 'overlaps-source',
    })
    expect((await readdir(folder)).sort()).toEqual(['TASK.md', 'TERMS.md', 'data'])
  })

  it('a folder that is absent or a file', async () => {
    const folder = await folders.make(TREE)
    await expect(packFolder(join(folder, 'absent'))).rejects.toMatchObject({ code: 'not-a-folder' })
    await expect(packFolder(join(folder, 'TASK.md'))).rejects.toMatchObject({ code: 'not-a-folder' })
  })

  it('a file named like a descriptor that only a packer makes', async () => {
    const folder = await folders.make({ ...TREE, 'confidentiality.json': '{}' })
    await expect(packFolder(folder)).rejects.toThrow(/path\.reserved/)
  })

  it('a manifest or descriptor that a verifier would refuse', async () => {
    const folder = await folders.make({ ...TREE, 'manifest.json': '{"schemaVersion":"1.0"}' })
    await expect(packFolder(folder)).rejects.toMatchObject({ name: 'PackageRootError' })
    const other = await folders.make({
      ...TREE,
      'fulfillment.json': '{"schemaVersion":"1.0","mode":"replicated","maxCompletions":2}',
    })
    await expect(packFolder(other, { maxCompletions: 3n })).rejects.toMatchObject({
      findings: [{ code: 'fulfillment.max-completions' }],
    })
  })
})

describe('packFolder leaves nothing behind', () => {
  it('when it is aborted', async () => {
    const folder = await folders.make({ ...TREE, big: new Uint8Array(4_000_000) })
    const controller = new AbortController()
    const reason = new Error('stopped by the test')
    const pack = packFolder(folder, {
      output: join(dirname(folder), 'packed'),
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    })
    await expect(pack).rejects.toBe(reason)
    expect(await namesBeside(folder)).toEqual(['task'])
  })

  it('when the cipher fails in the middle', async () => {
    const folder = await folders.make(TREE)
    const broken: ObjectCipher = {
      profile: 'x-broken',
      mode: 'encrypted',
      seal: () => {
        throw new Error('no entropy')
      },
      describe: () => ({}),
    }
    const pack = packFolder(folder, {
      output: join(dirname(folder), 'packed'),
      encrypt: { paths: ['data/b.txt'], cipher: broken },
    })
    await expect(pack).rejects.toThrow('no entropy')
    expect(await namesBeside(folder)).toEqual(['task'])
  })
})

describe('packFolder with encryption', () => {
  it('writes no plaintext of encrypted files, and a key opens them', async () => {
    const secret = 'the secret scope of the engagement'
    const folder = await folders.make({ 'TASK.md': `# ${secret}`, 'data/secret.txt': secret })
    const { publicKey, secretKey } = sealedKeyPair(entropy)
    const output = join(dirname(folder), 'packed')
    const cipher = createSealer({ recipients: [publicKey], entropy })
    const packed = await packFolder(folder, { output, encrypt: { paths: ['TASK.md', 'data/secret.txt'], cipher } })
    for (const entry of await readdir(output, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      expect((await readFile(join(entry.parentPath, entry.name))).includes('secret scope')).toBe(false)
    }
    const binding = { tdHash: packed.tdHash, version: 1n }
    const closed = await verifyFolder(output, { binding })
    expect(closed.status).toBe('valid')
    expect(closed.facts.notChecked).toEqual(['plaintext'])
    const opened = await verifyFolder(output, { binding, openers: [createSealedOpener({ secretKey })] })
    expect(opened.status).toBe('valid')
    expect(opened.facts.primary).toEqual({ hash: packed.tdHash, known: 'computed' })
  })

  it('refuses to encrypt the manifest, a descriptor or an absent path', async () => {
    const folder = await folders.make({
      ...TREE,
      'fulfillment.json': '{"schemaVersion":"1.0","mode":"replicated","maxCompletions":2}',
    })
    const cipher = createSealer({ recipients: [sealedKeyPair(entropy).publicKey], entropy })
    for (const path of ['manifest.json', 'fulfillment.json', 'absent'])
      await expect(packFolder(folder, { encrypt: { paths: [path], cipher } })).rejects.toBeInstanceOf(PackageInputError)
  })
})

const conformance = findConformance()
describe.skipIf(conformance === undefined)('packFolder on published packages', () => {
  for (const { name, files, flags, expected } of conformance === undefined ? [] : readPublishedPackages(conformance)) {
    it(`${name}: published hashes`, async () => {
      const folder = await folders.make({}, 'input')
      await writeTree(folder, Object.fromEntries(files))
      const packed = await packFolder(folder, optionsFromFlags(flags))
      expect(packed.taskHash).toBe(expected.taskHash)
      expect(packed.tdHash).toBe(expected.tdHash)
    })
  }
})
