import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { readAddress, toChecksumAddress } from './address.ts'

// Source: ERC-55, test cases.
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
] as const

it.each(CHECKSUMMED)('ERC-55 %s', (text) => {
  const lower = text.toLowerCase() as `0x${string}`
  expect(toChecksumAddress(lower)).toBe(text)
  expect(toChecksumAddress(lower)).toBe(getAddress(lower))
  for (const spelling of [text, lower, `0x${text.slice(2).toUpperCase()}`]) expect(readAddress(spelling)).toBe(lower)
})

it('refuses a wrong checksum and what is no address', () => {
  for (const text of [
    '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x12',
    '',
    'vault',
    `0x${'0'.repeat(41)}`,
    '0'.repeat(42),
  ])
    expect(readAddress(text)).toBeUndefined()
})
