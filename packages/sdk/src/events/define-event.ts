import type { Abi, AbiEvent, Address, Client, ContractEventName } from 'viem'
import type { ContractEvent } from './contract-event.ts'
import { type BlockRange, type EventPage, type LogQuery, listEvents } from './list-events.ts'
import { type WatchParameters, watchEvents } from './watch-events.ts'

/** Listing and following one event. */
export type EventActions<target, event> = {
  /** One page of a block range; `nextFromBlock` continues it. Throws WrongChainError, RpcError. */
  list: (client: Client, parameters: target & BlockRange) => Promise<EventPage<event>>
  /** Follows the event without gaps; returns a function that ends it. */
  watch: (client: Client, parameters: target & WatchParameters<event>) => () => void
}

/** Builds both actions of one event. `filter` gives the indexed arguments that narrow it, under the names of the ABI. */
export function defineEvent<
  const abi extends Abi,
  name extends ContractEventName<abi>,
  target extends { chainId?: number },
>(definition: {
  abi: abi
  eventName: name
  emitter: (target: target) => Address
  filter: (target: target) => Readonly<Record<string, unknown>>
}): EventActions<target, ContractEvent<abi, name>> {
  const query = (target: target): LogQuery<abi> => ({
    abi: definition.abi,
    address: definition.emitter(target),
    eventName: definition.eventName,
    args: definition.filter(target),
  })
  // The node narrows to one event, so both casts only restore its type.
  return {
    list: async (client, parameters) =>
      (await listEvents(client, query(parameters), parameters)) as EventPage<ContractEvent<abi, name>>,
    watch: (client, parameters) => watchEvents(client, query(parameters), parameters as never),
  }
}

/** The values that `parameters` has for the indexed arguments of an event. */
export function indexedArguments(
  abi: Abi,
  eventName: string,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const item = abi.find((entry): entry is AbiEvent => entry.type === 'event' && entry.name === eventName)
  const names = (item?.inputs ?? []).flatMap(({ indexed, name }) => (indexed && name !== undefined ? [name] : []))
  return Object.fromEntries(
    names.filter((name) => parameters[name] !== undefined).map((name) => [name, parameters[name]]),
  )
}
