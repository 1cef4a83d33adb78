import { type Asset, formatAmount } from '@oikos/sdk'
import { type Address, isAddress, zeroAddress } from 'viem'
import { plain } from '../output/plain.ts'
import { type AddressBook, absoluteTime } from '../output/speech.ts'
import type { DecodedEvent } from './decode.ts'

/** Arguments that are amounts of the tender's asset, by their names in the contracts. */
const AMOUNTS = new Set(['amount', 'reward', 'escrowBalance'])

/** An event as one line: its name and its arguments, amounts and addresses as people read them. */
export function eventText(event: DecodedEvent, asset: Asset | undefined, book: AddressBook): string {
  const parts = Object.entries(event.args).map(([name, value]) => `${name} ${argumentText(name, value, asset, book)}`)
  return `${event.name}: ${parts.join(', ')}`
}

function argumentText(name: string, value: unknown, asset: Asset | undefined, book: AddressBook): string {
  if (typeof value === 'string') return isAddress(value) ? addressText(value, book) : plain(value)
  if (typeof value !== 'bigint') return plain(String(value))
  if (AMOUNTS.has(name) && asset !== undefined) return formatAmount(value, asset)
  return name === 'deadline' ? absoluteTime(value) : String(value)
}

function addressText(address: Address, book: AddressBook): string {
  return address === zeroAddress ? 'nobody' : book(address)
}
