import { DEFAULT_LIMITS, findPathFault, type JsonObject, type JsonValue, parseStrictJson } from '@oikos/core'
import { visibleText } from '../approval/plain-text.ts'
import type { WorkFailureCode, WorkOutcome } from './worker.ts'

/** Files of one product. */
const MAX_PRODUCT_FILES = 1_000
/** Characters of a product's summary. */
const MAX_SUMMARY_CHARACTERS = 2_000

const FAILURES: ReadonlyMap<JsonValue | undefined, WorkFailureCode> = new Map([
  ['refused', 'worker.refused'],
  ['crashed', 'worker.crashed'],
  ['memory', 'worker.memory'],
])

/** What a worker sent, judged as the word of a stranger; never throws. */
export function readReply([header, ...bodies]: readonly Uint8Array[]): WorkOutcome {
  if (header === undefined) return { ok: false, code: 'worker.crashed', message: 'the worker ended without a product' }
  const parsed = parseStrictJson(header, DEFAULT_LIMITS)
  if (!parsed.ok) return malformed(`its header is no JSON (${parsed.code})`)
  if (parsed.value === null || typeof parsed.value !== 'object' || Array.isArray(parsed.value))
    return malformed('its header is no object')
  const reply = parsed.value as JsonObject
  const code = FAILURES.get(reply['kind'])
  if (code === undefined) return readProduct(reply, bodies)
  const { message } = reply
  return { ok: false, code, message: `it said: ${JSON.stringify(String(message).slice(0, 500))}` }
}

function malformed(problem: string): WorkOutcome {
  return { ok: false, code: 'worker.output-malformed', message: `what the worker sent is no product: ${problem}` }
}

function readProduct(reply: JsonObject, bodies: readonly Uint8Array[]): WorkOutcome {
  const { kind, summary, files: paths } = reply
  if (kind !== 'product') return malformed('its kind is unknown')
  if (typeof summary !== 'string' || summary.trim() === '' || summary.length > MAX_SUMMARY_CHARACTERS)
    return malformed(`its summary is no text of 1 to ${MAX_SUMMARY_CHARACTERS} characters`)
  if (visibleText(summary) !== summary) return malformed('its summary has control or invisible characters')
  if (!Array.isArray(paths)) return malformed('its list of files is absent')
  if (paths.length === 0 || paths.length > MAX_PRODUCT_FILES)
    return malformed(`it has ${paths.length} files, expected 1 to ${MAX_PRODUCT_FILES}`)
  if (paths.length !== bodies.length) return malformed(`it names ${paths.length} files and sent ${bodies.length}`)
  const files = new Map<string, Uint8Array>()
  for (const [index, body] of bodies.entries()) {
    const path: unknown = paths[index]
    if (typeof path !== 'string') return malformed('a name of its files is no text')
    const fault = findPathFault(path, DEFAULT_LIMITS)
    if (fault !== undefined) return malformed(`a name of its files is no package path (${fault.code})`)
    if (files.has(path)) return malformed('two of its files have one name')
    files.set(path, body)
  }
  return { ok: true, product: { files, summary } }
}
