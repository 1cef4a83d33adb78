import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { VerifierProfileError } from './errors.ts'

const ADDRESS_TEXT = /^0x[0-9a-fA-F]{40}$/

/** The 20 bytes of an address of 40 hexadecimal digits in any case. Throws {@link VerifierProfileError} naming `field`. */
export function addressBytes(field: string, address: string): Uint8Array {
  if (!ADDRESS_TEXT.test(address)) {
    throw new VerifierProfileError(field, address, 'an address of 0x and 40 hexadecimal digits')
  }
  return hexToBytes(address.slice(2))
}

/** `secret || fulfiller` with the fulfiller as 20 bytes: the preimage that binds a delivery to who is paid. */
export function bindToFulfiller(secret: Uint8Array, fulfiller: string): Uint8Array {
  return concatBytes(secret, addressBytes('fulfiller', fulfiller))
}

/** Bytes as `0x` and lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${bytesToHex(bytes)}`
}

/** A number below 2^32 as a big-endian word of 32 bytes. */
export function word(value: number): Uint8Array {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(28, value)
  return bytes
}
