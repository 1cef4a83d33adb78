import { juryPanelAbi } from '@oikos/core/abi'
import type { Address, ContractEventName } from 'viem'
import type { ContractEvent } from '../contract-event.ts'
import { defineCompanionEvent } from '../define-companion-event.ts'
import type { EventActions } from '../define-event.ts'

/** A jury, and on request only the events of one task contract or gate, tender or delivery. */
export type JuryEventTarget = {
  jury: Address
  chainId?: number
  task?: Address
  tokenId?: bigint
  /** Narrows the events that are about one delivery. */
  submissionId?: bigint
}

/** Listing and following one event of a jury. */
export function defineJuryEvent<const name extends ContractEventName<typeof juryPanelAbi>>(
  eventName: name,
): EventActions<JuryEventTarget, ContractEvent<typeof juryPanelAbi, name>> {
  return defineCompanionEvent(juryPanelAbi, eventName, ({ jury }: JuryEventTarget) => jury)
}
