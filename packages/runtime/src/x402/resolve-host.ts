import { lookup } from 'node:dns/promises'
import { isPublicAddress } from './public-address.ts'
import { refusedByRule, X402Refusal } from './refusal.ts'

/** Gives all addresses of a host name, in the order in which they should be tried. */
export type HostResolver = (host: string) => Promise<readonly string[]>

/** Addresses of one name that are looked at; a name with more is refused, since every one must be checked. */
const MAX_ADDRESSES = 16

/** The resolver of the system, hosts file included. */
export const systemResolver: HostResolver = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)

/**
 * All addresses of a public host. Throws {@link X402Refusal} `name_unresolved`, or `private_address` when one of them is
 * not public: a name that points at a public and a private address at once is an attack or a mistake.
 */
export async function resolvePublicHost(host: string, resolve: HostResolver): Promise<readonly string[]> {
  let addresses: readonly string[]
  try {
    addresses = await resolve(host)
  } catch (cause) {
    throw new X402Refusal('name_unresolved', 'definitely_not_started', `${host} cannot be resolved`, cause)
  }
  if (addresses.length === 0)
    throw new X402Refusal('name_unresolved', 'definitely_not_started', `${host} has no address`)
  if (addresses.length > MAX_ADDRESSES)
    throw refusedByRule(
      'private_address',
      `${host} has ${addresses.length} addresses, expected at most ${MAX_ADDRESSES}`,
    )
  const inside = addresses.find((address) => !isPublicAddress(address))
  if (inside !== undefined)
    throw refusedByRule('private_address', `${host} has the address ${inside}, which is not public`)
  return addresses
}
