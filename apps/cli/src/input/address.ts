import { type Address, getAddress, isAddress } from 'viem'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'

/**
 * Reads an address of the command line: 0x and 40 digits (in mixed case with its checksum), or the name of a key.
 * @throws UsageError, NotFoundError for an unknown key
 */
export async function parseAddress(context: Context, text: string, what: string): Promise<Address> {
  if (/^0x/i.test(text)) {
    if (isAddress(text)) return getAddress(text)
    throw new UsageError(
      `${what}: ${JSON.stringify(text.slice(0, 80))} is no address, or its checksum is wrong.`,
      'Check it against where you have it from, or write it in lower case.',
    )
  }
  const entry = await context.keystore.get(text)
  if (entry.kind === 'account') return entry.address
  throw new UsageError(`${what}: the key ${text} opens packages; it is no account.`, 'Name an account.')
}
