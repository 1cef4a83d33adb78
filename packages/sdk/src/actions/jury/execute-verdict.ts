import { juryPanelAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { JuryCaseTarget } from './target.ts'

/** Parameters of {@link executeVerdict}. */
export type ExecuteVerdictParameters = JuryCaseTarget & WriteParameters

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'execute',
  event: 'VerdictExecuted',
  contract: ({ jury }: ExecuteVerdictParameters) => jury,
  emitter: ({ jury }) => jury,
  args: ({ task, tokenId, submissionId }) => [task, tokenId, submissionId],
})

/** Has a kept acceptance take effect, once the epoch has room and the vault has money; anyone may. Simulates, then sends. */
export const executeVerdict = write.send

/** What {@link executeVerdict} would do, on the latest state; nothing is sent. */
export const simulateExecuteVerdict = write.simulate

/** {@link executeVerdict}, then waits for the event VerdictExecuted. */
export const executeVerdictAndWait = write.sendAndWait
