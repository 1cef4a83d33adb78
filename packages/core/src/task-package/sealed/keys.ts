import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { equalBytes } from '../cbor.ts'
import { PackageInputError } from '../errors.ts'
import { KEY_BYTES, keyIdOf, wrapData, wrapKey } from './format.ts'

/** Uniformly random bytes of a cryptographic generator; the host gives them, since `core` has none. */
export type Entropy = (length: number) => Uint8Array

/** An X25519 key pair with the name that descriptors list; keys are 32 bytes. Source: RFC 7748. */
export type SealedKeyPair = {
  readonly secretKey: Uint8Array
  readonly publicKey: Uint8Array
  readonly keyId: `0x${string}`
}

/** A content key wrapped for one recipient, as hexadecimal text with 0x: 16, 32 and 48 bytes. */
export type WrappedKey = {
  readonly keyId: `0x${string}`
  readonly ephemeralKey: `0x${string}`
  readonly wrappedKey: `0x${string}`
}

const ZERO_NONCE = new Uint8Array(12)

/** Bytes as lower-case hexadecimal text with 0x. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${bytesToHex(bytes)}`
}

/** The bytes of hexadecimal text with 0x. Throws on anything else. */
export function fromHex(text: string): Uint8Array {
  return hexToBytes(text.slice(2))
}

/** Takes bytes from the host's generator. Throws {@link PackageInputError} when it gives another number of bytes. */
export function draw(entropy: Entropy, length: number): Uint8Array {
  const bytes = entropy(length)
  if (bytes.length !== length) throw new PackageInputError('entropy', `got ${bytes.length} bytes, expected ${length}`)
  return bytes
}

/** Makes the key pair of a recipient. */
export function sealedKeyPair(entropy: Entropy): SealedKeyPair {
  return sealedKeyPairFrom(draw(entropy, KEY_BYTES))
}

/** The key pair of a stored secret key of 32 bytes. Throws {@link PackageInputError} on another length. */
export function sealedKeyPairFrom(secretKey: Uint8Array): SealedKeyPair {
  if (secretKey.length !== KEY_BYTES)
    throw new PackageInputError('secretKey', `got ${secretKey.length} bytes, expected 32`)
  const publicKey = x25519.getPublicKey(secretKey)
  return { secretKey, publicKey, keyId: sealedKeyId(publicKey) }
}

/** The name of a public key in descriptors: 16 bytes. Whoever knows the key can see that it is a recipient. */
export function sealedKeyId(publicKey: Uint8Array): `0x${string}` {
  return toHex(keyIdOf(publicKey))
}

/** The X25519 secret of two keys, or undefined when it is all-zero, which a public key of small order forces. */
function sharedSecret(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  try {
    const shared = x25519.getSharedSecret(secretKey, publicKey)
    return shared.every((byte) => byte === 0) ? undefined : shared
  } catch {
    return undefined
  }
}

/** Wraps a content key for one recipient with a fresh ephemeral key. Throws {@link PackageInputError} on an unusable key. */
export function wrapContentKey(
  contentKey: Uint8Array,
  packageId: Uint8Array,
  publicKey: Uint8Array,
  entropy: Entropy,
): WrappedKey {
  const ephemeral = sealedKeyPair(entropy)
  const shared = publicKey.length === KEY_BYTES ? sharedSecret(ephemeral.secretKey, publicKey) : undefined
  if (shared === undefined)
    throw new PackageInputError('recipient', `${toHex(publicKey)} is not a usable X25519 public key of 32 bytes`)
  const keyId = keyIdOf(publicKey)
  const key = wrapKey(shared, packageId, ephemeral.publicKey, publicKey)
  const wrapped = chacha20poly1305(key, ZERO_NONCE, wrapData(packageId, keyId)).encrypt(contentKey)
  return { keyId: toHex(keyId), ephemeralKey: toHex(ephemeral.publicKey), wrappedKey: toHex(wrapped) }
}

/** The content key, or why the recipient's key does not give it. */
export type UnwrappedKey =
  | { readonly ok: true; readonly contentKey: Uint8Array }
  | {
      readonly ok: false
      readonly code: 'sealed.no-recipient' | 'sealed.weak-key' | 'sealed.wrong-key'
      readonly message: string
    }

/** Unwraps the content key with a recipient's key pair. Never throws on hostile input. */
export function unwrapContentKey(
  recipients: readonly WrappedKey[],
  packageId: Uint8Array,
  keyPair: SealedKeyPair,
): UnwrappedKey {
  const entry = recipients.find(({ keyId }) => keyId === keyPair.keyId)
  if (entry === undefined)
    return { ok: false, code: 'sealed.no-recipient', message: `key ${keyPair.keyId} is not among the recipients` }
  const ephemeralKey = fromHex(entry.ephemeralKey)
  const shared = sharedSecret(keyPair.secretKey, ephemeralKey)
  if (shared === undefined)
    return { ok: false, code: 'sealed.weak-key', message: 'the key agreement gave the all-zero secret' }
  const key = wrapKey(shared, packageId, ephemeralKey, keyPair.publicKey)
  try {
    const data = wrapData(packageId, keyIdOf(keyPair.publicKey))
    return { ok: true, contentKey: chacha20poly1305(key, ZERO_NONCE, data).decrypt(fromHex(entry.wrappedKey)) }
  } catch {
    return { ok: false, code: 'sealed.wrong-key', message: 'the wrapped content key is not authentic for this key' }
  }
}

/** Whether two recipients are the same key. */
export function hasRepeatedKey(publicKeys: readonly Uint8Array[]): boolean {
  return publicKeys.some((key, index) => publicKeys.slice(0, index).some((earlier) => equalBytes(earlier, key)))
}
