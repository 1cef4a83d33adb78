import { bondedGateAbi, taskTokenAbi } from '@oikos/core/abi'
import type { Address } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import type { GateTenderTarget } from './target.ts'

/** Parameters of {@link handOverThroughGate}. */
export type HandOverThroughGateParameters = GateTenderTarget &
  WriteParameters & {
    /** The task contract of the gate; its event reports the effect. */
    task: Address
    /** Who judges next; not zero. */
    newAuthority: Address
  }

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: taskTokenAbi,
  functionName: 'setAcceptanceAuthority',
  event: 'AcceptanceAuthorityChanged',
  contract: ({ gate }: HandOverThroughGateParameters) => gate,
  emitter: ({ task }) => task,
  args: ({ tokenId, newAuthority }) => [tokenId, newAuthority],
})

/** Takes the judgment slot from the gate and passes it on, as the judge that its rule names. Simulates, then sends. */
export const handOverThroughGate = write.send

/** What {@link handOverThroughGate} would do, on the latest state; nothing is sent. */
export const simulateHandOverThroughGate = write.simulate

/** {@link handOverThroughGate}, then waits for the event AcceptanceAuthorityChanged of the task contract. */
export const handOverThroughGateAndWait = write.sendAndWait
