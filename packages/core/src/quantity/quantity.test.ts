import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationParts, readDecimal, readDurationSec, writeDecimal, writeDurationSec } from './index.ts'

describe('decimal numbers', () => {
  test('are read exactly up to 2^256 - 1, and say why not', () => {
    const most = 2n ** 256n - 1n
    expect(readDecimal(writeDecimal(most, 18), 18)).toEqual({ ok: true, atomic: most })
    expect(readDecimal(writeDecimal(most + 1n, 18), 18)).toEqual({ ok: false, fault: 'too-large' })
    expect(readDecimal('1.50', 2)).toEqual({ ok: true, atomic: 150n })
    expect(readDecimal('1.500', 2)).toEqual({ ok: false, fault: 'too-precise', got: 3 })
    for (const text of ['', '.5', '1.', '01', ' 1', '1 ', '+1', '-1', '1e3', '1,000', '١', '1'.repeat(151)]) {
      expect(readDecimal(text, 2), text).toEqual({ ok: false, fault: 'no-decimal' })
    }
    expect(() => writeDecimal(-1n, 2)).toThrow(RangeError)
  })
})

describe('lengths of time', () => {
  test('are written in full, and read back in either style', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n }), (lengthSec) => {
        const text = writeDurationSec(lengthSec)
        expect(readDurationSec(text, 'short')).toBe(lengthSec)
        // thirteen digits a unit are enough for documents
        if (lengthSec < 2n ** 56n) expect(readDurationSec(text, 'full')).toBe(lengthSec)
      }),
    )
    expect(durationParts(90_061n)).toEqual(['1 day', '1 hour', '1 minute', '1 second'])
    expect(durationParts(0n)).toEqual([])
  })

  test.each([
    ['1h 30m', 5_400n],
    ['2 Weeks', 1_209_600n],
    ['0 days', 0n],
    ['1 day, 2h', 93_600n],
  ])('%s is a length as it is typed, and none in a document', (text, lengthSec) => {
    expect(readDurationSec(text, 'short')).toBe(lengthSec)
    expect(readDurationSec(text, 'full')).toBeUndefined()
  })

  test.each(['', '1h 2h', '1 month', '1.5h', '-1h', 'h', '3', `1h${' '.repeat(100)}`])('%j is none', (text) => {
    expect(readDurationSec(text, 'short')).toBeUndefined()
    expect(readDurationSec(text, 'full')).toBeUndefined()
  })
})
