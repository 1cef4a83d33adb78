import { readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { blocksFrom, type Cid, packSkillPackage, rawCidOf, verifySkillPackage } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { namesBeside, temporaryFolders } from '../../test/temporary-folder.ts'
import { openContentStore } from './content-store.ts'
import { packSkillFolder } from './pack-skill-folder.ts'
import { unpackSkillPackage } from './unpack-package.ts'

const folders = temporaryFolders()
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const TREE = { 'SKILL.md': '# Skill\n', 'manifest.json': '{"name":"skill"}', 'src/run.py': 'print(1)\n' }
const ROLES = { entry: 'src/run.py', entryProfile: 'python-v1' }

describe('packSkillFolder', () => {
  it('gives the hash of the same files in memory, and puts every object into the store', async () => {
    const folder = await folders.make(TREE)
    const store = await openContentStore(await folders.make())
    const packed = await packSkillFolder(folder, { ...ROLES, store })
    const files = new Map(Object.entries(TREE).map(([path, text]) => [path, utf8(text)]))
    expect(packed.packageHash).toBe(packSkillPackage({ ...ROLES, files }).packageHash)
    expect((await packSkillFolder(folder, ROLES)).packageHash).toBe(packed.packageHash)
    const verdict = await verifySkillPackage({ source: store, packageHash: packed.packageHash })
    expect(verdict).toMatchObject({ ok: true, facts: { paths: 2 } })
  })

  it('refuses what cannot be a skill, and leads nowhere outside', async () => {
    const plain = await folders.make({ 'SKILL.md': '# Skill' })
    await expect(packSkillFolder(plain)).rejects.toThrow('a skill brings its manifest')
    const linked = await folders.make(TREE)
    await symlink('/etc/passwd', join(linked, 'secret'))
    await expect(packSkillFolder(linked)).rejects.toMatchObject({ name: 'SourceFolderError' })
  })
})

describe('unpackSkillPackage', () => {
  it('writes a package that packs to the same hash again', async () => {
    const store = await openContentStore(await folders.make())
    const { packageHash } = await packSkillFolder(await folders.make(TREE), { ...ROLES, store })
    const output = join(dirname(await folders.make()), 'skill')
    const unpacked = await unpackSkillPackage({ packageHash, source: store, output })
    expect(unpacked.files.map(({ path }) => path).sort()).toEqual(Object.keys(TREE).sort())
    expect(await readFile(join(output, 'src/run.py'), 'utf8')).toBe(TREE['src/run.py'])
    expect((await packSkillFolder(output, ROLES)).packageHash).toBe(packageHash)
  })

  it('writes nothing of a package that is broken', async () => {
    const packed = packSkillPackage({ files: new Map(Object.entries(TREE).map(([path, text]) => [path, utf8(text)])) })
    const swapped = new Map<Cid, Uint8Array>([...packed.blocks, [rawCidOf(utf8(TREE['src/run.py'])), utf8('rm -rf /')]])
    const output = join(dirname(await folders.make()), 'broken')
    const options = { packageHash: packed.packageHash, source: blocksFrom(swapped), output }
    await expect(unpackSkillPackage(options)).rejects.toMatchObject({
      name: 'PackageRefusedError',
      verdict: { findings: [{ code: 'object.hash-mismatch' }] },
    })
    expect(await namesBeside(output)).not.toContain('broken')
  })
})
