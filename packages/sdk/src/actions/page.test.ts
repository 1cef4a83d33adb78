import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapBounded, planPage } from './page.ts'

const limits = { defaultSize: 3, maxSize: 10 }

test.each(['newest', 'oldest'] as const)('pages in order %s cover every number once', (order) => {
  fc.assert(
    fc.property(fc.nat(100), fc.integer({ min: 1, max: limits.maxSize }), (count, pageSize) => {
      const seen: bigint[] = []
      let cursor: bigint | undefined
      do {
        const start = cursor === undefined ? {} : { cursor }
        const page = planPage({ order, pageSize, ...start }, BigInt(count), limits)
        expect(page.numbers.length).toBeLessThanOrEqual(pageSize)
        seen.push(...page.numbers)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      const rising = Array.from({ length: count }, (_, index) => BigInt(index + 1))
      expect(seen).toEqual(order === 'oldest' ? rising : rising.reverse())
    }),
  )
})

test('a cursor beyond the end is the newest, or nothing', () => {
  expect(planPage({ cursor: 99n }, 2n, limits)).toEqual({ numbers: [2n, 1n], nextCursor: undefined })
  expect(planPage({ cursor: 99n, order: 'oldest' }, 2n, limits)).toEqual({ numbers: [], nextCursor: undefined })
})

test.each([
  [{ pageSize: 0 }],
  [{ pageSize: 11 }],
  [{ pageSize: 1.5 }],
  [{ pageSize: Number.NaN }],
  [{ cursor: -1n }],
  [{ cursor: 0n, order: 'oldest' as const }],
])('%o is out of range', (parameters) => {
  expect(() => planPage(parameters, 5n, limits)).toThrow(RangeError)
})

test('no more than the stated number run at once, and the order is kept', async () => {
  let running = 0
  let most = 0
  const doubled = await mapBounded([1, 2, 3, 4, 5, 6, 7], 3, async (value) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    return value * 2
  })
  expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14])
  expect(most).toBe(3)
})
