import type { FetchFunction } from '@oikos/sdk/content'

/** Requests without an answer after which an origin is left alone, while it has not answered more often than that. */
const MAX_UNANSWERED = 8
/** Origins that are remembered; a stranger who names more gets no more patience. */
const MAX_ORIGINS = 10_000

type Record = { answered: number; unanswered: number }

/**
 * A fetch for URIs that strangers wrote: an origin that keeps not answering is not asked again, since whoever names a silent
 * server in every record would make each of them cost its whole time-out. Origins that the user chose are always asked.
 */
export function createFetchFromStrangers(fetch: FetchFunction, chosen: readonly string[]): FetchFunction {
  const trusted = new Set(chosen.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))
  const origins = new Map<string, Record>()
  return async (url, init) => {
    const { origin } = new URL(url)
    if (trusted.has(origin)) return fetch(url, init)
    const known = origins.get(origin) ?? { answered: 0, unanswered: 0 }
    if (!origins.has(origin) && origins.size >= MAX_ORIGINS) throw new Error('too many servers are named')
    origins.set(origin, known)
    if (known.unanswered >= MAX_UNANSWERED && known.unanswered > known.answered) {
      throw new Error(`${origin} did not answer ${known.unanswered} times and is not asked again`)
    }
    let hasAnswered = false
    // a body that never ends is no answer either: the clock of the request then aborts it
    init.signal?.addEventListener(
      'abort',
      () => {
        if (hasAnswered) known.answered -= 1
        known.unanswered += 1
      },
      { once: true },
    )
    try {
      const response = await fetch(url, init)
      hasAnswered = true
      known.answered += 1
      return response
    } catch (error) {
      if (init.signal?.aborted !== true) known.unanswered += 1
      throw error
    }
  }
}
