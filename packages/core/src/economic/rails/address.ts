import { hexToBytes } from '@noble/hashes/utils.js'
import { base58, bech32 } from '@scure/base'
import type { Rail } from '../catalog.ts'

declare const addressMark: unique symbol

/** `0x` and 40 lower-case hexadecimal digits; no checksum case. */
export type EvmAddress = `0x${string}` & { readonly [addressMark]: 'evm' }
/** Base58 of exactly 32 bytes. */
export type SolanaAddress = string & { readonly [addressMark]: 'solana' }
/** Lower-case bech32 `bcrt1q…`: witness version 0 with a 20-byte program (P2WPKH on regtest). Source: BIP 173. */
export type BitcoinAddress = string & { readonly [addressMark]: 'bitcoin' }

/** Address by rail. */
export type RailAddress<R extends Rail = Rail> = { evm: EvmAddress; solana: SolanaAddress; bitcoin: BitcoinAddress }[R]

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/
/** 32 bytes in base58 take 32 to 44 characters. */
const BASE58_32 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/** `bcrt1q`, 32 characters of program, 6 of checksum. */
const REGTEST_P2WPKH = /^bcrt1q[02-9ac-hj-np-z]{38}$/

/** Whether a text is an {@link EvmAddress}. The zero address is one. */
export function isEvmAddress(text: string): text is EvmAddress {
  return EVM_ADDRESS.test(text)
}

/** The 32 bytes of base58 text, or undefined when it does not stand for exactly 32 bytes in its one spelling. */
export function base58Bytes32(text: string): Uint8Array | undefined {
  if (!BASE58_32.test(text)) return undefined
  const bytes = base58.decode(text)
  return bytes.length === 32 && base58.encode(bytes) === text ? bytes : undefined
}

/** Whether a text is a {@link SolanaAddress}. */
export function isSolanaAddress(text: string): text is SolanaAddress {
  return base58Bytes32(text) !== undefined
}

/** The witness program (20 bytes) of a regtest P2WPKH address, or undefined. Bech32m and other versions are refused. */
function bitcoinProgram(text: string): Uint8Array | undefined {
  if (!REGTEST_P2WPKH.test(text)) return undefined
  const decoded = bech32.decodeUnsafe(text)
  if (decoded === undefined || decoded.prefix !== 'bcrt' || decoded.words[0] !== 0) return undefined
  const program = bech32.fromWordsUnsafe(decoded.words.slice(1))
  return program !== undefined && program.length === 20 ? Uint8Array.from(program) : undefined
}

/** Whether a text is a {@link BitcoinAddress}. */
export function isBitcoinAddress(text: string): text is BitcoinAddress {
  return bitcoinProgram(text) !== undefined
}

/** Whether a text is an address of a rail. */
export function isRailAddress<R extends Rail>(rail: R, text: string): text is RailAddress<R> {
  switch (rail) {
    case 'evm':
      return isEvmAddress(text)
    case 'solana':
      return isSolanaAddress(text)
    case 'bitcoin':
      return isBitcoinAddress(text)
    default:
      return false
  }
}

/** The 20 bytes of an EVM address. */
export function evmAddressBytes(address: EvmAddress): Uint8Array {
  return hexToBytes(address.slice(2))
}

/** The 32 bytes of a Solana address. */
export function solanaAddressBytes(address: SolanaAddress): Uint8Array {
  return base58.decode(address)
}

/** The script `00 14 <20 bytes>` that pays an address. Source: BIP 141, P2WPKH. */
export function bitcoinScript(address: BitcoinAddress): Uint8Array {
  const program = bech32.fromWords(bech32.decode(address as `${string}1${string}`).words.slice(1))
  return Uint8Array.from([0x00, 0x14, ...program])
}
