import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('public addresses', () => {
  test.each(['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1'])(
    '%s is one',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  test.each(['198.17.255.255', '198.20.0.0', '223.255.255.255', '2606:4700::1111', '2a00:1450::1', '2620:4f:7fff::1'])(
    '%s is one at an edge',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  test.each([
    ['this host', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['loopback, far end', '127.255.255.254'],
    ['private 10', '10.0.0.1'],
    ['private 172', '172.16.0.1'],
    ['private 172, far end', '172.31.255.255'],
    ['private 192', '192.168.1.1'],
    ['carrier', '100.64.0.1'],
    ['link-local and metadata of clouds', '169.254.169.254'],
    ['benchmarks', '198.19.255.255'],
    ['documentation', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv4 in IPv6', '::ffff:10.0.0.1'],
    ['public IPv4 in IPv6', '::ffff:1.1.1.1'],
    ['IPv4-compatible', '::1.1.1.1'],
    ['NAT64 of a private address', '64:ff9b::a00:1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['6to4', '2002:a00:1::1'],
    ['Teredo', '2001::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with zone', 'fe80::1%eth0'],
    ['public with zone', '2606:4700::1111%eth0'],
    ['IPv6 multicast', 'ff02::1'],
    ['site-local', 'fec0::1'],
    ['segment routing', '5f00::1'],
    ['a name', 'localhost'],
    ['short spelling of loopback', '127.1'],
    ['an integer', '2130706433'],
    ['nothing', ''],
  ])('%s (%s) is none', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
