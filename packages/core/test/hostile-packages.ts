import { concatBytes } from '@noble/hashes/utils.js'
import { type Cid, rawCidOf, sha256, type TaskHash, type TdHash, toDagCborCid } from '../src/digest/index.ts'
import type { FindingCode, PackageLimits } from '../src/task-package/index.ts'
import type { Encoded } from './cbor-writer.ts'
import * as cbor from './cbor-writer.ts'

/** A package that breaks clauses, with what it is compared with and the codes that a verifier must give, in order. */
export type HostilePackage = {
  readonly name: string
  readonly taskHash: TaskHash
  readonly blocks: ReadonlyMap<Cid, Uint8Array>
  readonly binding?: { readonly tdHash: TdHash; readonly version: bigint }
  readonly terms?: { readonly maxCompletions: bigint }
  readonly history?: readonly { readonly taskHash: TaskHash; readonly version: bigint }[]
  readonly limits?: Partial<PackageLimits>
  readonly secretKey?: Uint8Array
  readonly codes: readonly FindingCode[]
}

const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value)
const TASK = utf8('# Work\n')
const SPEC = utf8('spec: 1\n')
const CHECK = utf8('check: 1\n')
const TERMS = utf8('terms\n')
const DATA = utf8('data')
const MANIFEST = utf8('{"schemaVersion":"1.0","name":"n","taskVersion":"1","summary":"s","specPath":"spec.yaml"}')
const FULFILLMENT = utf8('{"schemaVersion":"1.0","mode":"replicated","maxCompletions":3}')
const TD_HASH = sha256(TASK) as TdHash
const EARLIER = sha256(utf8('earlier root')) as TaskHash

type Fields = Record<string, Encoded>
const linkOf = (bytes: Uint8Array): Encoded => cbor.link(rawCidOf(bytes))
const entry = (path: string, bytes: Uint8Array, profile?: string): Encoded =>
  cbor.map({ path: cbor.text(path), cid: linkOf(bytes), ...(profile !== undefined && { profile: cbor.text(profile) }) })

/** Fields of a sound root, with the given ones in place of its own; undefined leaves a field out. */
function fields(changes: Record<string, Encoded | undefined> = {}, files: Fields = {}): Fields {
  const sound: Record<string, Encoded | undefined> = {
    td: entry('TASK.md', TASK),
    manifest: linkOf(MANIFEST),
    spec: entry('spec.yaml', SPEC, 'x-spec-v1'),
    acceptance: entry('check.yaml', CHECK, 'x-check-v1'),
    fulfillment: linkOf(FULFILLMENT),
    terms: entry('TERMS.md', TERMS),
    files: cbor.map({ 'spec.yaml': linkOf(SPEC), 'check.yaml': linkOf(CHECK), data: linkOf(DATA), ...files }),
    ...changes,
  }
  return Object.fromEntries(Object.entries(sound).filter((field): field is [string, Encoded] => field[1] !== undefined))
}

type Context = Omit<HostilePackage, 'name' | 'taskHash' | 'blocks' | 'codes'> & {
  readonly objects?: readonly Uint8Array[]
}

function hostile(name: string, root: Encoded, codes: readonly FindingCode[], context: Context = {}): HostilePackage {
  const { objects = [TASK, SPEC, CHECK, TERMS, DATA, MANIFEST, FULFILLMENT], ...rest } = context
  const taskHash = sha256(root) as TaskHash
  const blocks = new Map<Cid, Uint8Array>([[toDagCborCid(taskHash), root]])
  for (const bytes of objects) blocks.set(rawCidOf(bytes), bytes)
  return { name, taskHash, blocks, ...rest, codes }
}

const root = (changes?: Record<string, Encoded | undefined>, files?: Fields): Encoded =>
  cbor.map(fields(changes, files))
const withFile = (path: string, code: FindingCode, limits?: Partial<PackageLimits>): HostilePackage =>
  hostile(`path ${JSON.stringify(path.slice(0, 20))}`, root({}, { [path]: linkOf(DATA) }), [code], limits && { limits })

