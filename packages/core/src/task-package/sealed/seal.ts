import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import type { ObjectCipher } from '../confidentiality.ts'
import { PackageInputError } from '../errors.ts'
import {
  CHUNK_BYTES,
  chunkData,
  chunkNonce,
  contextOf,
  contextTag,
  countChunks,
  HEADER_BYTES,
  KEY_BYTES,
  keyCheck,
  objectKey,
  SALT_BYTES,
  SEALED_MODE,
  SEALED_PROFILE,
  sealedBytes,
  TAG_BYTES,
  writeHeader,
} from './format.ts'
import { draw, type Entropy, hasRepeatedKey, toHex, wrapContentKey } from './keys.ts'

/** Recipients of one package version; the descriptor names each, and a larger circle shares a key instead. */
export const MAX_RECIPIENTS = 256

/** What an object is sealed with. */
export type SealingContext = {
  readonly contentKey: Uint8Array
  /** 32 random bytes that name the package version. */
  readonly packageId: Uint8Array
  readonly path: string
}

/** Seals one object: header, then chunks of ChaCha20-Poly1305. `salt` is 32 fresh random bytes. Source: docs/confidential-profile.md. */
export function sealObject(context: SealingContext, plaintext: Uint8Array, salt: Uint8Array): Uint8Array {
  const { contentKey, packageId, path } = context
  const place = contextOf(packageId, path)
  const header = writeHeader({
    keyCheck: keyCheck(contentKey, packageId, salt),
    contextTag: contextTag(place),
    salt,
    plaintextBytes: plaintext.length,
  })
  const key = objectKey(contentKey, header, place)
  const data = chunkData(place)
  const object = new Uint8Array(sealedBytes(plaintext.length))
  object.set(header.bytes)
  const chunks = countChunks(plaintext.length)
  for (let index = 0; index < chunks; index++) {
    const chunk = plaintext.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    const sealed = chacha20poly1305(key, chunkNonce(index, index === chunks - 1), data).encrypt(chunk)
    object.set(sealed, HEADER_BYTES + index * (CHUNK_BYTES + TAG_BYTES))
  }
  return object
}

/**
 * The cipher of one package version: a fresh content key and package id, the key wrapped for every recipient. Use one
 * sealer for one version; adding or removing a recipient is a new version. Sender authentication is not claimed.
 * Throws {@link PackageInputError} on no, too many, repeated or unusable recipients.
 */
export function createSealer(options: {
  readonly recipients: readonly Uint8Array[]
  readonly entropy: Entropy
}): ObjectCipher {
  const { recipients, entropy } = options
  if (recipients.length === 0 || recipients.length > MAX_RECIPIENTS)
    throw new PackageInputError('recipients', `got ${recipients.length}, expected 1 to ${MAX_RECIPIENTS}`)
  if (hasRepeatedKey(recipients)) throw new PackageInputError('recipients', 'a public key is listed twice')
  const contentKey = draw(entropy, KEY_BYTES)
  const packageId = draw(entropy, KEY_BYTES)
  const wrapped = recipients.map((publicKey) => wrapContentKey(contentKey, packageId, publicKey, entropy))
  return {
    profile: SEALED_PROFILE,
    mode: SEALED_MODE,
    seal: (path, plaintext) => sealObject({ contentKey, packageId, path }, plaintext, draw(entropy, SALT_BYTES)),
    describe: () => ({
      keyManagement: {
        type: 'x25519-hkdf-sha256-chacha20poly1305',
        packageId: toHex(packageId),
        recipients: wrapped.map((entry) => ({ ...entry })),
      },
    }),
  }
}
