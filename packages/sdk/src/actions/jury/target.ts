import type { Address } from 'viem'
import type { TaskTarget } from '../target.ts'

/** A jury panel. */
export type JuryTarget = {
  jury: Address
  /** When given, a client of another chain is refused with WrongChainError. */
  chainId?: number
}

/** A tender as a jury knows it: `task` is the task contract, or the bonded gate in front of it. */
export type JuryTenderTarget = TaskTarget & JuryTarget

/** One delivery as a jury knows it. */
export type JuryCaseTarget = JuryTenderTarget & {
  /** Counts from 1 in each tender. */
  submissionId: bigint
}
