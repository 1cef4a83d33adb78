import type { Address } from 'viem'

/** One Agent, and on request the chain that the client must be connected to. */
export type AgentTarget = {
  /** The Agent; its shares have the same address. */
  agent: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}
