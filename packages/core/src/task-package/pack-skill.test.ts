import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findConformance } from '../../test/conformance.ts'
import { namedEntropy } from '../../test/entropy.ts'
import { RECIPIENT } from '../../test/sealed-packages.ts'
import { cidDigest, parsePackageHash, parseSha256Digest, sha256, toRawCid } from '../digest/index.ts'
import { blocksFrom } from './blocks.ts'
import { assembleSkillPackage, packSkillPackage, planSkillPackage } from './pack-skill.ts'
import { createPackageReader } from './package-reader.ts'
import { createSealedOpener } from './sealed/open.ts'
import { createSealer } from './sealed/seal.ts'
import { packSkillRoot, unpackSkillRoot } from './skill-root.ts'
import { verifySkillPackage } from './verify-skill.ts'

const conformance = findConformance()
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const FILES = new Map([
  ['SKILL.md', utf8('# Skill\n')],
  ['manifest.json', utf8('{"name":"skill"}')],
  ['LICENSE', utf8('CC0\n')],
  ['run.py', utf8('print(1)\n')],
])
const without = (path: string) => new Map([...FILES].filter(([name]) => name !== path))

describe('packSkillPackage (ERC-8338)', () => {
  it('gives a package that verifies, with the usual names in their places', async () => {
    const packed = packSkillPackage({ files: FILES, entry: 'run.py', entryProfile: 'python-v1' })
    const { root, packageHash, mdHash, blocks } = packed
    expect(root.md.path).toBe('SKILL.md')
    expect(root.license?.path).toBe('LICENSE')
    expect(root.entry).toMatchObject({ path: 'run.py', profile: 'python-v1' })
    expect([...(root.files?.keys() ?? [])]).toEqual(['run.py'])
    const binding = { mdHash, version: 1n }
    const verdict = await verifySkillPackage({ source: blocksFrom(blocks), packageHash, binding })
    expect(verdict).toMatchObject({ ok: true, facts: { paths: 3, notChecked: [] } })
    const { documents, read } = await createPackageReader({ root, source: blocksFrom(blocks) })
    const license = documents.find(({ path }) => path === 'LICENSE')
    expect(license && (await read(license))).toEqual(FILES.get('LICENSE'))
  })

  it('runs the primary document by default, links the version before, and keeps secrets', async () => {
    const first = packSkillPackage({ files: FILES })
    expect(first.root.entry).toMatchObject({ path: 'SKILL.md', profile: 'llm-markdown-v1' })
    const cipher = createSealer({ recipients: [RECIPIENT.publicKey], entropy: namedEntropy('skill') })
    const encrypt = { paths: ['run.py'], cipher }
    const next = packSkillPackage({ files: FILES, prev: first.packageHash, encrypt })
    const openers = [createSealedOpener({ secretKey: RECIPIENT.secretKey })]
    const verdict = await verifySkillPackage({
      ...{ source: blocksFrom(next.blocks), packageHash: next.packageHash, openers },
      binding: { mdHash: next.mdHash, version: 2n },
      history: [{ packageHash: first.packageHash, version: 1n }],
    })
    expect(verdict).toMatchObject({ ok: true, facts: { confidentiality: { paths: ['run.py'] } } })
    const plain = FILES.get('run.py') ?? new Uint8Array()
    expect([...next.blocks.values()]).not.toContainEqual(plain)
  })

  it.each<[string, Parameters<typeof packSkillPackage>[0]]>([
    ['SKILL.md is not in the package', { files: without('SKILL.md') }],
    ['a skill brings its manifest', { files: without('manifest.json') }],
    ['run.sh is not in the package', { files: FILES, entry: 'run.sh', entryProfile: 'x' }],
    ['says how run.py is run', { files: FILES, entry: 'run.py' }],
    ['path.dot-segment', { files: new Map([...FILES, ['../x', utf8('')]]) }],
    ['path.reserved', { files: new Map([...FILES, ['confidentiality.json', utf8('{}')]]) }],
    ['expected 1 or fewer', { files: new Map([...FILES, ['x', utf8('')]]), limits: { files: 1 } }],
    ['expected 3 or less', { files: FILES, limits: { objectBytes: 3 } }],
    ['json.syntax', { files: new Map([...FILES, ['manifest.json', utf8('{')]]) }],
    ['primary.not-utf8', { files: new Map([...FILES, ['SKILL.md', Uint8Array.of(0xff)]]) }],
    ['terms.not-distinct', { files: FILES, license: 'SKILL.md' }],
  ])('refuses what a verifier would: %s', (problem, options) => {
    expect(() => packSkillPackage(options)).toThrow(problem)
  })
})

describe.skipIf(conformance === undefined)('published skill packages (ERC-8338)', () => {
  it.each(['public-v1', 'custom-primary-path-v1', 'update-v2-companion-only'])(
    '%s: the same leaves give the same hash',
    (name) => {
      const folder = join(conformance ?? '', 'skill-packages', name)
      const vector = JSON.parse(readFileSync(join(folder, 'vector.json'), 'utf8')) as {
        packageHash: string
        leaves: Record<string, string>
      }
      const bytes = new Uint8Array(readFileSync(join(folder, 'skillroot.cbor')))
      const { entry, md, prev } = unpackSkillRoot(bytes)
      const roles = { primary: md.path, entry: entry.path, entryProfile: entry.profile }
      const plan = planSkillPackage(Object.keys(vector.leaves), roles)
      const leaves = Object.entries(vector.leaves).map(([path, digest]) => {
        return [path, { cid: toRawCid(parseSha256Digest(digest)), sizeBytes: 0 }] as const
      })
      const manifest = utf8('{}')
      const { root } = assembleSkillPackage({
        ...{ plan, leaves: new Map(leaves), primary: utf8(''), manifest },
        ...(prev && { prev: parsePackageHash(cidDigest(prev)) }),
      })
      // the bytes of the manifest are not published, its digest is
      const published = { ...root, manifest: toRawCid(parseSha256Digest(vector.leaves['manifest.json'] ?? '')) }
      expect(sha256(bytes)).toBe(vector.packageHash)
      expect(packSkillRoot(published)).toEqual(bytes)
    },
  )
})
