import type { Abi, Address, ContractEventName } from 'viem'
import type { ContractEvent } from './contract-event.ts'
import { defineEvent, type EventActions, indexedArguments } from './define-event.ts'

/** Values that the indexed arguments of a companion's event may be narrowed by; those that it lacks are ignored. */
type CompanionEventFilter = { chainId?: number; task?: Address; [argument: string]: unknown }

/** Listing and following one event of a companion, narrowed by `task` and by indexed arguments under their names. */
export function defineCompanionEvent<
  const abi extends Abi,
  name extends ContractEventName<abi>,
  target extends { chainId?: number },
>(abi: abi, eventName: name, emitter: (target: target) => Address): EventActions<target, ContractEvent<abi, name>> {
  return defineEvent({
    abi,
    eventName,
    emitter,
    filter: (target) => {
      const { task, ...named }: CompanionEventFilter = target
      return indexedArguments(abi, eventName, { ...named, taskContract: task })
    },
  })
}
