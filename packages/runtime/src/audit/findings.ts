import { AUDIT_CODES, type AuditCode, type AuditSeverity } from './codes.ts'

/** One thing that an audit found. */
export type AuditFinding = {
  readonly code: AuditCode
  readonly severity: AuditSeverity
  /** Where: an action, a delivery, a block, an account; one line. */
  readonly where: string
  /** What was got and what was expected. May hold text of strangers. */
  readonly message: string
}

/** Findings with their counts. Kept are {@link MAX_FINDINGS} of each code; all are counted. */
export type AuditFindings = {
  readonly list: AuditFinding[]
  readonly counts: Map<AuditCode, number>
}

/** Findings of one code that are kept: enough to see a pattern. */
const MAX_FINDINGS = 200

/** Longest place and message that are kept, in characters. */
const MAX_TEXT = 500

/** No findings yet. */
export function noAuditFindings(): AuditFindings {
  return { list: [], counts: new Map() }
}

/** Adds a finding. */
export function addFinding(findings: AuditFindings, code: AuditCode, where: string, message: string): void {
  const count = (findings.counts.get(code) ?? 0) + 1
  findings.counts.set(code, count)
  if (count > MAX_FINDINGS) return
  const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
  findings.list.push({ code, severity: AUDIT_CODES[code][0], where: cut(where), message: cut(message) })
}

/** What findings come to: `refused` with a fault, else `incomplete` with a gap, else `verified`. */
export type AuditStatus = 'verified' | 'incomplete' | 'refused'

/** The status that findings lead to. */
export function statusOfFindings({ counts }: AuditFindings): AuditStatus {
  const severities = new Set([...counts.keys()].map((code) => AUDIT_CODES[code][0]))
  return severities.has('fault') ? 'refused' : severities.has('gap') ? 'incomplete' : 'verified'
}
