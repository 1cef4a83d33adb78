import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** SHA-256 of the parts joined, as 64 lower-case hexadecimal digits. Source: FIPS 180-4. */
export function sha256Hex(...parts: readonly Uint8Array[]): string {
  const hash = sha256.create()
  for (const part of parts) hash.update(part)
  return bytesToHex(hash.digest())
}
