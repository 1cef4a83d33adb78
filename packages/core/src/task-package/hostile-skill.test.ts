import { describe, expect, it } from 'vitest'
import type { Encoded } from '../../test/cbor-writer.ts'
import * as cbor from '../../test/cbor-writer.ts'
import { type Cid, type MdHash, type PackageHash, rawCidOf, sha256, toDagCborCid } from '../digest/index.ts'
import { blocksFrom } from './blocks.ts'
import type { FindingCode } from './codes.ts'
import { verifySkillPackage } from './verify-skill.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const MD = utf8('# Skill\n')
const RUN = utf8('print(1)\n')
const LICENSE = utf8('CC0\n')
const MANIFEST = utf8('{"name":"skill"}')
const EARLIER = sha256(utf8('earlier root')) as PackageHash
const OBJECTS = [MD, RUN, LICENSE, MANIFEST]

type Fields = Record<string, Encoded | undefined>
const linkOf = (bytes: Uint8Array): Encoded => cbor.link(rawCidOf(bytes))
const entry = (path: string, bytes: Uint8Array, profile?: string): Encoded =>
  cbor.map({ path: cbor.text(path), cid: linkOf(bytes), ...(profile !== undefined && { profile: cbor.text(profile) }) })

/** A sound SkillRoot with the given fields in place of its own; undefined leaves a field out. */
function root(changes: Fields = {}, files: Record<string, Encoded> = {}): Encoded {
  const fields: Fields = {
    md: entry('SKILL.md', MD),
    manifest: linkOf(MANIFEST),
    entry: entry('run.py', RUN, 'python-v1'),
    license: entry('LICENSE', LICENSE),
    files: cbor.map({ 'run.py': linkOf(RUN), ...files }),
    ...changes,
  }
  const present = Object.entries(fields).filter((field): field is [string, Encoded] => field[1] !== undefined)
  return cbor.map(Object.fromEntries(present))
}

type Case = {
  objects?: readonly Uint8Array[]
  /** Blocks under the CID of others. */
  swapped?: readonly (readonly [Cid, Uint8Array])[]
  version?: bigint
  history?: readonly { packageHash: PackageHash; version: bigint }[]
  mdHash?: MdHash
  limits?: { files?: number; objectBytes?: number; packageBytes?: number; rootBytes?: number; jsonBytes?: number }
}

async function codesOf(bytes: Encoded, given: Case = {}): Promise<readonly FindingCode[]> {
  const packageHash = sha256(bytes) as PackageHash
  const blocks = new Map<Cid, Uint8Array>([[toDagCborCid(packageHash), bytes]])
  for (const block of given.objects ?? OBJECTS) blocks.set(rawCidOf(block), block)
  for (const [cid, block] of given.swapped ?? []) blocks.set(cid, block)
  const verdict = await verifySkillPackage({
    ...{ source: blocksFrom(blocks), packageHash },
    binding: { mdHash: given.mdHash ?? (sha256(MD) as MdHash), version: given.version ?? 1n },
    ...(given.history && { history: given.history }),
    ...(given.limits && { limits: given.limits }),
  })
  expect(verdict.ok).toBe(verdict.findings.length === 0)
  return verdict.findings.map(({ code }) => code)
}

const json = (text: string): [Encoded, Case] => [
  root({ manifest: linkOf(utf8(text)) }),
  { objects: [MD, RUN, LICENSE, utf8(text)] },
]
const withDescriptor = (document: unknown): [Encoded, Case] => {
  const bytes = utf8(JSON.stringify(document))
  return [root({ confidentiality: linkOf(bytes) }), { objects: [...OBJECTS, bytes] }]
}
const descriptor = (objects: Record<string, { ciphertext: string; plaintextHash: string }>) =>
  withDescriptor({ schemaVersion: '1.0', mode: 'encrypted', profile: 'x-unknown-v1', objects })
const atPath = (path: string): [Encoded] => [root({}, { [path]: linkOf(RUN) })]

it('a sound root of another encoder has no findings', async () => {
  expect(await codesOf(root())).toEqual([])
})

