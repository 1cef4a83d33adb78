import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findConformance, flag, optionsFromFlags, readPublishedPackages } from '../../test/conformance.ts'
import { xorOpener } from '../../test/xor-cipher.ts'
import { type Cid, parseMdHash, parsePackageHash, sha256, toDagCborCid } from '../digest/index.ts'
import { blocksFrom } from './blocks.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { packTaskPackage } from './pack-task.ts'
import { findPathFault } from './paths.ts'
import { packSkillRoot, unpackSkillRoot } from './skill-root.ts'
import { packTaskRoot, unpackTaskRoot } from './task-root.ts'
import { verifySkillPackage } from './verify-skill.ts'
import { verifyTaskPackage } from './verify-task.ts'

const conformance = findConformance()

describe.skipIf(conformance === undefined)('published task packages', () => {
  const packages = conformance === undefined ? [] : readPublishedPackages(conformance)

  it('are there', () => {
    expect(packages.length).toBeGreaterThanOrEqual(20)
  })

  for (const { name, files, flags, expected, root, blocks } of packages) {
    describe(name, () => {
      const options = optionsFromFlags(flags)

      it('packs to the published bytes', () => {
        const packed = packTaskPackage({ ...options, files })
        expect(Buffer.from(packed.rootBytes).toString('hex')).toBe(Buffer.from(root).toString('hex'))
        expect(packed.rootBytes.length).toBe(expected.taskrootBytes)
        expect(packed.taskHash).toBe(expected.taskHash)
        expect(packed.tdHash).toBe(expected.tdHash)
        expect(packed.rootCid).toBe(expected.rootCID)
        const leaves = Object.fromEntries(
          packed.leaves.filter(({ role }) => role !== 'confidentiality').map(({ path, cid }) => [path, cid]),
        )
        expect(leaves).toEqual(
          Object.fromEntries(Object.entries(expected.leaves).map(([path, { cid }]) => [path, cid])),
        )
        expect(
          packed.leaves
            .filter(({ encrypted }) => encrypted)
            .map(({ path }) => path)
            .sort(),
        ).toEqual([...(expected.encryptedPaths ?? [])].sort())
      })

      it('re-renders the root to the same bytes', () => {
        expect(packTaskRoot(unpackTaskRoot(root))).toEqual(root)
      })

      it('verifies from the published objects against binding, terms and history', async () => {
        const key = flag(flags, 'key')
        const verdict = await verifyTaskPackage({
          source: blocksFrom(blocks),
          taskHash: expected.taskHash,
          binding: { tdHash: expected.tdHash, version: BigInt(expected.version) },
          terms: { maxCompletions: options.maxCompletions ?? 0n },
          ...(options.prev && { history: [{ taskHash: options.prev, version: 1n }] }),
          ...(key !== undefined && { openers: [xorOpener(key)] }),
        })
        expect(verdict.findings).toEqual([])
        expect(verdict.ok).toBe(true)
        expect(verdict.facts.notChecked).toEqual([])
        expect(verdict.facts.primary).toEqual({ hash: expected.tdHash, known: 'computed' })
      })

      it('fails when any one object has a changed byte', async () => {
        for (const [cid, bytes] of blocks) {
          const changed = new Map<Cid, Uint8Array>(blocks)
          const copy = bytes.length === 0 ? new Uint8Array(1) : bytes.slice()
          copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1
          changed.set(cid, copy)
          const verdict = await verifyTaskPackage({ source: blocksFrom(changed), taskHash: expected.taskHash })
          expect(verdict.status).toBe('invalid')
        }
      })
    })
  }
})

describe.skipIf(conformance === undefined)('published refused paths', () => {
  it('ERC-8414 Package paths: each is refused', () => {
    const file = join(conformance ?? '', 'task-package-path-negative-tests.json')
    const { reject } = JSON.parse(readFileSync(file, 'utf8')) as { reject: string[] }
    expect(reject.length).toBeGreaterThan(0)
    for (const path of reject) expect(findPathFault(path, DEFAULT_LIMITS), path).toBeDefined()
  })
})

describe.skipIf(conformance === undefined)('published skill packages (ERC-8338)', () => {
  const folder = join(conformance ?? '', 'skill-packages')
  for (const name of conformance === undefined ? [] : readdirSync(folder).sort()) {
    it(`${name}: root bytes give the published hash and verify at the root level`, async () => {
      const root = new Uint8Array(readFileSync(join(folder, name, 'skillroot.cbor')))
      const vector = JSON.parse(readFileSync(join(folder, name, 'vector.json'), 'utf8')) as {
        mdHash: string
        packageHash: string
        version: number
        leaves: Record<string, string>
      }
      expect(sha256(root)).toBe(vector.packageHash)
      expect(packSkillRoot(unpackSkillRoot(root))).toEqual(root)
      const packageHash = parsePackageHash(vector.packageHash)
      const verdict = await verifySkillPackage({
        source: blocksFrom(new Map<Cid, Uint8Array>([[toDagCborCid(packageHash), root]])),
        packageHash,
        binding: { mdHash: parseMdHash(vector.mdHash), version: BigInt(vector.version) },
        level: 'root',
      })
      expect(verdict.findings).toEqual([])
      expect(verdict.facts.notChecked).toEqual([...(vector.version > 1 ? ['history'] : []), 'documents', 'objects'])
    })
  }
})
