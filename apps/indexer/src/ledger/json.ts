import { boundText } from './text.ts'

/** Most entries of one list, deepest nesting, longest text of what is kept of a struct. */
const MAX_ENTRIES = 64
const MAX_DEPTH = 6
const MAX_TEXT = 256

/** A decoded struct as JSON: whole numbers as decimal text, lists cut at 64 entries, text bounded. */
export function toJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (typeof value === 'string') return boundText(value, MAX_TEXT)
  if (typeof value === 'boolean' || value === null || value === undefined) return value ?? null
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => toJson(entry, depth + 1))
  if (typeof value !== 'object') return null
  const entries = Object.entries(value).slice(0, MAX_ENTRIES)
  return Object.fromEntries(entries.map(([name, entry]) => [name, toJson(entry, depth + 1)]))
}

/** The arguments of an event as text by name, those in `except` left out. */
export function toDetails(
  args: Readonly<Record<string, unknown>>,
  except: readonly string[] = [],
): Record<string, string> {
  const kept = Object.entries(args).filter(([name]) => !except.includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, asText(value)]))
}

function asText(value: unknown): string {
  const json = toJson(value)
  return typeof json === 'string' ? json : JSON.stringify(json)
}
