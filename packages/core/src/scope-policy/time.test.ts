import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeAmount, readAmount, writeAmount } from './amount.ts'
import { readDuration, readMoment, writeDuration, writeMoment } from './time.ts'

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 8406) })

describe('durations', () => {
  it.each([
    ['7 days', 604_800],
    ['1 week', 604_800],
    ['1 day 12 hours', 129_600],
    ['90 minutes', 5_400],
    ['1 second', 1],
    ['0 seconds', 0],
  ])('%s', (text, seconds) => expect(readDuration(text)).toBe(seconds))

  it.each([
    '',
    '7',
    'days',
    '7days',
    '7  days',
    ' 7 days',
    '07 days',
    '0 days',
    '-1 days',
    '1.5 days',
    '1 month',
    '1 year',
    '1 day 1 days',
    '1 day,',
    '7 Days',
    `1 day ${'1 hour '.repeat(20)}`,
  ])('refuses %j', (text) => expect(readDuration(text)).toBeUndefined())

  it('are written as they are read', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 - 1 }), (seconds) => {
        expect(readDuration(writeDuration(seconds))).toBe(seconds)
      }),
    )
    expect(readDuration(writeDuration(2 ** 40 - 1))).toBe(2 ** 40 - 1)
  })
})

describe('moments', () => {
  it.each([
    ['1970-01-01', 0],
    ['2027-01-31T12:00:00Z', 1_801_396_800],
    ['2027-01-31T12:00Z', 1_801_396_800],
    ['2028-02-29', 1_835_395_200],
    ['0099-01-01', -59_042_995_200],
  ])('%s', (text, second) => expect(readMoment(text)).toBe(second))

  it.each([
    '',
    'tomorrow',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-1-1',
    '2027-01-31T24:00Z',
    '2027-01-31T12:60Z',
    '2027-01-31T12:00:00',
    '2027-01-31T12:00:00+01:00',
    '2027-01-31 12:00Z',
    '+02027-01-01',
  ])('refuses %j', (text) => expect(readMoment(text)).toBeUndefined())

  it('are written as they are read, up to the last that the contract holds', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 - 1 }), (second) => {
        expect(readMoment(writeMoment(second))).toBe(second)
      }),
    )
    for (const second of [253_402_300_799, 253_402_300_800, 2 ** 40 - 1])
      expect(readMoment(writeMoment(second))).toBe(second)
  })
})

describe('amounts', () => {
  const usdc = { symbol: 'USDC', decimals: 6 }
  it('are read exactly or not at all', () => {
    expect(readAmount('1.5 USDC', usdc)).toEqual({ ok: true, atomic: 1_500_000n })
    expect(readAmount('1.5', usdc)).toEqual({ ok: true, atomic: 1_500_000n })
    for (const text of [
      '',
      '1,5',
      '1,500',
      '1.',
      '.5',
      '01',
      '1e3',
      '+1',
      '-1',
      '1 usdc',
      '1USDC',
      '1.0000001',
      '0x10',
      '1 USDC ',
      `1${'0'.repeat(78)}`,
    ])
      expect(readAmount(text, usdc).ok, text).toBe(false)
  })

  it('are written as they are read, and grouped for people', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat({ max: 36 }), (atomic, decimals) => {
        const unit = { symbol: 'T', decimals }
        expect(readAmount(writeAmount(atomic, unit), unit)).toEqual({ ok: true, atomic })
        expect(describeAmount(atomic, unit).replaceAll(',', '')).toBe(writeAmount(atomic, unit))
      }),
    )
    expect(describeAmount(1_234_567_890_100n, usdc)).toBe('1,234,567.8901 USDC')
    expect(describeAmount(999n, { symbol: 'T', decimals: 0 })).toBe('999 T')
  })
})
