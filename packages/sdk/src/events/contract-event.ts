import {
  type Abi,
  type Address,
  type ContractEventName,
  type GetEventArgs,
  getAddress,
  type Hash,
  isAddressEqual,
  type Log,
  parseEventLogs,
} from 'viem'
import type { Branded } from '../actions/branded.ts'

/** A decoded event with its place in the chain; one member of a union discriminated by `eventName`. */
export type ContractEvent<abi extends Abi, name extends ContractEventName<abi>> = {
  [event in name]: {
    readonly eventName: event
    /** Arguments under their names in the contract; amounts in smallest units, times in unix seconds. */
    readonly args: Branded<EventArguments<abi, event>>
    /** Contract that emitted it. */
    readonly address: Address
    readonly blockNumber: bigint
    readonly blockHash: Hash
    readonly transactionHash: Hash
    /** Position in its block; with the block number the order of all events. */
    readonly logIndex: number
  }
}[name]

type EventArguments<abi extends Abi, name extends ContractEventName<abi>> = GetEventArgs<
  abi,
  name,
  { EnableUnion: false; IndexedOnly: false; Required: true }
>

/** Indexed arguments that a listing may be narrowed by. */
export type EventFilter<abi extends Abi, name extends ContractEventName<abi>> = GetEventArgs<
  abi,
  name,
  { EnableUnion: false; IndexedOnly: true; Required: false }
>

/**
 * The events of one contract among logs, decoded. Logs of other contracts, of other events, without a place in a block
 * yet, and logs that do not decode are left out.
 */
export function decodeEvents<const abi extends Abi>(
  abi: abi,
  emitter: Address,
  logs: readonly Log[],
): ContractEvent<abi, ContractEventName<abi>>[] {
  const own = logs.filter((log) => isAddressEqual(log.address, emitter))
  const decoded = parseEventLogs({ abi: abi as Abi, logs: own, strict: true })
  return decoded.flatMap(({ eventName, args, address, blockNumber, blockHash, transactionHash, logIndex }) =>
    blockNumber === null || blockHash === null || transactionHash === null || logIndex === null
      ? []
      : // parseEventLogs checked the arguments against the ABI; the cast restores the type that Abi erased.
        [{ eventName, args, address: getAddress(address), blockNumber, blockHash, transactionHash, logIndex } as never],
  )
}
