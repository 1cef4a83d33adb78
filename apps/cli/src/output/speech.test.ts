import { describe, expect, it } from 'vitest'
import { absoluteTime, countOf, exactDuration, limitText, momentText, roughDuration } from './speech.ts'

describe('times', () => {
  it('says a moment absolutely and relatively', () => {
    expect(momentText(90_061n, 0n)).toBe('1970-01-02 01:01:01 UTC (in 1 day 1 hour)')
    expect(momentText(0n, 59n)).toBe('1970-01-01 00:00:00 UTC (59 seconds ago)')
    expect(momentText(5n, 5n)).toContain('(now)')
  })

  it('says lengths exactly or by their two largest units', () => {
    expect(exactDuration(90_061n)).toBe('1 day 1 hour 1 minute 1 second')
    expect(roughDuration(90_061n)).toBe('1 day 1 hour')
    expect(exactDuration(0n)).toBe('0 seconds')
  })

  it('survives moments beyond the calendar', () => {
    expect(absoluteTime(2n ** 64n - 1n)).toBe('unix second 18446744073709551615')
  })

  it('knows that 0 is no limit', () => {
    expect(limitText(0n, 100n)).toBe('no limit')
  })

  it('counts', () => {
    expect(countOf(1n, 'delivery', 'deliveries')).toBe('1 delivery')
    expect(countOf(0, 'reward')).toBe('0 rewards')
  })
})
