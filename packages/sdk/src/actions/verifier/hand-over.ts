import { hashlockVerifierAbi, taskTokenAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link handOver}. */
export type HandOverParameters = VerifierTarget &
  WriteParameters & {
    /** Judge, or another verifier; not zero. */
    newAuthority: Address
  }

const write = defineWrite({
  abi: hashlockVerifierAbi, // handOver is the same function of every stock verifier
  eventAbi: taskTokenAbi,
  functionName: 'handOver',
  event: 'AcceptanceAuthorityChanged',
  contract: ({ verifier }: HandOverParameters) => verifier,
  emitter: ({ task }) => task,
  args: ({ task, tokenId, newAuthority }) => [task, tokenId, newAuthority],
})

/**
 * Takes the judgment slot from a stock verifier and passes it on, as the update authority and while no delivery is
 * pending. Simulates, then sends.
 */
export const handOver = write.send

/** What {@link handOver} would do, on the latest state; nothing is sent. */
export const simulateHandOver = write.simulate

/** {@link handOver}, then waits for the event AcceptanceAuthorityChanged of the task contract. */
export const handOverAndWait = write.sendAndWait
