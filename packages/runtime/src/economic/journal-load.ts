import { boundaryFailure, isBound, parseJournal, type ReadJournal, readJournal } from '@oikos/core/economic'
import type { JournalLoadDisposition } from './host.ts'
import { createPushBuffer } from './push-buffer.ts'
import { requireCall, type Session } from './session.ts'

/**
 * The one read of the journal in a run: null when the key is new. Throws SPX-I222 when it could not be read, or the error
 * of the document when it is not a legal journal of this payment; `session.journalForeign` tells that it is another's.
 */
export async function loadJournal(session: Session): Promise<ReadJournal | null> {
  const { limits, events, budget, host, admission, boundary } = session
  const limit = { field: 'journal_bytes', maxBytes: limits.max_journal_bytes }
  const buffer = createPushBuffer(limit, boundary, budget)
  const key = admission.intent.document.idempotency_key
  const disposition = await settleLoad(() => host.journal.load(key, buffer.sink))
  if (disposition === 'missing') {
    buffer.discard()
    events.record({ kind: 'journal_loaded', status: 'missing' })
    return null
  }
  try {
    if (disposition !== 'present') throw boundaryFailure('SPX-I222')
    const journal = readLoaded(session, buffer.takeBytes())
    events.record({
      kind: 'journal_loaded',
      status: 'present',
      output: journal.digest,
      outputBytes: journal.bytes.length,
    })
    return journal
  } catch (cause) {
    buffer.discard()
    events.record({ kind: 'journal_loaded', status: 'failed' })
    throw cause
  }
}

/** What must hold before the journal is read. Nothing has happened yet, so a refusal leaves no run behind. */
export function requireLoad(session: Session): void {
  requireCall(session, session.limits.max_journal_bytes)
}

function readLoaded(session: Session, bytes: Uint8Array): ReadJournal {
  const { admission, budget } = session
  try {
    const journal = parseJournal(bytes, admission, budget)
    return journal
  } catch (cause) {
    session.journalForeign = isForeign(session, bytes)
    throw cause
  }
}

function isForeign({ admission }: Session, bytes: Uint8Array): boolean {
  try {
    return !isBound(readJournal(bytes).document, admission)
  } catch {
    return false
  }
}

const LOAD_DISPOSITIONS: ReadonlySet<string> = new Set([
  'missing',
  'present',
  'definitely_not_started',
  'failed_uncertain',
] satisfies JournalLoadDisposition[])

async function settleLoad(call: () => Promise<JournalLoadDisposition>): Promise<JournalLoadDisposition> {
  try {
    const disposition = await call()
    return LOAD_DISPOSITIONS.has(disposition) ? disposition : 'failed_uncertain'
  } catch {
    return 'failed_uncertain'
  }
}
