import { BlockList, isIP } from 'node:net'

/** IPv4 ranges that are not public. Source: IANA IPv4 Special-Purpose Address Registry; RFC 5771 (multicast). */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/**
 * Ranges inside the global unicast space of IPv6 that are not public, or that carry an IPv4 address of any kind. Source:
 * IANA IPv6 Special-Purpose Address Registry (2001::/23 holds Teredo, ORCHID and benchmarking).
 */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const special = new BlockList()
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6')

/** Global unicast. Source: RFC 4291, section 2.4. Mapped, NAT64, local and multicast addresses lie outside. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is one that a public server can have. A text that is no IP address is not, nor is one with a zone. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default:
      return false
  }
}
