import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { namedEntropy } from '../../test/entropy.ts'
import {
  type Cid,
  type PackageHash,
  parseMdHash,
  sha256,
  type TaskHash,
  type TdHash,
  toDagCborCid,
} from '../digest/index.ts'
import { blocksFrom } from './blocks.ts'
import type { ObjectCipher } from './confidentiality.ts'
import type { JsonObject } from './json.ts'
import type { PackRoles } from './pack-plan.ts'
import { packTaskPackage } from './pack-task.ts'
import { sealedKeyPairFrom, unwrapContentKey, type WrappedKey } from './sealed/keys.ts'
import { createSealedOpener, openSealedObject } from './sealed/open.ts'
import { createSealer, sealObject } from './sealed/seal.ts'
import { verifySkillPackage } from './verify-skill.ts'
import { verifyTaskPackage } from './verify-task.ts'

const read = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../../vectors/task-package', name), 'utf8')) as Shape

type Blocks = Readonly<Record<Cid, string>>
type PackageVector = {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly options: PackRoles & {
    name?: string
    version?: string
    prev?: TaskHash
    maxCompletions?: string
    encrypt?: string[]
  }
  readonly taskHash: TaskHash
  readonly tdHash: TdHash
  readonly root: string
  readonly blocks: Blocks
}
type HostileVector = {
  readonly name: string
  readonly taskHash: TaskHash
  readonly binding?: { readonly tdHash: TdHash; readonly version: string }
  readonly terms?: { readonly maxCompletions: string }
  readonly history?: readonly { readonly taskHash: TaskHash; readonly version: string }[]
  readonly limits?: Readonly<Record<string, number>>
  readonly secretKey?: string
  readonly blocks: readonly Cid[]
  readonly replaced?: Blocks
  readonly codes: readonly string[]
}
type SealedVector = {
  readonly recipients: readonly { readonly secretKey: string; readonly publicKey: string; readonly keyId: string }[]
  readonly objects: {
    readonly contentKey: string
    readonly packageId: string
    readonly salt: string
    readonly path: string
    readonly cases: readonly {
      readonly plaintextBytes: number
      readonly objectBytes: number
      readonly objectSha256: string
      readonly object?: string
    }[]
  }
  readonly wrapping: { readonly contentKey: string; readonly keyManagement: JsonObject }
}

const toBlocks = (blocks: Blocks) =>
  Object.entries(blocks).map(([cid, bytes]): [Cid, Uint8Array] => [cid as Cid, hexToBytes(bytes)])
const sealed = read<SealedVector>('sealed.json')
const openers = (secretKey: string) => [createSealedOpener({ secretKey: hexToBytes(secretKey) })]

/** The sealers of the README: stream of randomness, and how many of the recipients. */
function sealerOf(name: string): ObjectCipher {
  const [stream, count] = name === 'sealed for two' ? ['package for two', 2] : ['package for one', 1]
  const recipients = sealed.recipients.slice(0, Number(count)).map(({ publicKey }) => hexToBytes(publicKey))
  return createSealer({ recipients, entropy: namedEntropy(String(stream)) })
}

describe('vectors/task-package/packages.json', () => {
  const vectors = read<PackageVector[]>('packages.json')
  const earlier = vectors.map(({ taskHash }) => ({ taskHash, version: 1n }))

  for (const { name, files, options, taskHash, tdHash, root, blocks } of vectors) {
    const version = BigInt(options.version ?? 1)
    it(`${name}: verifies against the chain`, async () => {
      const { prev } = options
      const verdict = await verifyTaskPackage({
        source: blocksFrom(new Map(toBlocks(blocks))),
        taskHash,
        binding: { tdHash, version },
        terms: { maxCompletions: 1n },
        history: earlier.filter((past) => past.taskHash === prev),
        openers: openers(sealed.recipients[0]?.secretKey ?? ''),
      })
      expect(verdict.findings).toEqual([])
      expect(verdict.facts.notChecked).toEqual([])
    })

    it(`${name}: packs to the same root`, () => {
      const { encrypt: paths, maxCompletions, version: _version, ...rest } = options
      const packed = packTaskPackage({
        ...rest,
        version,
        ...(paths && { encrypt: { paths, cipher: sealerOf(name) } }),
        ...(maxCompletions !== undefined && { maxCompletions: BigInt(maxCompletions) }),
        files: new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
      })
      expect(Buffer.from(packed.rootBytes).toString('hex')).toBe(root)
    })
  }
})

