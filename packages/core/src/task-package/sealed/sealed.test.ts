import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { namedEntropy } from '../../../test/entropy.ts'
import { LONG, OTHER_RECIPIENT, RECIPIENT } from '../../../test/sealed-packages.ts'
import { blocksFrom } from '../blocks.ts'
import type { JsonObject } from '../json.ts'
import { packTaskPackage } from '../pack-task.ts'
import { rotateTaskPackage } from '../rotate-task.ts'
import { verifyTaskPackage } from '../verify-task.ts'
import { CHUNK_BYTES, HEADER_BYTES, sealedBytes } from './format.ts'
import { sealedKeyPairFrom } from './keys.ts'
import { createSealedOpener, openSealedObject } from './open.ts'
import { createSealer, MAX_RECIPIENTS, sealObject } from './seal.ts'

const contentKey = namedEntropy('content key')(32)
const packageId = namedEntropy('package id')(32)
const salt = namedEntropy('salt')(32)
const context = { contentKey, packageId, path: 'secret.bin' }
const files = new Map([
  ['TASK.md', utf8ToBytes('# Secret work\n')],
  ['secret.bin', LONG],
])

describe('sealObject', () => {
  it('round trips at every chunk boundary, and has the stated size', () => {
    for (const length of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, LONG.length]) {
      const plaintext = LONG.slice(0, length)
      const object = sealObject(context, plaintext, salt)
      expect(object.length).toBe(sealedBytes(length))
      expect(openSealedObject(context, object)).toEqual({ ok: true, plaintext })
    }
  })

  it('is what docs/confidential-profile.md says, done by hand from the primitives', () => {
    const domain = (use: string) => concatBytes(utf8ToBytes(`x-oikos-sealed-v1 ${use}`), new Uint8Array(1))
    const path = utf8ToBytes('secret.bin')
    const place = concatBytes(packageId, Uint8Array.of(0, 0, 0, path.length), path)
    const check = hkdf(sha256, contentKey, concatBytes(packageId, salt), domain('key check'), 16)
    const tag = sha256(concatBytes(domain('context'), place)).slice(0, 16)
    const header = concatBytes(utf8ToBytes('OIKSEAL1'), check, tag, salt, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 5))
    const key = hkdf(sha256, contentKey, salt, concatBytes(domain('object'), header, place), 32)
    const nonce = concatBytes(new Uint8Array(7), Uint8Array.of(0, 0, 0, 0, 1))
    const chunk = chacha20poly1305(key, nonce, concatBytes(domain('chunk'), place)).encrypt(utf8ToBytes('hello'))
    expect(sealObject(context, utf8ToBytes('hello'), salt)).toEqual(concatBytes(header, chunk))
  })

  it('never gives the same ciphertext for the same content under another salt, path or package', () => {
    const plaintext = utf8ToBytes('same content')
    const objects = [
      sealObject(context, plaintext, salt),
      sealObject(context, plaintext, namedEntropy('other')(32)),
      sealObject({ ...context, path: 'b' }, plaintext, salt),
      sealObject({ ...context, packageId: salt }, plaintext, salt),
    ]
    const bodies = objects.map((object) => Buffer.from(object.slice(HEADER_BYTES)).toString('hex'))
    expect(new Set(bodies).size).toBe(4)
  })
})

describe('openSealedObject', () => {
  const object = sealObject(context, LONG, salt)

  it('finds every single changed byte of header and chunk edges, and never gives plaintext then', () => {
    const edges = [HEADER_BYTES, HEADER_BYTES + CHUNK_BYTES, HEADER_BYTES + CHUNK_BYTES + 15, object.length - 1]
    for (const at of [...Array(HEADER_BYTES).keys(), ...edges]) {
      const changed = object.slice()
      changed[at] = (changed[at] ?? 0) ^ 0x80
      expect(openSealedObject(context, changed).ok, `byte ${at}`).toBe(false)
    }
  })

  it('finds every cut', () => {
    for (const length of [
      0,
      1,
      HEADER_BYTES - 1,
      HEADER_BYTES,
      HEADER_BYTES + 15,
      object.length - CHUNK_BYTES,
      object.length - 1,
    ])
      expect(openSealedObject(context, object.slice(0, length))).toMatchObject({ ok: false, code: 'sealed.truncated' })
  })

  it('tells chunks that were exchanged with those of another object from a wrong order', () => {
    const other = sealObject(context, LONG, namedEntropy('other salt')(32))
    const mixed = object.slice()
    mixed.set(other.subarray(HEADER_BYTES, HEADER_BYTES + CHUNK_BYTES + 16), HEADER_BYTES)
    expect(openSealedObject(context, mixed)).toMatchObject({ ok: false, code: 'sealed.tampered' })
  })

  it('refuses a header that promises more than can exist', () => {
    const changed = object.slice()
    changed.fill(0xff, 72, 80)
    expect(openSealedObject(context, changed)).toMatchObject({ ok: false, code: 'sealed.header' })
  })
})

