import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Entropy } from '../src/task-package/index.ts'

/**
 * Deterministic bytes for vectors and tests: SHA-256("oikos vectors " || name || i) for i = 0, 1, … as 4 bytes,
 * big-endian, concatenated; each call takes the next bytes.
 */
export function namedEntropy(name: string): Entropy {
  let index = 0
  let pool = new Uint8Array()
  return (length) => {
    while (pool.length < length) {
      const counter = new Uint8Array(4)
      new DataView(counter.buffer).setUint32(0, index++)
      pool = concatBytes(pool, sha256(concatBytes(utf8ToBytes(`oikos vectors ${name}`), counter)))
    }
    const taken = pool.slice(0, length)
    pool = pool.slice(length)
    return taken
  }
}
