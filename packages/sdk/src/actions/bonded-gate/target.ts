import type { Address } from 'viem'

/** A bonded gate; it serves the one task contract of its rule. */
export type GateTarget = {
  gate: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}

/** A tender of the task contract of a gate. */
export type GateTenderTarget = GateTarget & {
  /** Counts from 1. */
  tokenId: bigint
}

/** One delivery to a tender behind a gate. */
export type GateDeliveryTarget = GateTenderTarget & {
  /** Counts from 1 in each tender. */
  submissionId: bigint
}
