import { describe, expect, test } from 'vitest'
import { EndpointFaultError, parseExactJson } from '../endpoint/index.ts'
import { answerReader } from './answers.ts'

const read = answerReader('http://127.0.0.1:1')
const value = (text: string) => parseExactJson(text)

describe('amounts', () => {
  test.each([
    ['0.00000001', 1n],
    ['0.00010000', 10_000n],
    ['50.00000000', 5_000_000_000n],
    ['50', 5_000_000_000n],
    ['20999999.97690000', 2_099_999_997_690_000n],
    ['21000000.00000000', 2_100_000_000_000_000n],
    ['0.1000000000000', 10_000_000n],
  ])('%s BTC are %s satoshi, exactly', (text, satoshi) => {
    expect(read.bitcoin('amount', value(text))).toBe(satoshi)
  })

  test.each([
    '0.000000001',
    '-1',
    '-0.5',
    '1e-8',
    '1E5',
    '21000000.00000001',
    '"1"',
    'null',
    '[1]',
    '99999999999999999',
  ])('%s is refused, not rounded', (text) => {
    expect(() => read.bitcoin('amount', value(text))).toThrow(EndpointFaultError)
  })

  test.each([
    ['1.027', 1_027n],
    ['1.0271', 1_028n],
    ['3', 3_000n],
    ['0.0001', 1n],
  ])('a rate of %s is rounded up to %s thousandths', (text, scaled) => {
    expect(read.scaledUp('rate', value(text), 3)).toBe(scaled)
  })
})

test.each([
  ['hash', () => read.hash('x', 'AB'.repeat(32))],
  ['hash of another length', () => read.hash('x', 'ab'.repeat(31))],
  ['negative number', () => read.u64('x', -1n)],
  ['number beyond 64 bits', () => read.u64('x', 2n ** 64n)],
  ['script', () => read.script('x', '0014zz')],
  ['list that is too long', () => read.list('x', [1n, 2n], 1)],
  ['no list', () => read.list('x', {}, 1)],
  ['flag', () => read.flag('x', 'true')],
  ['outpoint', () => read.outpoint('x', { txid: 'ab'.repeat(32) })],
])('%s: malformed, which says nothing of an effect', (_, run) => {
  expect(run).toThrow(expect.objectContaining({ fault: 'malformed', effect: 'uncertain' }))
})
