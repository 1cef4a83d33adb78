import { type Address, getAddress } from 'viem'
import type { Context } from '../context.ts'
import type { AddressBook } from '../output/speech.ts'

/**
 * Names for addresses: the user's own keys, and what the caller knows about roles. The whole address stays beside the
 * name, since a short form can be forged.
 */
export async function createAddressBook(
  context: Context,
  roles: readonly (readonly [Address | undefined, string])[] = [],
): Promise<AddressBook> {
  const names = new Map<Address, string>()
  for (const [address, role] of roles) if (address !== undefined) names.set(getAddress(address), role)
  for (const entry of await context.keystore.list()) {
    if (entry.kind === 'account') names.set(entry.address, `key ${entry.name}`)
  }
  return (address) => {
    const checksummed = getAddress(address)
    const name = names.get(checksummed)
    return name === undefined ? checksummed : `${checksummed} (${name})`
  }
}
