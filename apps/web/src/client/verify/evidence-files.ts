import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type Evidence,
  type EvidenceFinding,
  parseEvidence,
  parseTrace,
  type Trace,
  utf8,
  verifyEvidence,
} from '@oikos/core/economic'

/** Files that somebody dropped, and what this browser found. Nothing leaves the browser. */
export type EvidenceCheck = {
  readonly ok: boolean
  readonly digest: string | undefined
  readonly evidence: Evidence | undefined
  readonly trace: Trace | undefined
  readonly findings: readonly EvidenceFinding[]
  readonly checked: readonly string[]
  /** Files that stand for no document, by name. */
  readonly unread: readonly string[]
}

/** Largest file that is read: above the largest document of the standard. */
const MAX_FILE_BYTES = 16 * 1024 * 1024
const SOURCE_NAMES = {
  evidence: 'agent-runtime.evidence.json',
  profile: 'agent-runtime.profile.json',
  task: 'agent-runtime.task.json',
} as const

/** Verifies Evidence with the documents beside it, each under its name in a run folder (`policy.json`, `trace.json`, …). */
export async function checkEvidenceFiles(files: readonly File[]): Promise<EvidenceCheck> {
  const large = files.find(({ size }) => size > MAX_FILE_BYTES)
  if (large !== undefined)
    throw new Error(`${large.name} has ${large.size} bytes; a document has at most ${MAX_FILE_BYTES}.`)
  const bytesOf = new Map<string, Uint8Array>()
  for (const file of files) bytesOf.set(file.name, new Uint8Array(await file.arrayBuffer()))
  const take = (name: string): Uint8Array | undefined => {
    const bytes = bytesOf.get(name)
    bytesOf.delete(name)
    return bytes
  }
  // one file alone is Evidence whatever it is called; among several, it is called evidence.json
  const [only] = bytesOf.size === 1 ? bytesOf.keys() : []
  const evidence = take(only ?? 'evidence.json')
  if (evidence === undefined) throw new Error('Among several files, the Evidence must be called evidence.json.')
  const documents: { [Kind in DocumentKind]?: Uint8Array } = {}
  for (const kind of DOCUMENT_KINDS) {
    const bytes = take(`${kind}.json`)
    if (bytes !== undefined && kind !== 'evidence') documents[kind] = bytes
  }
  const {
    evidence: agentEvidence,
    profile,
    task,
  } = {
    evidence: take(SOURCE_NAMES.evidence),
    profile: take(SOURCE_NAMES.profile),
    task: take(SOURCE_NAMES.task),
  }
  const source =
    agentEvidence === undefined
      ? {}
      : {
          source_run: {
            evidence: agentEvidence,
            ...(profile === undefined ? {} : { profile }),
            ...(task === undefined ? {} : { task }),
          },
        }
  const verdict = verifyEvidence(evidence, { ...documents, ...source })
  const sealed = attempt(() => parseEvidence(evidence))
  const trace = sealed === undefined ? undefined : attempt(() => parseTrace(utf8(sealed.document.trace.document)))
  return {
    ok: verdict.ok,
    digest: sealed?.digest,
    evidence: sealed?.document,
    trace: trace?.document,
    findings: verdict.findings,
    checked: verdict.checked,
    unread: [...bytesOf.keys()],
  }
}

/** Hostile bytes are told about by the verdict; here they only leave something out. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
