import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cid, rawCidOf, sha256 } from '../packages/core/src/digest/index.ts'
import {
  CHUNK_BYTES,
  createSealer,
  type PackedTask,
  type PackTaskOptions,
  packSkillRoot,
  packTaskPackage,
  type SealedKeyPair,
  sealObject,
} from '../packages/core/src/task-package/index.ts'
import { namedEntropy } from '../packages/core/test/entropy.ts'
import { type HostilePackage, makeHostilePackages } from '../packages/core/test/hostile-packages.ts'
import { LONG, makeSealedPackages, OTHER_RECIPIENT, RECIPIENT } from '../packages/core/test/sealed-packages.ts'
import { root } from './toolchain.ts'

/** Writes the vectors of `vectors/task-package`, which its README explains. `--check` writes nothing and fails on stale ones. */
const folder = join(root, 'vectors/task-package')

/** Packages with larger blocks are in the tests only; a vector is to be read. */
const MAX_BLOCK_BYTES = 4_096

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value)
const json = (value: unknown): string =>
  `${JSON.stringify(value, (_key, field) => (typeof field === 'bigint' ? field.toString() : field), 1)}\n`

type Named = {
  readonly name: string
  readonly options: Omit<PackTaskOptions, 'files'>
  readonly files: Readonly<Record<string, string>>
}

const FULL = {
  'TASK.md': '# Translate the menu\n\nGerman to English.\n',
  'TERMS.md': 'Paid on acceptance.\n',
  'manifest.json':
    '{"schemaVersion":"1.0","name":"menu","taskVersion":"1.0.0","summary":"Translate a menu.","specPath":"spec/menu.yaml"}',
  'fulfillment.json': '{"schemaVersion":"1.0","mode":"exclusive","maxCompletions":1}',
  'spec/menu.yaml': 'dishes: 3\n',
  'accept/rubric.md': 'All dishes, no machine names.\n',
  'data/caf\u00e9.txt': 'Speisekarte\n',
} as const
const ROLES = {
  spec: 'spec/menu.yaml',
  specProfile: 'x-menu-v1',
  acceptance: 'accept/rubric.md',
  acceptanceProfile: 'x-rubric-v1',
  maxCompletions: 1n,
}

function describePackage({ name, files, options }: Named, packed: PackedTask): unknown {
  const { encrypt, ...plain } = options
  return {
    name,
    files,
    options: { ...plain, ...(encrypt && { encrypt: encrypt.paths }) },
    taskHash: packed.taskHash,
    tdHash: packed.tdHash,
    rootCid: packed.rootCid,
    root: hex(packed.rootBytes),
    leaves: Object.fromEntries(packed.leaves.map(({ path, cid }) => [path, cid])),
    blocks: Object.fromEntries([...packed.blocks].map(([cid, bytes]) => [cid, hex(bytes)])),
  }
}

function packNamed(named: Named): { readonly packed: PackedTask; readonly vector: unknown } {
  const files = new Map(Object.entries(named.files).map(([path, content]) => [path, utf8(content)]))
  const packed = packTaskPackage({ ...named.options, files })
  return { packed, vector: describePackage(named, packed) }
}

function makePackages(): unknown {
  const minimal = packNamed({
    name: 'minimal',
    files: { 'TASK.md': '# Find the preimage\n' },
    options: { name: 'preimage' },
  })
  const full = packNamed({ name: 'full', files: FULL, options: ROLES })
  const second = packNamed({
    name: 'full, version 2',
    files: { ...FULL, 'data/caf\u00e9.txt': 'Speisekarte, Neuauflage\n' },
    options: { ...ROLES, version: 2n, prev: full.packed.taskHash },
  })
  const sealer = (name: string, recipients: readonly SealedKeyPair[]) =>
    createSealer({ recipients: recipients.map(({ publicKey }) => publicKey), entropy: namedEntropy(name) })
  const paths = ['TASK.md', 'data/caf\u00e9.txt']
  const sealed = packNamed({
    name: 'sealed for two',
    files: FULL,
    options: { ...ROLES, encrypt: { paths, cipher: sealer('package for two', [RECIPIENT, OTHER_RECIPIENT]) } },
  })
  const rotated = packNamed({
    name: 'sealed for one, version 2',
    files: FULL,
    options: {
      ...ROLES,
      version: 2n,
      prev: sealed.packed.taskHash,
      encrypt: { paths, cipher: sealer('package for one', [RECIPIENT]) },
    },
  })
  return [minimal, full, second, sealed, rotated].map(({ vector }) => vector)
}

