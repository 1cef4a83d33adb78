import { x25519 } from '@noble/curves/ed25519.js'
import type { Cid } from '../src/digest/index.ts'
import {
  CHUNK_BYTES,
  createSealer,
  HEADER_BYTES,
  type JsonObject,
  type ObjectCipher,
  type PackedTask,
  packTaskPackage,
  sealedKeyPairFrom,
  sealObject,
} from '../src/task-package/index.ts'
import { namedEntropy } from './entropy.ts'
import type { HostilePackage } from './hostile-packages.ts'

const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value)
const CHUNK = CHUNK_BYTES + 16

/** Two recipients; the second one only in vectors with two. */
export const RECIPIENT = sealedKeyPairFrom(namedEntropy('recipient')(32))
export const OTHER_RECIPIENT = sealedKeyPairFrom(namedEntropy('other recipient')(32))

/** Content of three chunks. */
export const LONG: Uint8Array = new Uint8Array(2 * CHUNK_BYTES + 5).map((_, index) => index % 251)

function pack(cipher: ObjectCipher, content: Uint8Array): PackedTask {
  const files = new Map([
    ['TASK.md', utf8('# Sealed work\n')],
    ['secret.bin', content],
  ])
  return packTaskPackage({ files, encrypt: { paths: ['secret.bin'], cipher } })
}

/** The sealer of all these packages: the same keys each time, so that vectors stay. */
export function vectorSealer(): ObjectCipher {
  return createSealer({ recipients: [RECIPIENT.publicKey], entropy: namedEntropy('sealer') })
}

/** Content key and package id that {@link vectorSealer} draws first. */
export function vectorKeys(): { readonly contentKey: Uint8Array; readonly packageId: Uint8Array } {
  const entropy = namedEntropy('sealer')
  return { contentKey: entropy(32), packageId: entropy(32) }
}

type Change = (sealed: Uint8Array, path: string) => Uint8Array

function changed(
  name: string,
  change: Change,
  codes: HostilePackage['codes'],
  content = LONG,
  secretKey = RECIPIENT.secretKey,
): HostilePackage {
  const sealer = vectorSealer()
  return named(
    name,
    pack({ ...sealer, seal: (path, plaintext) => change(sealer.seal(path, plaintext), path) }, content),
    codes,
    secretKey,
  )
}

function described(
  name: string,
  describe: (fields: JsonObject) => JsonObject,
  codes: HostilePackage['codes'],
): HostilePackage {
  const sealer = vectorSealer()
  return named(
    name,
    pack({ ...sealer, describe: () => describe(sealer.describe()) }, utf8('short')),
    codes,
    RECIPIENT.secretKey,
  )
}

function named(
  name: string,
  packed: PackedTask,
  codes: HostilePackage['codes'],
  secretKey: Uint8Array,
): HostilePackage {
  const blocks = new Map<Cid, Uint8Array>(packed.blocks)
  const binding = { tdHash: packed.tdHash, version: packed.version }
  return { name, taskHash: packed.taskHash, blocks, binding, secretKey, codes }
}

function flip(sealed: Uint8Array, at: number): Uint8Array {
  const copy = sealed.slice()
  const index = at < 0 ? copy.length + at : at
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}

function swapChunks(sealed: Uint8Array): Uint8Array {
  const copy = sealed.slice()
  copy.set(sealed.subarray(HEADER_BYTES + CHUNK, HEADER_BYTES + 2 * CHUNK), HEADER_BYTES)
  copy.set(sealed.subarray(HEADER_BYTES, HEADER_BYTES + CHUNK), HEADER_BYTES + CHUNK)
  return copy
}

/** The first recipient of a descriptor with some of its fields replaced. */
function withRecipient(fields: JsonObject, change: Record<string, string>): JsonObject {
  const keyManagement = fields['keyManagement'] as JsonObject
  const [first, ...rest] = keyManagement['recipients'] as readonly JsonObject[]
  return { keyManagement: { ...keyManagement, recipients: [{ ...first, ...change }, ...rest] } }
}

/** Sealed packages that break one clause each, and sound ones. */
export function makeSealedPackages(): HostilePackage[] {
  const { contentKey, packageId } = vectorKeys()
  const salt = namedEntropy('salt')(32)
  const otherPath = sealObject({ contentKey, packageId, path: 'other.bin' }, LONG, salt)
  const otherKey = sealObject({ contentKey: packageId, packageId, path: 'secret.bin' }, LONG, salt)
  const otherContent = sealObject({ contentKey, packageId, path: 'secret.bin' }, utf8('swapped'), salt)
  const same: Change = (sealed) => sealed
  return [
    changed('sound, three chunks', same, []),
    changed('sound, empty content', same, [], new Uint8Array()),
    changed('sound, one whole chunk', same, [], LONG.slice(0, CHUNK_BYTES)),
    changed('key of a stranger', same, ['sealed.no-recipient'], utf8('short'), OTHER_RECIPIENT.secretKey),
    changed('magic changed', (sealed) => flip(sealed, 0), ['sealed.header'], utf8('short')),
    changed('key check changed', (sealed) => flip(sealed, 8), ['sealed.wrong-key'], utf8('short')),
    changed('context tag changed', (sealed) => flip(sealed, 24), ['sealed.wrong-context'], utf8('short')),
    changed('salt changed', (sealed) => flip(sealed, 40), ['sealed.wrong-key'], utf8('short')),
    changed('length raised', (sealed) => flip(sealed, 79), ['sealed.trailing-bytes'], utf8('short')),
    changed('last byte missing', (sealed) => sealed.slice(0, -1), ['sealed.truncated']),
    changed('last chunk missing', (sealed) => sealed.slice(0, HEADER_BYTES + 2 * CHUNK), ['sealed.truncated']),
    changed('only half a header', (sealed) => sealed.slice(0, 40), ['sealed.truncated'], utf8('short')),
    changed('one byte more', (sealed) => Uint8Array.from([...sealed, 0]), ['sealed.trailing-bytes'], utf8('short')),
    changed('chunks in another order', swapChunks, ['sealed.reordered']),
    changed('first ciphertext byte changed', (sealed) => flip(sealed, HEADER_BYTES), ['sealed.tampered']),
    changed('last tag byte changed', (sealed) => flip(sealed, -1), ['sealed.tampered']),
    changed('object of another path', () => otherPath, ['sealed.wrong-context']),
    changed('object of another content key', () => otherKey, ['sealed.wrong-key']),
    changed(
      'authentic object of other plaintext',
      () => otherContent,
      ['confidentiality.plaintext-mismatch'],
      utf8('short'),
    ),
    described('wrapped key changed', (fields) => withRecipient(fields, { wrappedKey: `0x${'00'.repeat(48)}` }), [
      'sealed.wrong-key',
    ]),
    described('another ephemeral key', (fields) => withRecipient(fields, { ephemeralKey: RECIPIENT_HEX }), [
      'sealed.wrong-key',
    ]),
    described(
      'ephemeral key of small order',
      (fields) => withRecipient(fields, { ephemeralKey: `0x${'00'.repeat(32)}` }),
      ['sealed.weak-key'],
    ),
    described('key id of the wrong form', (fields) => withRecipient(fields, { keyId: '0x1' }), ['sealed.descriptor']),
    described('no key management', () => ({}), ['sealed.descriptor']),
  ]
}

const RECIPIENT_HEX = `0x${Buffer.from(x25519.getPublicKey(namedEntropy('ephemeral')(32))).toString('hex')}`
