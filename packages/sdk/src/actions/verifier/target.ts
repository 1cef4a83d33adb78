import type { Address } from 'viem'
import type { AtBlock, TaskTarget } from '../target.ts'

/** A tender as one verifier knows it. */
export type VerifierTarget = TaskTarget & {
  /** The verifier contract. */
  verifier: Address
}

/** A read of what a verifier holds for one tender. */
export type VerifierReadParameters = VerifierTarget & AtBlock
