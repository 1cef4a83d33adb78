import { describe, expect, it } from 'vitest'
import { changeBps, formatBps } from './change.tsx'

describe('a change of a rate', () => {
  it('is cut towards zero, so that no gain appears', () => {
    expect(changeBps('1000000', '1000099')).toBe(0n)
    expect(changeBps('1000000', '999901')).toBe(0n)
    expect(changeBps('1000000', '1012345')).toBe(123n)
  })

  it('from nothing is none', () => expect(changeBps('0', '5')).toBeUndefined())

  it('has a sign', () => {
    expect(formatBps(123n)).toBe('+1.23 %')
    expect(formatBps(-5n)).toBe('−0.05 %')
  })
})
