import { splitterAbi } from '@oikos/core/abi'
import type { Address, ContractEventName } from 'viem'
import type { ContractEvent } from '../contract-event.ts'
import { defineCompanionEvent } from '../define-companion-event.ts'
import type { EventActions } from '../define-event.ts'

/** A splitter, and on request only the events of one task contract, tender or asset. */
export type SplitterEventTarget = {
  splitter: Address
  chainId?: number
  task?: Address
  tokenId?: bigint
  submissionId?: bigint
  /** Narrows the divisions. */
  asset?: Address
}

/** Listing and following one event of a splitter. */
export function defineSplitterEvent<const name extends ContractEventName<typeof splitterAbi>>(
  eventName: name,
): EventActions<SplitterEventTarget, ContractEvent<typeof splitterAbi, name>> {
  return defineCompanionEvent(splitterAbi, eventName, ({ splitter }: SplitterEventTarget) => splitter)
}