describe('vectors/task-package/hostile.json', () => {
  const { blocks: common, cases } = read<{ blocks: Blocks; cases: HostileVector[] }>('hostile.json')

  it('has cases of every kind', () => {
    expect(new Set(cases.flatMap(({ codes }) => codes.map((code) => code.split('.')[0]))).size).toBeGreaterThanOrEqual(
      15,
    )
  })

  for (const { name, codes, blocks, replaced, secretKey, binding, terms, history, limits, taskHash } of cases) {
    it(`${name}: ${codes.join(', ') || 'valid'}`, async () => {
      const own = new Map<Cid, Uint8Array>(blocks.map((cid) => [cid, hexToBytes(common[cid] ?? '')]))
      for (const [cid, bytes] of toBlocks(replaced ?? {})) own.set(cid, bytes)
      const verdict = await verifyTaskPackage({
        source: blocksFrom(own),
        taskHash,
        ...(binding && { binding: { tdHash: binding.tdHash, version: BigInt(binding.version) } }),
        ...(terms && { terms: { maxCompletions: BigInt(terms.maxCompletions) } }),
        ...(history && {
          history: history.map((past) => ({ taskHash: past.taskHash, version: BigInt(past.version) })),
        }),
        ...(limits && { limits }),
        ...(secretKey !== undefined && { openers: openers(secretKey) }),
      })
      expect(verdict.findings.map(({ code }) => code)).toEqual(codes)
    })
  }
})

describe('vectors/task-package/sealed.json', () => {
  const { contentKey, packageId, salt, path, cases } = sealed.objects
  const context = { contentKey: hexToBytes(contentKey), packageId: hexToBytes(packageId), path }

  for (const { plaintextBytes, objectBytes, objectSha256, object } of cases) {
    it(`${plaintextBytes} bytes seal to the published object and open again`, () => {
      const plaintext = new Uint8Array(plaintextBytes).map((_, index) => index % 251)
      const made = sealObject(context, plaintext, hexToBytes(salt))
      expect(made.length).toBe(objectBytes)
      expect(sha256(made)).toBe(objectSha256)
      if (object !== undefined) expect(Buffer.from(made).toString('hex')).toBe(object)
      expect(openSealedObject(context, made)).toEqual({ ok: true, plaintext })
    })
  }

  it('keys have their names, and the wrapped content key opens', () => {
    for (const { secretKey, publicKey, keyId } of sealed.recipients) {
      const pair = sealedKeyPairFrom(hexToBytes(secretKey))
      expect(Buffer.from(pair.publicKey).toString('hex')).toBe(publicKey)
      expect(pair.keyId).toBe(keyId)
    }
    const { keyManagement } = sealed.wrapping
    const unwrapped = unwrapContentKey(
      keyManagement['recipients'] as unknown as WrappedKey[],
      hexToBytes(String(keyManagement['packageId']).slice(2)),
      sealedKeyPairFrom(hexToBytes(sealed.recipients[0]?.secretKey ?? '')),
    )
    expect(unwrapped).toEqual({ ok: true, contentKey: hexToBytes(sealed.wrapping.contentKey) })
  })
})

describe('vectors/task-package/skill-root.json', () => {
  it('ERC-8338: a SkillRoot verifies by its root alone', async () => {
    const vector = read<{ packageHash: PackageHash; mdHash: string; version: number; root: string }>('skill-root.json')
    const verdict = await verifySkillPackage({
      source: blocksFrom(new Map([[toDagCborCid(vector.packageHash) as Cid, hexToBytes(vector.root)]])),
      packageHash: vector.packageHash,
      binding: { mdHash: parseMdHash(vector.mdHash), version: BigInt(vector.version) },
      level: 'root',
    })
    expect(verdict.findings).toEqual([])
    expect(verdict.root?.entry.profile).toBe('python-v1')
  })
})