function withoutBlock(sound: HostilePackage, cid: Cid, name: string, codes: readonly FindingCode[]): HostilePackage {
  return { ...sound, name, codes, blocks: new Map([...sound.blocks].filter(([key]) => key !== cid)) }
}

function withBlock(
  sound: HostilePackage,
  cid: Cid,
  bytes: Uint8Array,
  name: string,
  codes: readonly FindingCode[],
): HostilePackage {
  return { ...sound, name, codes, blocks: new Map([...sound.blocks, [cid, bytes]]) }
}

function withManifest(
  name: string,
  manifest: Uint8Array,
  codes: readonly FindingCode[],
  limits?: Partial<PackageLimits>,
) {
  const objects = [TASK, SPEC, CHECK, TERMS, DATA, FULFILLMENT, manifest]
  return hostile(name, root({ manifest: linkOf(manifest) }), codes, { objects, ...(limits && { limits }) })
}

function withFulfillment(name: string, document: string, codes: readonly FindingCode[], maxCompletions = 3n) {
  const bytes = utf8(document)
  const objects = [TASK, SPEC, CHECK, TERMS, DATA, MANIFEST, bytes]
  return hostile(name, root({ fulfillment: linkOf(bytes) }), codes, { objects, terms: { maxCompletions } })
}

/** A package whose descriptor says that `data` is encrypted, by a profile that nobody knows. */
function withDescriptor(name: string, document: string, codes: readonly FindingCode[], context: Context = {}) {
  const bytes = utf8(document)
  const objects = [TASK, SPEC, CHECK, TERMS, DATA, MANIFEST, FULFILLMENT, bytes]
  return hostile(name, root({ confidentiality: linkOf(bytes) }), codes, { objects, ...context })
}

function descriptor(objects: Record<string, { ciphertext: string; plaintextHash: string }>): string {
  return JSON.stringify({ schemaVersion: '1.0', mode: 'encrypted', profile: 'x-unknown-v1', objects })
}

const PLAIN = sha256(utf8('plaintext'))
const cidOf = (bytes: Uint8Array): Cid => rawCidOf(bytes)
const manifestText = (more: string): Uint8Array => utf8(new TextDecoder().decode(MANIFEST).replace('{', `{${more},`))
const nested = (depth: number): string => `"x":${'['.repeat(depth)}${']'.repeat(depth)}`

