import { bondedGateAbi } from '@oikos/core/abi'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { GateDeliveryTarget } from './target.ts'

/** Parameters of {@link settleBond}. */
export type SettleBondParameters = GateDeliveryTarget & WriteParameters

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: bondedGateAbi,
  functionName: 'settleBond',
  event: 'BondSettled',
  contract: ({ gate }: SettleBondParameters) => gate,
  emitter: ({ gate }) => gate,
  args: ({ tokenId, submissionId }) => [tokenId, submissionId],
})

/** Gives the bond of a decided delivery to whoever gets it by the rule of the gate; anyone may. Simulates, then sends. */
export const settleBond = write.send

/** What {@link settleBond} would do, on the latest state; nothing is sent. */
export const simulateSettleBond = write.simulate

/** {@link settleBond}, then waits for the event BondSettled. */
export const settleBondAndWait = write.sendAndWait
