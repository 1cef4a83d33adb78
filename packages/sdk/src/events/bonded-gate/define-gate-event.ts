import { bondedGateAbi } from '@oikos/core/abi'
import type { Address, ContractEventName } from 'viem'
import type { ContractEvent } from '../contract-event.ts'
import { defineCompanionEvent } from '../define-companion-event.ts'
import type { EventActions } from '../define-event.ts'

/** A bonded gate, and on request only the events of one tender, delivery, deliverer or asset. */
export type GateEventTarget = {
  gate: Address
  chainId?: number
  tokenId?: bigint
  submissionId?: bigint
  deliverer?: Address
  /** Narrows the collections. */
  asset?: Address
}

/** Listing and following one event of a bonded gate. */
export function defineGateEvent<const name extends ContractEventName<typeof bondedGateAbi>>(
  eventName: name,
): EventActions<GateEventTarget, ContractEvent<typeof bondedGateAbi, name>> {
  return defineCompanionEvent(bondedGateAbi, eventName, ({ gate }: GateEventTarget) => gate)
}
