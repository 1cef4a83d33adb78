import type { Address } from 'viem'

/** A contract that bounds the Agents of one factory. */
export type ScopeContractTarget = {
  /** The Scope; getAgentScope reads it from an Agent. */
  scope: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}

/** The boundary of one Agent. */
export type ScopeTarget = ScopeContractTarget & { agent: Address }
