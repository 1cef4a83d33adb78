import { expect, test } from 'vitest'
import { collectEvents, MAX_COLLECTED_PAGES } from './collect-events.ts'

test('reads page after page, and says when there are more than it reads', async () => {
  const asked: bigint[] = []
  const pages =
    (last: bigint) =>
    async (fromBlock: bigint): Promise<{ events: bigint[]; toBlock: bigint; nextFromBlock?: bigint }> => {
      asked.push(fromBlock)
      const page = { events: [fromBlock], toBlock: fromBlock }
      return fromBlock === last ? page : { ...page, nextFromBlock: fromBlock + 1n }
    }
  expect(await collectEvents(5n, pages(7n))).toEqual({ events: [5n, 6n, 7n], isComplete: true })
  expect(asked).toEqual([5n, 6n, 7n])
  const cut = await collectEvents(0n, pages(1_000n))
  expect(cut.isComplete).toBe(false)
  expect(cut.events).toHaveLength(MAX_COLLECTED_PAGES)
})
