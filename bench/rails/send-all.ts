/** Requests that are under way at the same time when a node is to be busy. */
const IN_FLIGHT = 16

/** Sends everything, in order, as fast as the node takes it. */
export async function sendAll<T>(items: Iterable<T>, send: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await send(next.value)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}
