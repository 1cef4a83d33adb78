import type { Address } from 'viem'

/** A contract that values what an Agent owns elsewhere. */
export type ValuationTarget = {
  valuation: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}
