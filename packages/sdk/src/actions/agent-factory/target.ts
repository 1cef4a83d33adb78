import type { Address } from 'viem'

/** The contract that Agents are born in, and on request the chain that the client must be connected to. */
export type FactoryTarget = {
  factory: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}
