import { juryPanelAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { JuryCaseTarget } from './target.ts'

/** Parameters of {@link finalizeJuryTimeout}. */
export type FinalizeJuryTimeoutParameters = JuryCaseTarget & WriteParameters

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'finalizeTimeout',
  event: 'VerdictReached',
  contract: ({ jury }: FinalizeJuryTimeoutParameters) => jury,
  emitter: ({ jury }) => jury,
  args: ({ task, tokenId, submissionId }) => [task, tokenId, submissionId],
})

/** Refuses a delivery whose voting window has ended without a verdict; anyone may. Simulates, then sends. */
export const finalizeJuryTimeout = write.send

/** What {@link finalizeJuryTimeout} would do, on the latest state; nothing is sent. */
export const simulateFinalizeJuryTimeout = write.simulate

/** {@link finalizeJuryTimeout}, then waits for the event VerdictReached. */
export const finalizeJuryTimeoutAndWait = write.sendAndWait
