import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import { defineAttestedValuationWrite } from './define-attested-valuation-write.ts'
import type { ValuationTarget } from './target.ts'

/** Parameters of {@link acceptValue}. */
export type AcceptValueParameters = ValuationTarget &
  WriteParameters & {
    /** Smallest units of the Accept Token, below 2^128. */
    valueAtomic: bigint
    /** Digest of the evidence, not zero. */
    evidenceHash: Hash
  }

const write = defineAttestedValuationWrite({
  functionName: 'accept',
  event: 'ValueAttested',
  args: ({ valueAtomic, evidenceHash }: AcceptValueParameters) => [valueAtomic, evidenceHash],
})

/** Accepts exactly the value that is proposed, inside the corridor, as the accepter. Simulates, then sends. */
export const acceptValue = write.send

/** What {@link acceptValue} would do, on the latest state; nothing is sent. */
export const simulateAcceptValue = write.simulate

/** {@link acceptValue}, then waits for the event ValueAttested. */
export const acceptValueAndWait = write.sendAndWait