function encodings(): HostilePackage[] {
  const soundFields = fields()
  const pairs = Object.entries(soundFields).map(([key, value]): [Encoded, Encoded] => [cbor.text(key), value])
  const sorted = root()
  const binary = (...bytes: number[]) => cbor.tagged(42, cbor.byteString(Uint8Array.from(bytes)))
  const digest = [...new Uint8Array(32)]
  return [
    hostile('empty root', new Uint8Array(), ['root.malformed']),
    hostile('garbage', Uint8Array.of(0xff, 0xff), ['root.malformed']),
    hostile('trailing byte', concatBytes(sorted, Uint8Array.of(0)), ['root.malformed']),
    hostile('truncated', sorted.slice(0, -1), ['root.malformed']),
    hostile('indefinite map', concatBytes(Uint8Array.of(0xbf), ...pairs.flat(), Uint8Array.of(0xff)), [
      'root.malformed',
    ]),
    hostile('repeated key', cbor.unsortedMap(...pairs, ...pairs.slice(0, 1)), ['root.malformed']),
    hostile('keys in another order', cbor.unsortedMap(...pairs.reverse()), ['root.not-canonical']),
    hostile(
      'longer length than needed',
      root({
        spec: cbor.map({
          cid: linkOf(SPEC),
          path: cbor.text('spec.yaml'),
          profile: concatBytes(Uint8Array.of(0x78, 1), utf8('x')),
        }),
      }),
      ['root.malformed'],
    ),
    hostile('another tag', root({ manifest: cbor.tagged(43, cbor.byteString(Uint8Array.from(digest))) }), [
      'root.malformed',
    ]),
    hostile(
      'invalid UTF-8',
      root({
        spec: cbor.map({
          cid: linkOf(SPEC),
          path: cbor.text('spec.yaml'),
          profile: cbor.rawText(Uint8Array.of(0x78, 0xff)),
        }),
      }),
      ['root.not-canonical'],
    ),
    hostile('arrays 100,000 deep', new Uint8Array(100_000).fill(0x81), ['root.too-deep']),
    hostile('array as root', cbor.array(cbor.text('td')), ['root.wrong-type']),
    hostile('null', root({ prev: cbor.NULL }), ['root.null']),
    hostile('undefined', root({ prev: cbor.UNDEFINED }), ['root.not-canonical', 'root.null']),
    hostile('float', root({ prev: cbor.ONE_AND_A_HALF }), ['root.float']),
    hostile(
      'profile of the wrong type',
      root({ spec: cbor.map({ cid: linkOf(SPEC), path: cbor.text('spec.yaml'), profile: Uint8Array.of(1) }) }),
      ['root.wrong-type'],
    ),
    hostile(
      'number as key',
      cbor.unsortedMap(
        [Uint8Array.of(1), cbor.text('x')],
        ...Object.entries(soundFields).map(([key, value]): [Encoded, Encoded] => [cbor.text(key), value]),
      ),
      ['root.not-canonical', 'root.wrong-type'],
    ),
    hostile('text as link', root({ manifest: cbor.text('bafk') }), ['root.wrong-type']),
    hostile('files as array', root({ files: cbor.array() }), [
      'root.wrong-type',
      'spec.not-in-files',
      'acceptance.not-in-files',
    ]),
    hostile('unknown key', root({ extra: cbor.text('x') }), ['root.unknown-key']),
    hostile(
      'unknown key in td',
      root({ td: cbor.map({ path: cbor.text('TASK.md'), cid: linkOf(TASK), note: cbor.text('') }) }),
      ['root.unknown-key'],
    ),
    hostile('key __proto__ in files', root({}, { ['__proto__']: linkOf(DATA) }), []),
    hostile('no manifest', root({ manifest: undefined }), ['root.missing-key']),
    hostile('no profile of the spec', root({ spec: entry('spec.yaml', SPEC) }), ['root.missing-key']),
    hostile(
      'more files than the limit',
      root(),
      ['root.too-many-files', 'spec.not-in-files', 'acceptance.not-in-files'],
      { limits: { files: 2 } },
    ),
    hostile('more bytes than the limit', root(), ['root.too-large'], { limits: { rootBytes: 100 } }),
    hostile('link of CIDv0', root({ prev: binary(0, 0x12, 0x20, ...digest) }), ['link.malformed']),
    hostile('link with another prefix', root({ prev: binary(1, 1, 0x71, 0x12, 0x20, ...digest) }), ['link.malformed']),
    hostile('link with codec dag-pb', root({ prev: binary(0, 1, 0x70, 0x12, 0x20, ...digest) }), ['link.malformed']),
    hostile('link with another hash', root({ prev: binary(0, 1, 0x71, 0x1b, 0x20, ...digest) }), ['link.malformed']),
    hostile('link with a trailing byte', root({ prev: binary(0, 1, 0x71, 0x12, 0x20, ...digest, 0) }), [
      'link.malformed',
    ]),
    hostile('link over text', root({ prev: cbor.tagged(42, cbor.text('bafk')) }), ['link.malformed']),
    hostile('raw prev', root({ prev: linkOf(DATA) }), ['link.codec']),
    hostile('manifest as dag-cbor', root({ manifest: cbor.link(toDagCborCid(sha256(MANIFEST))) }), [
      'link.codec',
      'object.missing',
    ]),
  ]
}

