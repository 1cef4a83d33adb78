import { keccak256 } from '../digest/index.ts'

/** 20 bytes as `0x` and 40 hexadecimal digits; where two are compared or keyed, in lower case. */
export type Address = `0x${string}`

/** The native currency wherever an asset is named by address. Source: IScope.sol, Cap. */
export const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`

const ADDRESS_TEXT = /^0x[0-9a-fA-F]{40}$/

/** The address in lower case, or undefined for a text that is none. Mixed case must be the checksum. Source: ERC-55. */
export function readAddress(text: string): Address | undefined {
  if (!ADDRESS_TEXT.test(text)) return undefined
  const lower = text.toLowerCase() as Address
  const digits = text.slice(2)
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isPlain || toChecksumAddress(lower) === text ? lower : undefined
}

/** The address in the mixed case that is its checksum. Source: ERC-55. */
export function toChecksumAddress(address: Address): Address {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(new TextEncoder().encode(digits)).slice(2)
  return `0x${[...digits].map((digit, index) => (Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}
