import { decode } from 'cborg'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedEntropy } from '../../test/entropy.ts'
import { RECIPIENT } from '../../test/sealed-packages.ts'
import { type Cid, sha256, type TaskHash, toDagCborCid } from '../digest/index.ts'
import { blocksFrom } from './blocks.ts'
import { parseStrictJson } from './json.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { packTaskPackage } from './pack-task.ts'
import { findDocumentPathFault } from './paths.ts'
import { createSealedOpener } from './sealed/open.ts'
import { createSealer } from './sealed/seal.ts'
import { inspectSkillRoot } from './skill-root.ts'
import { inspectTaskRoot, packTaskRoot, unpackTaskRoot } from './task-root.ts'
import { verifyTaskPackage } from './verify-task.ts'

/** Fixed, so that a run says the same tomorrow; FUZZ_SEED looks elsewhere. */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 8414) })

const path = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter(
    (text) => findDocumentPathFault(text, DEFAULT_LIMITS) === undefined && text !== 'TASK.md' && text !== 'TERMS.md',
  )
const content = fc.uint8Array({ maxLength: 200 })
const inputs = fc
  .tuple(fc.string({ maxLength: 50 }), fc.dictionary(path, content, { maxKeys: 12 }))
  .map(([text, files]) => new Map([['TASK.md', new TextEncoder().encode(text)], ...Object.entries(files)]))

describe('task packages (properties)', () => {
  it('whatever is packed verifies, re-renders, and reads the same in a decoder that is not ours', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (files) => {
        const packed = packTaskPackage({ files })
        const verdict = await verifyTaskPackage({
          source: blocksFrom(packed.blocks),
          taskHash: packed.taskHash,
          binding: { tdHash: packed.tdHash, version: 1n },
        })
        expect(verdict.findings).toEqual([])
        expect(packTaskRoot(unpackTaskRoot(packed.rootBytes))).toEqual(packed.rootBytes)
        const plain = decode(packed.rootBytes, {
          strict: true,
          useMaps: true,
          allowIndefinite: false,
          tags: { 42: (link) => link() },
        }) as Map<string, unknown>
        const links = plain.get('files') as Map<string, Uint8Array> | undefined
        expect(new Set(links?.keys())).toEqual(new Set([...files.keys()].filter((name) => name !== 'TASK.md')))
        for (const [name, bytes] of links ?? [])
          expect(`0x${Buffer.from(bytes.subarray(5)).toString('hex')}`).toBe(
            sha256(files.get(name) ?? new Uint8Array()),
          )
      }),
      { numRuns: 200 },
    )
  })

  it('a changed byte of the root is never a valid root of the same hash, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, fc.nat(), fc.integer({ min: 1, max: 255 }), async (files, at, change) => {
        const packed = packTaskPackage({ files })
        const bytes = packed.rootBytes.slice()
        const index = at % bytes.length
        bytes[index] = (bytes[index] ?? 0) ^ change
        const blocks = new Map<Cid, Uint8Array>(packed.blocks)
        blocks.set(packed.rootCid, bytes)
        expect((await verifyTaskPackage({ source: blocksFrom(blocks), taskHash: packed.taskHash })).status).toBe(
          'invalid',
        )
        const taskHash = sha256(bytes) as TaskHash
        blocks.set(toDagCborCid(taskHash), bytes)
        const { root, findings } = inspectTaskRoot(bytes, DEFAULT_LIMITS)
        if (root !== undefined && findings.list.length === 0) expect(packTaskRoot(root)).toEqual(bytes)
        await verifyTaskPackage({ source: blocksFrom(blocks), taskHash })
      }),
      { numRuns: 300 },
    )
  })

  it('a changed byte of any object is found', async () => {
    await fc.assert(
      fc.asyncProperty(
        inputs,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (files, which, at, change) => {
          const packed = packTaskPackage({ files })
          const blocks = new Map<Cid, Uint8Array>(packed.blocks)
          const entries = [...blocks].filter(([, bytes]) => bytes.length > 0)
          const [cid, bytes] = entries[which % entries.length] ?? [packed.rootCid, packed.rootBytes]
          const changed = bytes.slice()
          changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ change
          blocks.set(cid, changed)
          expect((await verifyTaskPackage({ source: blocksFrom(blocks), taskHash: packed.taskHash })).status).toBe(
            'invalid',
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  it('bytes of any kind give findings, not exceptions', () => {
    const cbor = fc.uint8Array({ maxLength: 300 })
    const start = fc.constantFrom(
      [0xa4],
      [0xa1, 0x62, 0x74, 0x64],
      [0xbf],
      [0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0xd8, 0x2a],
    )
    fc.assert(
      fc.property(start, cbor, (first, rest) => {
        const bytes = Uint8Array.from([...first, ...rest])
        expect(inspectTaskRoot(bytes, DEFAULT_LIMITS).findings.list.length).toBeGreaterThan(0)
        expect(inspectSkillRoot(bytes, DEFAULT_LIMITS).findings.list.length).toBeGreaterThan(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it('the strict JSON reader agrees with JSON.parse on JSON, and never throws on bytes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const parsed = parseStrictJson(new TextEncoder().encode(text), { ...DEFAULT_LIMITS, jsonDepth: 1_000 })
        if (parsed.ok) expect(parsed.value).toEqual(nullPrototype(JSON.parse(text)))
        else expect(['json.duplicate-key', 'json.not-utf8']).toContain(parsed.code)
      }),
      { numRuns: 1_000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        parseStrictJson(bytes, DEFAULT_LIMITS)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** As the strict reader makes values: objects without prototype, integers beyond 2^53 as bigint when written as such. */
function nullPrototype(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return String(value).includes('e') ? value : BigInt(String(value))
  if (Array.isArray(value)) return value.map(nullPrototype)
  if (value === null || typeof value !== 'object') return value
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, child]) => [key, nullPrototype(child)])),
  )
}

describe('sealed packages (properties)', () => {
  const opener = createSealedOpener({ secretKey: RECIPIENT.secretKey })
  let run = 0

  it('round trip, and no changed byte of a sealed object passes', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.nat(), fc.integer({ min: 1, max: 255 }), async (secret, at, change) => {
        const sealer = createSealer({ recipients: [RECIPIENT.publicKey], entropy: namedEntropy(`run ${run++}`) })
        const files = new Map([
          ['TASK.md', new TextEncoder().encode('x')],
          ['secret', secret],
        ])
        const pack = (seal: typeof sealer.seal) =>
          packTaskPackage({ files, encrypt: { paths: ['secret'], cipher: { ...sealer, seal } } })
        const sound = pack(sealer.seal)
        const damaged = pack((name, plaintext) => {
          const sealed = sealer.seal(name, plaintext)
          sealed[at % sealed.length] = (sealed[at % sealed.length] ?? 0) ^ change
          return sealed
        })
        const verify = ({ blocks, taskHash }: typeof sound) =>
          verifyTaskPackage({ source: blocksFrom(blocks), taskHash, openers: [opener] })
        expect((await verify(sound)).findings).toEqual([])
        const codes = (await verify(damaged)).findings.map(({ code }) => code)
        expect(codes.length).toBe(1)
        expect(codes[0]).toMatch(/^sealed\./)
      }),
      { numRuns: 100 },
    )
  })
})