describe('each broken clause of a skill package has its code (ERC-8338)', () => {
  it.each<[FindingCode, string, Encoded, Case?]>([
    ['root.malformed', 'trailing bytes', Uint8Array.of(...root(), 0)],
    ['root.malformed', 'no CBOR at all', utf8('#!/bin/sh')],
    ['root.wrong-type', 'an array for a root', cbor.array()],
    [
      'root.too-deep',
      'arrays inside arrays',
      root({ license: cbor.array(cbor.array(cbor.array(cbor.array(cbor.array())))) }),
    ],
    [
      'root.not-canonical',
      'keys in another order',
      cbor.unsortedMap(
        [cbor.text('manifest'), linkOf(MANIFEST)],
        [cbor.text('md'), entry('SKILL.md', MD)],
        [cbor.text('entry'), entry('SKILL.md', MD, 'llm-markdown-v1')],
      ),
    ],
    ['root.null', 'a null license', root({ license: cbor.NULL })],
    ['root.float', 'a float', root({ license: cbor.ONE_AND_A_HALF })],
    ['root.unknown-key', 'a field that no skill has', root({ acceptance: entry('SKILL.md', MD, 'x') })],
    ['root.missing-key', 'no primary document', root({ md: undefined })],
    ['root.missing-key', 'no entry', root({ entry: undefined })],
    ['root.missing-key', 'no manifest', root({ manifest: undefined })],
    ['root.missing-key', 'an entry without its profile', root({ entry: entry('run.py', RUN) })],
    ['root.too-many-files', 'more files than the limit', root({}, { a: linkOf(RUN) }), { limits: { files: 1 } }],
    ['root.too-large', 'a root beyond the limit', root(), { limits: { rootBytes: 10 } }],
    ['link.malformed', 'a link that is text', root({ manifest: cbor.tagged(42, cbor.text('bafk')) })],
    [
      'link.codec',
      'a primary document that is no raw block',
      root({ md: cbor.map({ path: cbor.text('SKILL.md'), cid: cbor.link(toDagCborCid(EARLIER)) }) }),
    ],
    ['link.codec', 'a raw prev', root({ prev: linkOf(MD) }), { version: 2n }],
    ['path.absolute', 'an absolute path', ...atPath('/etc/passwd')],
    ['path.dot-segment', 'a path out of the folder', ...atPath('a/../../b')],
    ['path.backslash', 'a path of another system', ...atPath('a\\b')],
    ['path.empty-segment', 'a path with an empty segment', ...atPath('a//b')],
    ['path.empty', 'an empty path', ...atPath('')],
    ['path.control', 'a path with a control character', ...atPath('a\u0007b')],
    ['path.reserved', 'a file that shadows the manifest', ...atPath('manifest.json')],
    ['path.too-long', 'a path of a kilobyte', ...atPath('a'.repeat(1_025))],
    ['primary.in-files', 'the primary document among the files', root({}, { 'SKILL.md': linkOf(MD) })],
    ['terms.in-files', 'the license among the files', root({}, { LICENSE: linkOf(LICENSE) })],
    ['terms.not-distinct', 'a license that is the primary document', root({ license: entry('SKILL.md', MD) })],
    ['spec.not-in-files', 'an entry that is nowhere', root({ entry: entry('main.py', RUN, 'python-v1') })],
    ['spec.link-mismatch', 'an entry that is another file', root({ entry: entry('run.py', MD, 'python-v1') })],
    ['binding.version', 'version 0', root(), { version: 0n }],
    ['prev.unexpected', 'a first version with a predecessor', root({ prev: cbor.link(toDagCborCid(EARLIER)) })],
    ['prev.missing', 'a second version without one', root(), { version: 2n }],
    [
      'prev.mismatch',
      'a predecessor that is another one',
      root({ prev: cbor.link(toDagCborCid(sha256(MD) as PackageHash)) }),
      { version: 2n, history: [{ packageHash: EARLIER, version: 1n }] },
    ],
    ['object.missing', 'a file that nobody has', root(), { objects: [MD, LICENSE, MANIFEST] }],
    ['object.hash-mismatch', 'other bytes under a link', root(), { swapped: [[rawCidOf(RUN), utf8('rm -rf /')]] }],
    ['package.too-large', 'more bytes than the limit', root(), { limits: { packageBytes: 10 } }],
    ['primary.hash-mismatch', 'another document than was bound', root(), { mdHash: sha256(RUN) as MdHash }],
    ['json.syntax', 'a manifest that is no JSON', ...json('{')],
    ['json.duplicate-key', 'a manifest with a repeated key', ...json('{"a":1,"a":2}')],
    ['json.too-deep', 'a manifest that nests', ...json('['.repeat(40) + ']'.repeat(40))],
    ['json.bom', 'a manifest with a byte order mark', ...json('\ufeff{}')],
    ['json.too-large', 'a manifest beyond the limit', root(), { limits: { jsonBytes: 3 } }],
    ['confidentiality.schema', 'a descriptor without its fields', ...withDescriptor({})],
    [
      'confidentiality.unknown-path',
      'a descriptor of a path that is nowhere',
      ...descriptor({ 'none.py': { ciphertext: rawCidOf(RUN), plaintextHash: sha256(RUN) } }),
    ],
    [
      'confidentiality.ciphertext-mismatch',
      'a descriptor of other ciphertext',
      ...descriptor({ 'run.py': { ciphertext: rawCidOf(MD), plaintextHash: sha256(RUN) } }),
    ],
    [
      'confidentiality.primary-hash',
      'a descriptor of another primary document',
      ...descriptor({ 'SKILL.md': { ciphertext: rawCidOf(MD), plaintextHash: sha256(RUN) } }),
    ],
  ])('%s: %s', async (code, _, bytes, given) => {
    expect(await codesOf(bytes, given)).toContain(code)
  })

  it('object.too-large: a file beyond the limit', async () => {
    const large = new Uint8Array(100)
    const bytes = root({ entry: entry('run.py', large, 'python-v1') }, { 'run.py': linkOf(large) })
    const codes = await codesOf(bytes, { objects: [...OBJECTS, large], limits: { objectBytes: 64 } })
    expect(codes).toContain('object.too-large')
  })

  it('primary.not-utf8: a primary document that is no text', async () => {
    const noText = Uint8Array.of(0xff, 0xfe)
    const bytes = root({ md: entry('SKILL.md', noText) })
    const codes = await codesOf(bytes, { objects: [...OBJECTS, noText], mdHash: sha256(noText) as MdHash })
    expect(codes).toEqual(['primary.not-utf8'])
  })

  it('root.missing and root.hash-mismatch: no root, and another one', async () => {
    const packageHash = sha256(root()) as PackageHash
    const cid = toDagCborCid(packageHash)
    const none = await verifySkillPackage({ source: blocksFrom(new Map()), packageHash })
    expect(none).toMatchObject({ status: 'incomplete', findings: [{ code: 'root.missing' }] })
    const other = new Map<Cid, Uint8Array>([[cid, root({ license: undefined })]])
    const verdict = await verifySkillPackage({ source: blocksFrom(other), packageHash })
    expect(verdict).toMatchObject({ status: 'invalid', findings: [{ code: 'root.hash-mismatch' }] })
  })
})
