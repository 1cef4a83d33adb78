import { describe, expect, it } from 'vitest'
import { relative } from './moment.tsx'

describe('a moment', () => {
  it.each([
    [1_000, 1_000, 'now'],
    [1_030, 1_000, 'in 30 seconds'],
    [1_000, 1_000 + 3 * 3_600, '3 hours ago'],
    [1_000 + 2 * 86_400, 1_000, 'in 2 days'],
  ])('at %d, seen at %d, is %s', (at, now, words) => {
    expect(relative(at, now, 'en')).toBe(words)
  })

  it('is not told further away than it is: a clock that decides about money is cut, never rounded up', () => {
    expect(relative(1_000 + 7_199, 1_000, 'en')).toBe('in 1 hour')
  })
})
