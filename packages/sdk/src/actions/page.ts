/** How a numbered list is paged. Things are numbered from 1 and never go away. */
export type PageParameters = {
  /** First number of the page, as `nextCursor` of the page before gave it. Default: the first in the order. */
  cursor?: bigint
  /** Default and maximum are those of the action. */
  pageSize?: number
  /** Default `newest`: from the highest number down. */
  order?: 'newest' | 'oldest'
}

/** The numbers of one page and where the next begins; undefined when there is none. */
export type NumberPage = { numbers: readonly bigint[]; nextCursor: bigint | undefined }

/** Plans one page of the numbers from 1 to `count`. Throws RangeError for a page size or cursor out of range. */
export function planPage(
  parameters: PageParameters,
  count: bigint,
  limits: { defaultSize: number; maxSize: number },
): NumberPage {
  const { order = 'newest', pageSize = limits.defaultSize } = parameters
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > limits.maxSize) {
    throw new RangeError(`pageSize is an integer from 1 to ${limits.maxSize}, got ${pageSize}`)
  }
  const newest = order === 'newest'
  const first = parameters.cursor ?? (newest ? count : 1n)
  if (first < (newest ? 0n : 1n)) throw new RangeError(`cursor is a number of the list, got ${first}`)
  const start = newest && first > count ? count : first
  const left = newest ? start : count - start + 1n
  const length = left < 0n ? 0n : left < BigInt(pageSize) ? left : BigInt(pageSize)
  const numbers = Array.from({ length: Number(length) }, (_, index) =>
    newest ? start - BigInt(index) : start + BigInt(index),
  )
  return { numbers, nextCursor: left > length ? (newest ? start - length : start + length) : undefined }
}

/** Calls `get` for every number, at most `concurrency` at a time, and keeps the order. */
export async function mapBounded<item, result>(
  items: readonly item[],
  concurrency: number,
  get: (item: item) => Promise<result>,
): Promise<result[]> {
  const results: result[] = []
  for (let start = 0; start < items.length; start += concurrency) {
    results.push(...(await Promise.all(items.slice(start, start + concurrency).map(get))))
  }
  return results
}
