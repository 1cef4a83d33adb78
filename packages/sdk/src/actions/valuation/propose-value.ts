import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAttestedValuationWrite } from './define-attested-valuation-write.ts'
import type { ValuationTarget } from './target.ts'

/** Parameters of {@link proposeValue}. */
export type ProposeValueParameters = ValuationTarget &
  WriteParameters & {
    /** Smallest units of the Accept Token, below 2^128. */
    valueAtomic: bigint
    /** Digest of the evidence, not zero. */
    evidenceHash: Hash
  }

const write = defineAttestedValuationWrite({
  functionName: 'propose',
  event: 'ValueProposed',
  args: ({ valueAtomic, evidenceHash }: ProposeValueParameters) => [valueAtomic, evidenceHash],
})

/**
 * Proposes a value with the digest of its evidence, as the proposer; replaces the proposal before. Simulates, then
 * sends.
 */
export const proposeValue = write.send

/** What {@link proposeValue} would do, on the latest state; nothing is sent. */
export const simulateProposeValue = write.simulate

/** {@link proposeValue}, then waits for the event ValueProposed. */
export const proposeValueAndWait = write.sendAndWait