function paths(): HostilePackage[] {
  const text = 'a'.repeat(1025)
  return [
    withFile('', 'root.not-canonical'),
    withFile('/abs', 'path.absolute'),
    withFile('a\\b', 'path.backslash'),
    withFile('a//b', 'path.empty-segment'),
    withFile('a/', 'path.empty-segment'),
    withFile('..', 'path.dot-segment'),
    withFile('a/../b', 'path.dot-segment'),
    withFile('./a', 'path.dot-segment'),
    withFile('a\u0000b', 'path.control'),
    withFile('a\u0085', 'path.control'),
    withFile(text, 'path.too-long'),
    withFile(Array.from({ length: 65 }, () => 'a').join('/'), 'path.too-long'),
    withFile('manifest.json', 'path.reserved'),
    withFile('fulfillment.json', 'path.reserved'),
    withFile('confidentiality.json', 'path.reserved'),
    hostile('td.path manifest.json', root({ td: entry('manifest.json', TASK) }), ['path.reserved']),
    hostile('td.path empty', root({ td: entry('', TASK) }), ['path.empty']),
  ].map((made) => (made.name === 'path ""' ? { ...made, codes: ['root.not-canonical', 'path.empty'] as const } : made))
}

function interlocks(): HostilePackage[] {
  const other = entry('spec.yaml', DATA, 'x-spec-v1')
  return [
    hostile('td is also a file', root({}, { 'TASK.md': linkOf(TASK) }), ['primary.in-files']),
    hostile('terms are also a file', root({}, { 'TERMS.md': linkOf(TERMS) }), ['terms.in-files']),
    hostile('terms are the primary document', root({ terms: entry('TASK.md', TASK) }), ['terms.not-distinct']),
    hostile('terms are the spec', root({ terms: entry('spec.yaml', SPEC) }), ['terms.in-files', 'terms.not-distinct']),
    hostile('spec is not a file', root({ spec: entry('none', SPEC, 'p') }), [
      'spec.not-in-files',
      'manifest.spec-path',
    ]),
    hostile('spec links another file', root({ spec: other }), ['spec.link-mismatch']),
    hostile('spec.path is td.path with another link', root({ spec: entry('TASK.md', SPEC, 'p') }), [
      'spec.link-mismatch',
      'manifest.spec-path',
    ]),
    hostile('acceptance is the primary document', root({ acceptance: entry('TASK.md', TASK, 'p') }), [
      'acceptance.is-primary',
    ]),
    hostile('acceptance is not a file', root({ acceptance: entry('none', CHECK, 'p') }), ['acceptance.not-in-files']),
    hostile('acceptance links another file', root({ acceptance: entry('check.yaml', DATA, 'p') }), [
      'acceptance.link-mismatch',
    ]),
  ]
}

function chains(): HostilePackage[] {
  const prev = cbor.link(toDagCborCid(EARLIER))
  const bound = (version: bigint) => ({ tdHash: TD_HASH, version })
  const other = sha256(DATA) as TaskHash
  return [
    hostile('version 0', root(), ['binding.version'], { binding: bound(0n) }),
    hostile('version 1 with prev', root({ prev }), ['prev.unexpected'], { binding: bound(1n) }),
    hostile('version 2 without prev', root(), ['prev.missing'], { binding: bound(2n) }),
    hostile('prev is not the version before', root({ prev }), ['prev.mismatch'], {
      binding: bound(3n),
      history: [
        { taskHash: EARLIER, version: 1n },
        { taskHash: other, version: 2n },
      ],
    }),
    hostile('two bindings of one version', root({ prev }), ['history.conflict'], {
      binding: bound(3n),
      history: [
        { taskHash: EARLIER, version: 2n },
        { taskHash: other, version: 1n },
        { taskHash: EARLIER, version: 1n },
      ],
    }),
    hostile('a later binding', root({ prev }), ['history.conflict'], {
      binding: bound(2n),
      history: [
        { taskHash: EARLIER, version: 1n },
        { taskHash: other, version: 9n },
      ],
    }),
    hostile('another document than the chain has', root(), ['primary.hash-mismatch'], {
      binding: { tdHash: sha256(DATA) as TdHash, version: 1n },
    }),
  ]
}

