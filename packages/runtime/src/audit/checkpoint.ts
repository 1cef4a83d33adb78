/** Where an audit leaves how far it came. `save` replaces what was there, whole or not at all. */
export type CheckpointStore = {
  readonly load: () => Promise<string | undefined>
  readonly save: (text: string) => Promise<void>
}

/** Turns a state of plain objects, lists, maps, sets and bigints into text. */
export function encodeState(state: unknown): string {
  return JSON.stringify(state, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { $n: String(value) }
    if (value instanceof Map) return { $m: [...value] }
    return value instanceof Set ? { $s: [...value] } : value
  })
}

/** Reads what {@link encodeState} wrote. Throws SyntaxError for other text. Its shape is for the caller to check. */
export function decodeState(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const keys = Object.keys(value)
    const [key] = keys
    if (keys.length !== 1) return value
    const content = (value as Record<string, unknown>)[key ?? '']
    if (key === '$n') return BigInt(String(content))
    if (key === '$m' && Array.isArray(content)) return new Map(content as [unknown, unknown][])
    return key === '$s' && Array.isArray(content) ? new Set(content) : value
  })
}
