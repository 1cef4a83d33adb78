import type { Address } from 'viem'

/** A royalty contract; it serves one task contract. */
export type RoyaltyTarget = {
  royalty: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}

/** The royalty on one tender. */
export type TenderRoyaltyTarget = RoyaltyTarget & {
  /** Counts from 1. */
  tokenId: bigint
}
