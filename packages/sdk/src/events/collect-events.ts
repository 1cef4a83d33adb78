import type { EventPage } from './list-events.ts'

/** Most pages that one collection reads; each is up to 50 requests of 1,000 blocks. */
export const MAX_COLLECTED_PAGES = 20

/** Events of many pages, and whether they are all of them. */
export type EventCollection<event> = { readonly events: readonly event[]; readonly isComplete: boolean }

/**
 * Reads page after page from a block on, up to {@link MAX_COLLECTED_PAGES}. Throws what `list` throws.
 * @param list one page from a block on
 */
export async function collectEvents<event>(
  fromBlock: bigint,
  list: (fromBlock: bigint) => Promise<EventPage<event>>,
): Promise<EventCollection<event>> {
  const events: event[] = []
  let next = fromBlock
  for (let page = 0; page < MAX_COLLECTED_PAGES; page++) {
    const { events: found, nextFromBlock } = await list(next)
    for (const event of found) events.push(event)
    if (nextFromBlock === undefined) return { events, isComplete: true }
    next = nextFromBlock
  }
  return { events, isComplete: false }
}