describe('createSealer', () => {
  const recipients = [RECIPIENT.publicKey, OTHER_RECIPIENT.publicKey]
  const seal = (entropy = namedEntropy('run')) => createSealer({ recipients, entropy })
  const packed = packTaskPackage({ files, encrypt: { paths: ['TASK.md', 'secret.bin'], cipher: seal() } })
  const base = {
    source: blocksFrom(packed.blocks),
    taskHash: packed.taskHash,
    binding: { tdHash: packed.tdHash, version: 1n },
  }

  it('lets each recipient read, and nobody else', async () => {
    for (const { secretKey } of [RECIPIENT, OTHER_RECIPIENT]) {
      const verdict = await verifyTaskPackage({ ...base, openers: [createSealedOpener({ secretKey })] })
      expect(verdict.findings).toEqual([])
      expect(verdict.facts.primary?.known).toBe('computed')
    }
    const stranger = createSealedOpener({ secretKey: namedEntropy('stranger')(32) })
    const verdict = await verifyTaskPackage({ ...base, openers: [stranger] })
    expect(new Set(verdict.findings.map(({ code }) => code))).toEqual(new Set(['sealed.no-recipient']))
  })

  it('wraps the content key as the page says, done by hand', () => {
    const { keyManagement } = seal(() => packageId.slice()).describe() as { keyManagement: JsonObject }
    const [first] = keyManagement['recipients'] as unknown as {
      ephemeralKey: string
      wrappedKey: string
      keyId: string
    }[]
    const domain = (use: string) => concatBytes(utf8ToBytes(`x-oikos-sealed-v1 ${use}`), new Uint8Array(1))
    const ephemeral = hexToBytes(first?.ephemeralKey.slice(2) ?? '')
    const shared = x25519.getSharedSecret(RECIPIENT.secretKey, ephemeral)
    const key = hkdf(sha256, shared, packageId, concatBytes(domain('wrap'), ephemeral, RECIPIENT.publicKey), 32)
    const keyId = sha256(concatBytes(domain('key id'), RECIPIENT.publicKey)).slice(0, 16)
    const data = concatBytes(domain('wrapped key'), packageId, keyId)
    const opened = chacha20poly1305(key, new Uint8Array(12), data).decrypt(hexToBytes(first?.wrappedKey.slice(2) ?? ''))
    expect(opened).toEqual(packageId)
    expect(first?.keyId).toBe(RECIPIENT.keyId)
  })

  it('refuses no, too many, repeated and unusable recipients, and short entropy', () => {
    const entropy = namedEntropy('refusals')
    const make = (keys: readonly Uint8Array[]) => () => createSealer({ recipients: keys, entropy })
    expect(make([])).toThrow(/expected 1 to 256/)
    expect(make(Array.from({ length: MAX_RECIPIENTS + 1 }, () => entropy(32)))).toThrow(/expected 1 to 256/)
    expect(make([RECIPIENT.publicKey, RECIPIENT.publicKey.slice()])).toThrow(/twice/)
    expect(make([new Uint8Array(31)])).toThrow(/usable/)
    expect(() => createSealer({ recipients, entropy: () => new Uint8Array(3) })).toThrow(/entropy/)
    expect(() => sealedKeyPairFrom(new Uint8Array(33))).toThrow(/secretKey/)
  })

  it('refuses the all-zero shared secret: public keys of small order', () => {
    const smallOrder = ['00', '01'].map((first) => hexToBytes(first + '00'.repeat(31)))
    for (const publicKey of smallOrder)
      expect(() => createSealer({ recipients: [publicKey], entropy: namedEntropy('zero') })).toThrow(/usable/)
  })

  it('rotates as a new version with fresh keys; a removed recipient cannot open it', async () => {
    const next = await rotateTaskPackage({
      ...base,
      version: 1n,
      opener: createSealedOpener({ secretKey: OTHER_RECIPIENT.secretKey }),
      cipher: createSealer({ recipients: [RECIPIENT.publicKey], entropy: namedEntropy('rotation') }),
    })
    expect(next.version).toBe(2n)
    expect(next.tdHash).toBe(packed.tdHash)
    expect(next.root.prev).toBe(packed.rootCid)
    const encrypted = next.leaves.filter((leaf) => leaf.encrypted)
    expect(encrypted.map(({ path }) => path).sort()).toEqual(['TASK.md', 'secret.bin'])
    for (const leaf of encrypted) expect(packed.blocks.has(leaf.cid)).toBe(false)
    const options = {
      source: blocksFrom(next.blocks),
      taskHash: next.taskHash,
      binding: { tdHash: next.tdHash, version: 2n },
      history: [{ taskHash: packed.taskHash, version: 1n }],
    }
    const kept = createSealedOpener({ secretKey: RECIPIENT.secretKey })
    expect((await verifyTaskPackage({ ...options, openers: [kept] })).findings).toEqual([])
    const removed = createSealedOpener({ secretKey: OTHER_RECIPIENT.secretKey })
    expect((await verifyTaskPackage({ ...options, openers: [removed] })).findings[0]?.code).toBe('sealed.no-recipient')
  })

  it('does not rotate what it cannot verify or open', async () => {
    const cipher = createSealer({ recipients, entropy: namedEntropy('again') })
    const stranger = createSealedOpener({ secretKey: namedEntropy('stranger')(32) })
    await expect(rotateTaskPackage({ ...base, version: 1n, opener: stranger, cipher })).rejects.toThrow(
      /sealed.no-recipient/,
    )
  })
})
