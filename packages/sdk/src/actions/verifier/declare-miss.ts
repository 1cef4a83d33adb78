import { streakVerifierAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { VerifierTarget } from './target.ts'

/** Parameters of {@link declareMiss}. */
export type DeclareMissParameters = VerifierTarget & WriteParameters

const write = defineWrite({
  abi: streakVerifierAbi,
  eventAbi: streakVerifierAbi,
  functionName: 'declareMiss',
  event: 'SeatForfeited',
  contract: ({ verifier }: DeclareMissParameters) => verifier,
  emitter: ({ verifier }) => verifier,
  args: ({ task, tokenId }) => [task, tokenId],
})

/** Frees the seat of a provider that has missed an epoch; anyone may, and the settlement of the next provider does the same.
 * Simulates, then sends. */
export const declareMiss = write.send

/** What {@link declareMiss} would do, on the latest state; nothing is sent. */
export const simulateDeclareMiss = write.simulate

/** {@link declareMiss}, then waits for the event SeatForfeited. */
export const declareMissAndWait = write.sendAndWait
