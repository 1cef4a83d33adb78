import type { Address } from 'viem'

/** A companion that holds money for others: a jury, a splitter, a funding router or a bonded gate. */
export type OwingTarget = {
  companion: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}
