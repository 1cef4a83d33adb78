import {
  EconomicError,
  type ReadJournal,
  readJournal,
  rollingAction,
  stateFault,
  transitionFault,
  utf8,
} from '@oikos/core/economic'
import {
  type HeldReservation,
  type JournalArchive,
  type JournalVersion,
  MAX_KEYS_PER_PAGE,
  MAX_VERSIONS_PER_KEY,
} from './archive.ts'

/** One stored version that is not what it must be. */
export type JournalFinding = {
  readonly idempotencyKey: string
  readonly version: bigint
  /**
   * `form`: not a canonical journal. `identity`: another key or version. `state`, `transition`: not a legal one.
   * `reservation`: the key holds another share of the window than its newest version says.
   */
  readonly kind: 'form' | 'identity' | 'state' | 'transition' | 'reservation'
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

/** Hears how far a check has come: keys and versions so far. */
export type JournalCheckProgress = (keys: number, versions: number) => void

/**
 * Checks everything that a journal keeps, key after key: each version renders to itself and its capsules carry their
 * digests, names its own key and version, has a legal state, and follows its predecessor by one legal step; what the key
 * holds in the rolling window is what it reserved and has not given back. Reads only, and may run while payments are made.
 */
export async function checkJournal(
  archive: JournalArchive,
  onProgress: JournalCheckProgress = () => {},
): Promise<JournalVerdict> {
  const findings: JournalFinding[] = []
  let omittedFindings = 0
  let keys = 0
  let versions = 0
  for await (const idempotencyKey of allKeys(archive)) {
    const stored = await archive.listVersions(idempotencyKey)
    // Asked after the versions: a share that is given back in between is gone, and never one too many.
    const held = await archive.getReservation(idempotencyKey)
    keys += 1
    versions += stored.length
    for (const finding of checkKey(idempotencyKey, stored, held)) {
      if (findings.length < MAX_FINDINGS) findings.push(finding)
      else omittedFindings += 1
    }
    onProgress(keys, versions)
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

/** What is wrong with everything that is stored under one key. */
export function* checkKey(
  idempotencyKey: string,
  stored: readonly JournalVersion[],
  held: HeldReservation | undefined,
): Generator<JournalFinding> {
  // Undefined after a version that cannot be read: then nobody knows which step the next one took.
  let previous: ReadJournal | null | undefined = null
  let newest: ReadJournal | undefined
  for (const [index, { version, document }] of stored.entries()) {
    const at = { idempotencyKey, version }
    const journal = readForm(document)
    if (typeof journal === 'string') {
      yield { ...at, kind: 'form', detail: journal }
      previous = undefined
      continue
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
    const transition = previous === undefined ? undefined : transitionFault(previous, journal)
    if (transition !== undefined) yield { ...at, kind: 'transition', detail: transition }
    newest = journal
    previous = journal
  }
  if (stored.length === MAX_VERSIONS_PER_KEY)
    yield {
      idempotencyKey,
      version: BigInt(stored.length),
      kind: 'state',
      detail: 'it has more versions than are legal',
    }
  const detail = newest === undefined ? undefined : reservationFault(newest, held)
  if (detail !== undefined) yield { idempotencyKey, version: BigInt(stored.length), kind: 'reservation', detail }
}

/** A share may be absent because it has expired; one that is there is the amount that was reserved and not released. */
function reservationFault({ document }: ReadJournal, held: HeldReservation | undefined): string | undefined {
  if (held === undefined) return undefined
  // What the newest version did with the share does not depend on the version before it, once there is one.
  if (document.version > 1n && rollingAction(document, document) === 'release')
    return `got ${held.amountAtomic}, expected none: it was released`
  const { reserved_amount_atomic: reserved } = document
  return held.amountAtomic === reserved ? undefined : `got ${held.amountAtomic}, expected ${reserved}`
}

function readForm(document: string): ReadJournal | string {
  try {
    return readJournal(utf8(document))
  } catch (cause) {
    if (cause instanceof EconomicError) return `${cause.code} ${cause.detail ?? cause.message}`
    throw cause
  }
}
