import { EconomicError, type ReadJournal, readJournal, stateFault, transitionFault, utf8 } from '@oikos/core/economic'
import { type JournalArchive, type JournalVersion, MAX_KEYS_PER_PAGE } from './archive.ts'

/** One stored version that is not what it must be. */
export type JournalFinding = {
  readonly idempotencyKey: string
  readonly version: bigint
  /** `form`: not a canonical journal. `identity`: another key or version. `state`, `transition`: not a legal one. */
  readonly kind: 'form' | 'identity' | 'state' | 'transition'
  readonly detail: string
}

/** What a check of a whole journal found. */
export type JournalVerdict = {
  readonly ok: boolean
  readonly keys: number
  readonly versions: number
  readonly findings: readonly JournalFinding[]
  /** Findings beyond {@link MAX_FINDINGS}, which are counted and not kept. */
  readonly omittedFindings: number
}

/** The most findings that a verdict keeps. */
export const MAX_FINDINGS = 1000

/**
 * Checks everything that a journal keeps, key after key: each version renders to itself and its capsules carry their
 * digests, names its own key and version, has a legal state, and follows its predecessor by one legal step. Reads only.
 */
export async function checkJournal(archive: JournalArchive): Promise<JournalVerdict> {
  const findings: JournalFinding[] = []
  let omittedFindings = 0
  let keys = 0
  let versions = 0
  const add = (finding: JournalFinding): void => {
    if (findings.length < MAX_FINDINGS) findings.push(finding)
    else omittedFindings += 1
  }
  for await (const idempotencyKey of allKeys(archive)) {
    keys += 1
    const stored = await archive.listVersions(idempotencyKey)
    versions += stored.length
    for (const finding of checkVersions(idempotencyKey, stored)) add(finding)
  }
  return { ok: findings.length === 0, keys, versions, findings, omittedFindings }
}

/** Every key of a journal in byte order, page after page. */
export async function* allKeys(archive: JournalArchive): AsyncGenerator<string> {
  let after: string | undefined
  for (;;) {
    const page = await archive.listKeys({ ...(after === undefined ? {} : { after }), limit: MAX_KEYS_PER_PAGE })
    yield* page
    if (page.length < MAX_KEYS_PER_PAGE) return
    after = page.at(-1)
  }
}

function* checkVersions(idempotencyKey: string, stored: readonly JournalVersion[]): Generator<JournalFinding> {
  let previous: ReadJournal | null = null
  for (const [index, { version, document }] of stored.entries()) {
    const at = { idempotencyKey, version }
    const journal = readForm(document)
    if (typeof journal === 'string') {
      yield { ...at, kind: 'form', detail: journal }
      return
    }
    const { idempotency_key: key, version: own } = journal.document
    const place = BigInt(index + 1)
    if (key !== idempotencyKey || own !== version || version !== place)
      yield {
        ...at,
        kind: 'identity',
        detail: `got ${key} version ${own}, expected ${idempotencyKey} version ${place}`,
      }
    const state = stateFault(journal)
    if (state !== undefined) yield { ...at, kind: 'state', detail: state }
    const transition = transitionFault(previous, journal)
    if (transition !== undefined) yield { ...at, kind: 'transition', detail: transition }
    previous = journal
  }
}

function readForm(document: string): ReadJournal | string {
  try {
    return readJournal(utf8(document))
  } catch (cause) {
    if (cause instanceof EconomicError) return `${cause.code} ${cause.detail ?? cause.message}`
    throw cause
  }
}
