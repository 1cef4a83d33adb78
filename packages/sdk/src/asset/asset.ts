import { type Address, getAddress, zeroAddress } from 'viem'

/** What makes an asset's own statements about itself doubtful. */
export type AssetWarning =
  /** `symbol()` gave nothing that is safe to show; `symbol` is the short address. */
  | 'symbol-unreadable'
  /** The symbol has characters outside ASCII, which may look like another symbol. */
  | 'symbol-non-ascii'
  /** A token calls itself like the native currency or one of its units. */
  | 'symbol-of-native'
  /** `decimals()` gave nothing usable; amounts are shown in the smallest unit. */
  | 'decimals-unreadable'

/** An asset as amounts are written in it. */
export type Asset = {
  /** Token contract; the zero address is the native currency. Source: ERC-8414, TenderTerms.asset. */
  readonly address: Address
  /** Safe to show: 1 to {@link MAX_SYMBOL_LENGTH} visible characters without spaces. Not an identity. */
  readonly symbol: string
  /** From 0 to {@link MAX_DECIMALS}. */
  readonly decimals: number
  readonly warnings: readonly AssetWarning[]
}

/** Longest symbol that is shown. The longest in common use has 11 characters. */
export const MAX_SYMBOL_LENGTH = 24

/** Most decimals that are taken seriously. ERC-20 allows 255; common tokens have at most 24. */
export const MAX_DECIMALS = 36

/** The native currency of Ethereum and of its test networks. */
export const nativeAsset: Asset = { address: zeroAddress, symbol: 'ETH', decimals: 18, warnings: [] }

/** Whether the asset is the native currency. */
export function isNativeAsset(asset: Pick<Asset, 'address'>): boolean {
  return asset.address.toLowerCase() === zeroAddress
}

/** First and last four digits of an address, as in `0x1234…abcd`. */
export function shortAddress(address: Address): string {
  const text = getAddress(address)
  return `${text.slice(0, 6)}…${text.slice(-4)}`
}
