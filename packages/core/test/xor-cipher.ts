import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { ObjectCipher, ObjectOpener } from '../src/task-package/index.ts'

/** The profile of the published test packages. It is no encryption: one key stream for every object. */
export const XOR_PROFILE = 'x-test-sha256-xor-stream-v1'

/** Key stream: SHA-256(key || i) for i = 0, 1, … as 16 bytes, big-endian; worked out from the published data. */
function xor(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length)
  const counter = new Uint8Array(16)
  for (let offset = 0, index = 0; offset < bytes.length; offset += 32, index++) {
    new DataView(counter.buffer).setUint32(12, index)
    const stream = sha256(concatBytes(key, counter))
    for (let at = offset; at < Math.min(offset + 32, bytes.length); at++)
      out[at] = (bytes[at] ?? 0) ^ (stream[at - offset] ?? 0)
  }
  return out
}

/** Packs as the published packages were packed. Test data only. */
export function xorCipher(keyHex: string): ObjectCipher {
  const key = hexToBytes(keyHex)
  return {
    profile: XOR_PROFILE,
    mode: 'encrypted',
    seal: (_path, plaintext) => xor(key, plaintext),
    describe: () => ({ keyManagement: { type: 'pre-shared-demo-key' } }),
  }
}

/** Opens what {@link xorCipher} made. Test data only. */
export function xorOpener(keyHex: string): ObjectOpener {
  const key = hexToBytes(keyHex)
  return { profile: XOR_PROFILE, open: () => (_path, ciphertext) => ({ ok: true, plaintext: xor(key, ciphertext) }) }
}
