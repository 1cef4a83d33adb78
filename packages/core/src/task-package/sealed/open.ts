import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { equalBytes } from '../cbor.ts'
import type { ObjectOpener, OpenedObject } from '../confidentiality.ts'
import { noFindings, shown } from '../findings.ts'
import {
  CHUNK_BYTES,
  chunkData,
  chunkNonce,
  contextOf,
  countChunks,
  HEADER_BYTES,
  keyCheck,
  objectKey,
  SEALED_PROFILE,
  TAG_BYTES,
} from './format.ts'
import { inspectHeader, readKeyManagement } from './inspect.ts'
import { sealedKeyPairFrom, unwrapContentKey } from './keys.ts'
import type { SealingContext } from './seal.ts'

/** Chunks that are tried at the place of an unauthentic one, to tell a wrong order from damage: those of a 64 MiB object. */
const MAX_REORDER_TRIALS = 1_024

type ChunkOpener = (chunk: Uint8Array, index: number) => Uint8Array | undefined

/**
 * Opens one object with the content key. A verdict, never a thrown error: `sealed.truncated`, `.trailing-bytes`,
 * `.header`, `.wrong-context`, `.wrong-key`, `.reordered` or `.tampered`, in this order. Plaintext is returned whole or not at all.
 */
export function openSealedObject(context: SealingContext, object: Uint8Array): OpenedObject {
  const { contentKey, packageId, path } = context
  const inspected = inspectHeader(packageId, path, object)
  if (!inspected.ok) return inspected
  const { header } = inspected
  if (!equalBytes(header.keyCheck, keyCheck(contentKey, packageId, header.salt)))
    return { ok: false, code: 'sealed.wrong-key', message: 'the object commits to another content key' }
  const place = contextOf(packageId, path)
  const key = objectKey(contentKey, header, place)
  const data = chunkData(place)
  const chunks = countChunks(header.plaintextBytes)
  const openChunk: ChunkOpener = (chunk, index) => {
    try {
      return chacha20poly1305(key, chunkNonce(index, index === chunks - 1), data).decrypt(chunk)
    } catch {
      return undefined
    }
  }
  const plaintext = new Uint8Array(header.plaintextBytes)
  for (let index = 0; index < chunks; index++) {
    const opened = openChunk(chunkAt(object, index), index)
    if (opened === undefined) return damagedChunk(object, index, chunks, openChunk)
    plaintext.set(opened, index * CHUNK_BYTES)
  }
  return { ok: true, plaintext }
}

function chunkAt(object: Uint8Array, index: number): Uint8Array {
  const start = HEADER_BYTES + index * (CHUNK_BYTES + TAG_BYTES)
  return object.subarray(start, start + CHUNK_BYTES + TAG_BYTES)
}

function damagedChunk(object: Uint8Array, index: number, chunks: number, openChunk: ChunkOpener): OpenedObject {
  const chunk = chunkAt(object, index)
  for (let other = 0; other < Math.min(chunks, MAX_REORDER_TRIALS); other++) {
    if (other !== index && openChunk(chunk, other) !== undefined)
      return { ok: false, code: 'sealed.reordered', message: `chunk ${other} stands at the place of chunk ${index}` }
  }
  return { ok: false, code: 'sealed.tampered', message: `chunk ${index} of ${chunks} is not authentic` }
}

/** Opens objects of a sealed package with a recipient's secret key of 32 bytes. Throws PackageInputError on another length. */
export function createSealedOpener(options: { readonly secretKey: Uint8Array }): ObjectOpener {
  const keyPair = sealedKeyPairFrom(options.secretKey)
  return {
    profile: SEALED_PROFILE,
    open: (descriptor) => {
      const findings = noFindings()
      const keyManagement = descriptor.profile === SEALED_PROFILE ? readKeyManagement(descriptor, findings) : undefined
      if (keyManagement === undefined) {
        const message = findings.list[0]?.message ?? `profile ${shown(descriptor.profile)} is not ${SEALED_PROFILE}`
        return () => ({ ok: false, code: 'sealed.descriptor', message })
      }
      const { packageId, recipients } = keyManagement
      const unwrapped = unwrapContentKey(recipients, packageId, keyPair)
      if (!unwrapped.ok) return () => unwrapped
      const { contentKey } = unwrapped
      return (path, ciphertext) => openSealedObject({ contentKey, packageId, path }, ciphertext)
    },
  }
}