function objects(): HostilePackage[] {
  const sound = hostile('sound', root(), [])
  const binary = Uint8Array.of(0xff, 0xfe)
  return [
    withoutBlock(sound, toDagCborCid(sound.taskHash), 'no root', ['root.missing']),
    withBlock(sound, toDagCborCid(sound.taskHash), root({ terms: undefined }), 'another root', ['root.hash-mismatch']),
    withoutBlock(sound, cidOf(DATA), 'a file is missing', ['object.missing']),
    withBlock(sound, cidOf(DATA), SPEC, 'a file is another one', ['object.hash-mismatch']),
    withBlock(sound, cidOf(MANIFEST), DATA, 'the manifest is another one', ['object.hash-mismatch']),
    hostile('a file beyond the limit', root({}, { big: linkOf(utf8('x'.repeat(200))) }), ['object.too-large'], {
      limits: { objectBytes: 150 },
      objects: [TASK, SPEC, CHECK, TERMS, DATA, MANIFEST, FULFILLMENT, utf8('x'.repeat(200))],
    }),
    hostile(
      'one object named often enough to fill a disk',
      root({}, Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`copy${index}`, linkOf(DATA)]))),
      ['package.too-large'],
      { limits: { packageBytes: 200 } },
    ),
    hostile('primary document is not UTF-8', root({ td: entry('TASK.md', binary) }), ['primary.not-utf8'], {
      objects: [binary, SPEC, CHECK, TERMS, DATA, MANIFEST, FULFILLMENT],
    }),
  ]
}

function documents(): HostilePackage[] {
  return [
    withManifest('manifest beyond the limit', MANIFEST, ['json.too-large'], { jsonBytes: 64 }),
    withManifest('manifest is not UTF-8', concatBytes(MANIFEST.slice(0, -1), Uint8Array.of(0xff, 0x7d)), [
      'json.not-utf8',
    ]),
    withManifest('manifest with half a surrogate pair', manifestText('"x":"\\ud800"'), ['json.not-utf8']),
    withManifest('manifest with a byte order mark', concatBytes(Uint8Array.of(0xef, 0xbb, 0xbf), MANIFEST), [
      'json.bom',
    ]),
    withManifest('manifest is not JSON', utf8('{name: 1}'), ['json.syntax']),
    withManifest('manifest with a comma too many', manifestText('"x":[1,]'), ['json.syntax']),
    withManifest('manifest 33 levels deep', manifestText(nested(32)), ['json.too-deep']),
    withManifest('manifest 100,000 levels deep', manifestText(nested(100_000)), ['json.too-deep']),
    withManifest('manifest with a repeated key', manifestText('"specPath":"other"'), ['json.duplicate-key']),
    withManifest('manifest with repeated keys below', manifestText('"x":{"a":1,"\\u0061":2}'), ['json.duplicate-key']),
    withManifest('manifest with one field', utf8('{"schemaVersion":"1.0"}'), [
      'manifest.schema',
      'manifest.schema',
      'manifest.schema',
      'manifest.schema',
    ]),
    withManifest('manifest is an array', utf8('[]'), ['manifest.schema']),
    withManifest(
      'manifest hides fields in __proto__',
      utf8('{"__proto__":{"schemaVersion":"1.0","name":"n","taskVersion":"1","summary":"s","specPath":"spec.yaml"}}'),
      ['manifest.schema', 'manifest.schema', 'manifest.schema', 'manifest.schema', 'manifest.schema'],
    ),
    withManifest(
      'manifest of another spec',
      utf8(new TextDecoder().decode(MANIFEST).replace('spec.yaml', 'SPEC.yaml')),
      ['manifest.spec-path'],
    ),
    withManifest(
      'manifest with unknown fields and odd numbers',
      manifestText('"x-vendor/a":1e400,"b":123456789012345678901234567890,"constructor":null'),
      [],
    ),
    withFulfillment(
      'descriptor of another bound',
      new TextDecoder().decode(FULFILLMENT),
      ['fulfillment.max-completions'],
      4n,
    ),
    withFulfillment(
      'descriptor beyond 2^53 is compared exactly',
      '{"schemaVersion":"1","mode":"exclusive","maxCompletions":9007199254740993}',
      ['fulfillment.max-completions'],
      9_007_199_254_740_992n,
    ),
    withFulfillment(
      'descriptor of 2^64 - 1',
      '{"schemaVersion":"1","mode":"exclusive","maxCompletions":18446744073709551615}',
      [],
      2n ** 64n - 1n,
    ),
    withFulfillment(
      'descriptor of 2^64',
      '{"schemaVersion":"1","mode":"exclusive","maxCompletions":18446744073709551616}',
      ['fulfillment.schema'],
    ),
    withFulfillment(
      'descriptor with an inexact number',
      '{"schemaVersion":"1","mode":"exclusive","maxCompletions":9007199254740993.0}',
      ['fulfillment.schema'],
    ),
    withFulfillment('descriptor with 1.5', '{"schemaVersion":"1","mode":"exclusive","maxCompletions":1.5}', [
      'fulfillment.schema',
    ]),
    withFulfillment('descriptor with -1', '{"schemaVersion":"1","mode":"exclusive","maxCompletions":-1}', [
      'fulfillment.schema',
    ]),
    withFulfillment('descriptor with text', '{"schemaVersion":"1","mode":"exclusive","maxCompletions":"3"}', [
      'fulfillment.schema',
    ]),
    withFulfillment('descriptor of an unknown mode', '{"schemaVersion":"1","mode":"parallel","maxCompletions":3}', [
      'fulfillment.schema',
    ]),
  ]
}

