import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { VerifierProfileError } from './errors.ts'

const ADDRESS_TEXT = /^0x[0-9a-fA-F]{40}$/

/** `secret || fulfiller` with the fulfiller as 20 bytes: the preimage that binds a delivery to who is paid. */
export function bindToFulfiller(secret: Uint8Array, fulfiller: string): Uint8Array {
  if (!ADDRESS_TEXT.test(fulfiller)) {
    throw new VerifierProfileError('fulfiller', fulfiller, 'an address of 0x and 40 hexadecimal digits')
  }
  return concatBytes(secret, hexToBytes(fulfiller.slice(2)))
}

/** Bytes as `0x` and lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${bytesToHex(bytes)}`
}
