import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAttestedValuationWrite } from './define-attested-valuation-write.ts'
import type { ValuationTarget } from './target.ts'

/** Parameters of {@link confirmValue}. */
export type ConfirmValueParameters = ValuationTarget &
  WriteParameters & {
    /** Smallest units of the Accept Token, below 2^128. */
    valueAtomic: bigint
    /** Digest of the evidence, not zero. */
    evidenceHash: Hash
  }

const write = defineAttestedValuationWrite({
  functionName: 'confirm',
  event: 'ValueAttested',
  args: ({ valueAtomic, evidenceHash }: ConfirmValueParameters) => [valueAtomic, evidenceHash],
})

/**
 * Accepts exactly the value that is proposed, outside the corridor too, as the Owner of the Agent. Simulates, then
 * sends.
 */
export const confirmValue = write.send

/** What {@link confirmValue} would do, on the latest state; nothing is sent. */
export const simulateConfirmValue = write.simulate

/** {@link confirmValue}, then waits for the event ValueAttested. */
export const confirmValueAndWait = write.sendAndWait
