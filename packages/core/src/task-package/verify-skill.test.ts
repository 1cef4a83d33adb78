import { describe, expect, it } from 'vitest'
import { namedEntropy } from '../../test/entropy.ts'
import { RECIPIENT } from '../../test/sealed-packages.ts'
import { type Cid, type MdHash, type PackageHash, rawCidOf, sha256, toDagCborCid } from '../digest/index.ts'
import { blocksFrom } from './blocks.ts'
import { encodeSortedJson } from './json.ts'
import { createSealedOpener } from './sealed/open.ts'
import { createSealer } from './sealed/seal.ts'
import { packSkillRoot, type SkillRoot } from './skill-root.ts'
import { verifySkillPackage } from './verify-skill.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const MD = utf8('# Skill\n')
const RUN = utf8('print(1)\n')
const LICENSE = utf8('CC0\n')
const MANIFEST = utf8('{"name":"skill"}')

function makeSkill(changes: Partial<SkillRoot> = {}, more: readonly Uint8Array[] = []) {
  const run = { path: 'run.py', cid: rawCidOf(RUN) }
  const bytes = packSkillRoot({
    md: { path: 'SKILL.md', cid: rawCidOf(MD) },
    manifest: rawCidOf(MANIFEST),
    entry: { ...run, profile: 'python-v1' },
    license: { path: 'LICENSE', cid: rawCidOf(LICENSE) },
    files: new Map([[run.path, run.cid]]),
    ...changes,
  })
  const packageHash = sha256(bytes) as PackageHash
  const blocks = new Map<Cid, Uint8Array>([[toDagCborCid(packageHash), bytes]])
  for (const block of [MD, RUN, LICENSE, MANIFEST, ...more]) blocks.set(rawCidOf(block), block)
  return { packageHash, blocks, binding: { mdHash: sha256(MD) as MdHash, version: 1n } }
}

describe('verifySkillPackage (ERC-8338)', () => {
  it('verifies every object of a public package', async () => {
    const { packageHash, blocks, binding } = makeSkill()
    const verdict = await verifySkillPackage({ source: blocksFrom(blocks), packageHash, binding })
    expect(verdict).toMatchObject({ ok: true, facts: { paths: 3, notChecked: [], primary: { hash: binding.mdHash } } })
  })

  it('finds a missing file, another document and a manifest that is not JSON', async () => {
    const { packageHash, blocks, binding } = makeSkill()
    blocks.delete(rawCidOf(RUN))
    const missing = await verifySkillPackage({ source: blocksFrom(blocks), packageHash, binding })
    expect(missing).toMatchObject({ status: 'incomplete', findings: [{ code: 'object.missing' }] })
    const other = makeSkill()
    const wrong = { mdHash: sha256(RUN) as MdHash, version: 1n }
    const verdict = await verifySkillPackage({
      source: blocksFrom(other.blocks),
      packageHash: other.packageHash,
      binding: wrong,
    })
    expect(verdict.findings).toMatchObject([{ code: 'primary.hash-mismatch' }])
    const broken = makeSkill({ manifest: rawCidOf(utf8('{')) }, [utf8('{')])
    const json = await verifySkillPackage({ ...broken, source: blocksFrom(broken.blocks) })
    expect(json.findings).toMatchObject([{ code: 'json.syntax', where: 'manifest' }])
  })

  it('applies the version chain', async () => {
    const first = makeSkill()
    const next = makeSkill({ prev: toDagCborCid(first.packageHash) })
    const history = [{ packageHash: first.packageHash, version: 1n }]
    const options = { ...next, source: blocksFrom(next.blocks), history }
    expect((await verifySkillPackage({ ...options, binding: { ...next.binding, version: 2n } })).findings).toEqual([])
    expect((await verifySkillPackage({ ...options, history: [] })).findings).toMatchObject([
      { code: 'prev.unexpected' },
    ])
  })

  it('opens a confidential skill with a key', async () => {
    const cipher = createSealer({ recipients: [RECIPIENT.publicKey], entropy: namedEntropy('skill') })
    const sealed = cipher.seal('run.py', RUN)
    const descriptor = encodeSortedJson({
      ...cipher.describe(),
      schemaVersion: '1.0',
      mode: cipher.mode,
      profile: cipher.profile,
      objects: { 'run.py': { ciphertext: rawCidOf(sealed), plaintextHash: sha256(RUN) } },
    })
    const run = { path: 'run.py', cid: rawCidOf(sealed) }
    const links = { entry: { ...run, profile: 'python-v1' }, files: new Map([[run.path, run.cid]]) }
    const skill = makeSkill({ ...links, confidentiality: rawCidOf(descriptor) }, [sealed, descriptor])
    const openers = [createSealedOpener({ secretKey: RECIPIENT.secretKey })]
    const verdict = await verifySkillPackage({ ...skill, source: blocksFrom(skill.blocks), openers })
    expect(verdict).toMatchObject({ ok: true, facts: { notChecked: [], confidentiality: { paths: ['run.py'] } } })
  })

  it('refuses what breaks the interlocks of entry and license', () => {
    const cid = rawCidOf(MD)
    expect(() => makeSkill({ entry: { path: 'none', cid, profile: 'p' } })).toThrow(/spec\.not-in-files/)
    expect(() => makeSkill({ entry: { path: 'run.py', cid, profile: 'p' } })).toThrow(/spec\.link-mismatch/)
    expect(() => makeSkill({ license: { path: 'run.py', cid: rawCidOf(RUN) } })).toThrow(/terms\.in-files/)
    expect(() => makeSkill({ license: { path: 'SKILL.md', cid } })).toThrow(/terms\.not-distinct/)
    expect(makeSkill({ entry: { path: 'SKILL.md', cid, profile: 'llm-markdown-v1' } }).packageHash).toMatch(/^0x/)
  })
})
