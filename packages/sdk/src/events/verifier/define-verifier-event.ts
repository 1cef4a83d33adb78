import type { Abi, Address, ContractEventName } from 'viem'
import type { ContractEvent } from '../contract-event.ts'
import { defineEvent, type EventActions } from '../define-event.ts'

/** A verifier, and on request only the events of one task contract or tender. */
export type VerifierEventTarget = { verifier: Address; chainId?: number; task?: Address; tokenId?: bigint }

/** Listing and following one event of a stock verifier. */
export function defineVerifierEvent<const abi extends Abi, name extends ContractEventName<abi>>(
  abi: abi,
  eventName: name,
): EventActions<VerifierEventTarget, ContractEvent<abi, name>> {
  return defineEvent({
    abi,
    eventName,
    emitter: (target: VerifierEventTarget) => target.verifier,
    filter: ({ task, tokenId }) => ({ taskContract: task, tokenId }),
  })
}
