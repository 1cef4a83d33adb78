import { type Asset, formatAmount } from '@oikos/sdk'
import { type Address, isAddress, isAddressEqual, zeroAddress } from 'viem'
import { plain } from '../output/plain.ts'
import { type AddressBook, absoluteTime } from '../output/speech.ts'
import { agentArgumentText } from './agent-event-text.ts'
import type { DecodedEvent } from './decode.ts'

/** What is known about the amounts of an event. */
export type EventUnits = {
  /** Asset of the tender, or Accept Token of the Agent. */
  readonly asset?: Asset
  /** Agent whose shares and rates are meant. */
  readonly agent?: Address
}

/** Arguments that are amounts of the asset that a transaction is about, by their names in the contracts. */
const AMOUNTS = new Set(['amount', 'reward', 'escrowBalance', 'net', 'fee', 'share', 'lost'])

/** An event as one line: its name and its arguments, amounts and addresses as people read them. */
export function eventText(event: DecodedEvent, units: EventUnits, book: AddressBook): string {
  const parts = Object.entries(event.args).map(
    ([name, value]) => `${name} ${argumentText(event, name, value, units, book)}`,
  )
  return parts.length === 0 ? event.name : `${event.name}: ${parts.join(', ')}`
}

function argumentText(
  event: DecodedEvent,
  name: string,
  value: unknown,
  { asset, agent }: EventUnits,
  book: AddressBook,
): string {
  if (asset !== undefined && agent !== undefined) {
    const text = agentArgumentText(event, name, value, asset, isAddressEqual(event.address, agent))
    if (text !== undefined) return text
  }
  if (typeof value === 'string') return isAddress(value) ? addressText(value, book) : plain(value)
  if (typeof value === 'object' && value !== null) return 'see --json'
  if (typeof value !== 'bigint') return plain(String(value))
  if (AMOUNTS.has(name) && asset !== undefined && agent === undefined) return formatAmount(value, asset)
  return name === 'deadline' ? absoluteTime(value) : String(value)
}

function addressText(address: Address, book: AddressBook): string {
  return address === zeroAddress ? 'nobody' : book(address)
}
