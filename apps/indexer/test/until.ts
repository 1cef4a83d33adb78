/** Asks until the answer is as wanted, and gives it. Rejects with the last answer when the time is over. */
export async function until<value>(
  ask: () => Promise<value>,
  isWanted: (value: value) => boolean,
  timeoutMs = 45_000,
): Promise<value> {
  const startedMs = Date.now()
  for (;;) {
    const value = await ask()
    if (isWanted(value)) return value
    if (Date.now() - startedMs > timeoutMs) throw new Error(`still ${JSON.stringify(value)?.slice(0, 2_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
