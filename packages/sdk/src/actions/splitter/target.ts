import type { Address } from 'viem'

/** A splitter: a team as one fulfiller of record. */
export type SplitterTarget = {
  splitter: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}