function confidentiality(): HostilePackage[] {
  const sound = { ciphertext: cidOf(DATA), plaintextHash: PLAIN }
  return [
    withDescriptor('unknown profile is left alone', descriptor({ data: sound }), []),
    withDescriptor('descriptor without objects', '{"schemaVersion":"1.0","mode":"encrypted","profile":"p"}', [
      'confidentiality.schema',
    ]),
    withDescriptor('ciphertext is no CID', descriptor({ data: { ...sound, ciphertext: `b${'a'.repeat(58)}` } }), [
      'confidentiality.schema',
    ]),
    withDescriptor('object of an unknown path', descriptor({ none: sound }), ['confidentiality.unknown-path']),
    withDescriptor(
      'manifest listed as encrypted',
      descriptor({ 'manifest.json': { ...sound, ciphertext: cidOf(MANIFEST) } }),
      ['confidentiality.covers-public'],
    ),
    withDescriptor(
      'manifest listed under another name',
      descriptor({ data: { ...sound, ciphertext: cidOf(MANIFEST) } }),
      ['confidentiality.covers-public'],
    ),
    withDescriptor('another ciphertext than the link', descriptor({ data: { ...sound, ciphertext: cidOf(SPEC) } }), [
      'confidentiality.ciphertext-mismatch',
    ]),
    withDescriptor(
      'encrypted primary document of another hash',
      descriptor({ 'TASK.md': { ciphertext: cidOf(TASK), plaintextHash: PLAIN } }),
      ['confidentiality.primary-hash'],
      { binding: { tdHash: TD_HASH, version: 1n } },
    ),
    withDescriptor(
      'sealed profile without keys',
      descriptor({ data: sound }).replace('x-unknown-v1', 'x-oikos-sealed-v1'),
      ['sealed.descriptor'],
    ),
  ]
}

/** Hostile packages, and a few sound ones at the edge (no codes), that need no key. */
export function makeHostilePackages(): HostilePackage[] {
  return [...encodings(), ...paths(), ...interlocks(), ...chains(), ...objects(), ...documents(), ...confidentiality()]
}
