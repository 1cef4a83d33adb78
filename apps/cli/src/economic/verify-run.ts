import {
  type CheckedDocument,
  DOCUMENT_KINDS,
  documentDigest,
  type Evidence,
  type EvidenceVerdict,
  eventsByKind,
  parseEvidence,
  parseTrace,
  readJournal,
  replayMismatch,
  type Sealed,
  utf8,
  utf8Text,
  verifyEvidence,
} from '@oikos/core/economic'
import { checkKey } from '@oikos/runtime'
import { attempt, isRefused, type Refusal, toRefusal } from './refusal.ts'
import type { RunFiles } from './run-folder.ts'

/**
 * What is known of a document: it was checked; the run names it and it is not here; it was not looked at, because one that
 * it rests on is missing or does not hold; it does not hold; the run has none.
 */
export type DocumentState = 'checked' | 'not-given' | 'not-checked' | 'broken' | 'none'

/** A document of a run with what Evidence says of it and what was seen. */
export type DocumentRow = {
  readonly document: CheckedDocument
  readonly digest: string | undefined
  readonly bytes: bigint | undefined
  readonly state: DocumentState
}

/** What a verification of a run came to. */
export type RunVerdict = {
  readonly ok: boolean
  /** Undefined when the bytes are not even Evidence. */
  readonly evidence: Sealed<'evidence', Evidence> | undefined
  readonly findings: readonly Refusal[]
  readonly documents: readonly DocumentRow[]
  /** Versions of the journal that were checked, each by itself and as a step from the one before. */
  readonly journalVersions: number
}

/** Verifies Evidence with everything that is beside it, and, where `digest` is given, that it is the one meant. */
export function verifyRun(files: RunFiles, digest: string | undefined): RunVerdict {
  const parsed = attempt('evidence', () => parseEvidence(files.evidence))
  const evidence = isRefused(parsed) ? undefined : parsed
  const documents = { ...files.documents }
  if (documents.journal === undefined && evidence !== undefined) {
    const named = namedVersion(files, evidence.document)
    if (named !== undefined) documents.journal = named
  }
  const { evidence: agentEvidence, ...agentParts } = files.source
  const source = agentEvidence === undefined ? {} : { source_run: { evidence: agentEvidence, ...agentParts } }
  const verdict = verifyEvidence(files.evidence, { ...documents, ...source })
  const findings = [
    ...verdict.findings.map((finding) => toRefusal(finding.document, finding)),
    ...(evidence !== undefined && digest !== undefined && evidence.digest !== digest
      ? [toRefusal('evidence', replayMismatch(`got ${evidence.digest}, expected ${digest}`))]
      : []),
  ]
  const versions = firstVersions(files)
  findings.push(...versionFindings(versions))
  return {
    ok: findings.length === 0,
    evidence,
    findings,
    documents: evidence === undefined ? [] : rowsOf(evidence, verdict, { ...documents, ...source }),
    journalVersions: versions.length,
  }
}

/** The version that Evidence names, by its digest. */
function namedVersion({ versions }: RunFiles, { journal }: Evidence): Uint8Array | undefined {
  return [...versions.values()].find((bytes) => documentDigest('journal', bytes) === journal.digest)
}

/** Versions from the first one on, as far as none is missing. */
function firstVersions({ versions }: RunFiles): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  for (let bytes = versions.get(1); bytes !== undefined; bytes = versions.get(found.length + 1)) found.push(bytes)
  return found
}

function versionFindings(versions: readonly Uint8Array[]): Refusal[] {
  const [first] = versions
  if (first === undefined) return []
  const read = attempt('journal', () => readJournal(first))
  if (isRefused(read)) return [read.refusal]
  const stored = versions.map((bytes, index) => ({ version: BigInt(index + 1), document: utf8Text(bytes) ?? '' }))
  return [...checkKey(read.document.idempotency_key, stored, undefined)].map(({ version, detail }) =>
    toRefusal('journal', replayMismatch(`version ${version}: ${detail}`)),
  )
}

function rowsOf(
  { digest, bytes, document }: Sealed<'evidence', Evidence>,
  { checked, findings }: EvidenceVerdict,
  given: { readonly [Name in CheckedDocument]?: unknown },
): DocumentRow[] {
  const broken = new Set(findings.map((finding) => finding.document))
  // The trace travels inside Evidence and was replayed with it.
  const seen = new Set<CheckedDocument>([...checked, ...(broken.has('evidence') ? [] : (['trace'] as const))])
  const stateOf = (name: CheckedDocument, isNamed: boolean): DocumentState => {
    if (broken.has(name)) return 'broken'
    if (seen.has(name)) return 'checked'
    if (given[name] !== undefined) return 'not-checked'
    return isNamed ? 'not-given' : 'none'
  }
  const named = { ...referencesOf(document), evidence: { digest, bytes: BigInt(bytes.length) } }
  return ([...DOCUMENT_KINDS, 'source_run'] as const).map((name) => {
    const ref = named[name]
    return { document: name, digest: ref?.digest, bytes: ref?.bytes, state: stateOf(name, ref !== null) }
  })
}

type NamedRef = { readonly digest: string; readonly bytes: bigint } | null

/** What Evidence and its trace say of each document: null where the run has none. */
function referencesOf(evidence: Evidence): { readonly [Name in Exclude<CheckedDocument, 'evidence'>]: NamedRef } {
  const trace = attempt('trace', () => parseTrace(utf8(evidence.trace.document)))
  const events = isRefused(trace) ? undefined : eventsByKind(trace.document)
  const snapshot = events?.get('snapshot_loaded')
  const request = events?.get('approval_finished')?.input_digest ?? null
  return {
    policy: evidence.policy,
    intent: evidence.intent,
    invoice: evidence.x402_invoice,
    snapshot:
      snapshot === undefined || snapshot.output_digest === null
        ? null
        : { digest: snapshot.output_digest, bytes: snapshot.usage.output_bytes },
    plan: evidence.plan,
    simulation: evidence.simulation,
    approval_request: request === null ? null : { digest: request, bytes: evidence.budget.used_approval_request_bytes },
    approval: evidence.approval,
    journal: evidence.journal,
    broadcast: evidence.broadcast,
    reconciliation: evidence.reconciliation,
    trace: evidence.trace,
    source_run: evidence.source_agent,
  }
}
