import { describe, expect, test } from 'vitest'
import { isX402Origin, isX402Resource } from './x402.ts'

const ORIGINS = [
  'https://pay.example.com',
  'https://a.co',
  'https://xn--bcher-kva.example',
  'https://x-1.y-2.example',
  `https://${'a'.repeat(63)}.example`,
]

const NO_ORIGINS = [
  'http://pay.example.com',
  'HTTPS://pay.example.com',
  'https://',
  'https://Pay.example.com',
  'https://pay.example.com/',
  'https://pay.example.com:443',
  'https://user@pay.example.com',
  'https://pay.example.com#x',
  'https://pay.example.com?x',
  'https://pay.example.com.',
  'https://pay..example.com',
  'https://-pay.example.com',
  'https://pay-.example.com',
  'https://ex_ample.com',
  'https://pay.example.com\n',
  'https://пример.example',
  `https://${'a'.repeat(64)}.example`,
  `https://${'a.'.repeat(126)}example`,
  // IPv4 in every spelling that a URL parser knows, and IPv6.
  'https://127.0.0.1',
  'https://127.1',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.1',
  'https://1.2.3.0x4',
  'https://10.0.0.1',
  'https://[::1]',
  // Names of a host or a private network.
  'https://localhost',
  'https://x.localhost',
  'https://printer.local',
  'https://intranet',
  'https://db.intranet',
  'https://metadata.google.internal',
  'https://router.home.arpa',
  'https://nas.lan',
]

describe('x402 origins (notes, section 6; D20)', () => {
  test.each(ORIGINS)('%j is admitted, and a URL parser leaves it as it is', (origin) => {
    expect(isX402Origin(origin)).toBe(true)
    expect(new URL(origin).origin).toBe(origin)
  })

  test.each(NO_ORIGINS)('%j is refused', (origin) => {
    expect(isX402Origin(origin)).toBe(false)
  })
})

const RESOURCES = [
  '/',
  '/v1/payments',
  '/v1/',
  '/.hidden',
  '/a;b=1',
  '/@x:y',
  "/a'(b)*!$&+,=~_-.c",
  '/a%20b',
  '/%C3%A9',
]

const NO_RESOURCES = [
  '',
  'a',
  '//a',
  '/a//b',
  '/a//',
  '/.',
  '/..',
  '/a/../b',
  '/a/.',
  '/..;x/b',
  '/%2e%2e/admin',
  '/a%2Fb',
  '/a%2fb',
  '/a%5Cb',
  '/a%',
  '/a%z0',
  '/a%252e',
  '/a%00',
  '/a%0a',
  '/a%7f',
  '/a?b',
  '/a#b',
  '/a\\b',
  '/a b',
  '/a\tb',
  '/é',
  '/a|b',
  '/a"b',
]

describe('x402 resources (notes, section 6; D20)', () => {
  test.each(RESOURCES)('%j is admitted, and a URL parser leaves it as it is', (resource) => {
    expect(isX402Resource(resource)).toBe(true)
    expect(new URL(`https://pay.example.com${resource}`).pathname).toBe(resource)
  })

  test.each(NO_RESOURCES)('%j is refused', (resource) => {
    expect(isX402Resource(resource)).toBe(false)
  })
})