function makeHostile(packages: readonly HostilePackage[]): unknown {
  const blocks: Record<string, string> = {}
  const cases = packages
    .filter((made) => [...made.blocks.values()].every(({ length }) => length <= MAX_BLOCK_BYTES))
    .map(({ name, taskHash, blocks: own, secretKey, codes, ...context }) => {
      const replaced: [Cid, string][] = []
      for (const [cid, bytes] of own) {
        if (rawCidOf(bytes).slice(7) === cid.slice(7)) blocks[cid] = hex(bytes)
        else replaced.push([cid, hex(bytes)])
      }
      return {
        name,
        taskHash,
        ...context,
        ...(secretKey && { secretKey: hex(secretKey) }),
        blocks: [...own.keys()].filter((cid) => !replaced.some(([other]) => other === cid)),
        ...(replaced.length > 0 && { replaced: Object.fromEntries(replaced) }),
        codes,
      }
    })
  return { blocks, cases }
}

function makeSealed(): unknown {
  const contentKey = namedEntropy('content key')(32)
  const packageId = namedEntropy('package id')(32)
  const salt = namedEntropy('salt')(32)
  const path = 'secret.bin'
  const objects = [0, 5, CHUNK_BYTES, CHUNK_BYTES + 1, LONG.length].map((plaintextBytes) => {
    const object = sealObject({ contentKey, packageId, path }, LONG.slice(0, plaintextBytes), salt)
    return {
      plaintextBytes,
      objectSha256: sha256(object),
      objectBytes: object.length,
      ...(object.length <= MAX_BLOCK_BYTES && { object: hex(object) }),
    }
  })
  const keys = [RECIPIENT, OTHER_RECIPIENT].map(({ secretKey, publicKey, keyId }) => ({
    secretKey: hex(secretKey),
    publicKey: hex(publicKey),
    keyId,
  }))
  const cipher = createSealer({ recipients: [RECIPIENT.publicKey], entropy: namedEntropy('wrap') })
  return {
    recipients: keys,
    objects: { contentKey: hex(contentKey), packageId: hex(packageId), salt: hex(salt), path, cases: objects },
    wrapping: { contentKey: hex(namedEntropy('wrap')(32)), ...cipher.describe() },
  }
}

function makeSkill(): unknown {
  const entry = (path: string, content: string) => ({ path, cid: rawCidOf(utf8(content)) })
  const run = entry('run.py', 'print(1)\n')
  const bytes = packSkillRoot({
    md: entry('SKILL.md', '# Skill\n'),
    manifest: rawCidOf(utf8('{}')),
    entry: { ...run, profile: 'python-v1' },
    license: entry('LICENSE', 'CC0\n'),
    files: new Map([[run.path, run.cid]]),
  })
  return { packageHash: sha256(bytes), mdHash: sha256(utf8('# Skill\n')), version: 1, root: hex(bytes) }
}

const vectors: Readonly<Record<string, string>> = {
  'packages.json': json(makePackages()),
  'hostile.json': json(makeHostile([...makeHostilePackages(), ...makeSealedPackages()])),
  'sealed.json': json(makeSealed()),
  'skill-root.json': json(makeSkill()),
}

mkdirSync(folder, { recursive: true })
const stale = Object.entries(vectors).filter(([name, content]) => {
  const file = join(folder, name)
  return !existsSync(file) || readFileSync(file, 'utf8') !== content
})
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`Vectors are out of date: ${stale.map(([name]) => name).join(', ')}. Run node scripts/vectors.ts.`)
    process.exitCode = 1
  }
} else {
  for (const [name, content] of stale) writeFileSync(join(folder, name), content)
}
