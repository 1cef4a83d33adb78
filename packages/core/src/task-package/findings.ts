import type { FindingCode } from './codes.ts'
import { MAX_FINDINGS } from './limits.ts'

/** One broken clause: its code, the place in the package, and a sentence that says what was got and expected. */
export type Finding = { readonly code: FindingCode; readonly where: string; readonly message: string }

/** Findings in the order of the checks; holds {@link MAX_FINDINGS} and counts the rest. */
export type Findings = {
  readonly list: Finding[]
  omitted: number
}

/** An empty list of findings. */
export function noFindings(): Findings {
  return { list: [], omitted: 0 }
}

/** Appends a finding, or counts it when the list is full. */
export function report(findings: Findings, code: FindingCode, where: string, message: string): void {
  if (findings.list.length < MAX_FINDINGS) findings.list.push({ code, where, message })
  else findings.omitted++
}

/** Appends findings that another check made. */
export function reportAll(findings: Findings, more: Findings): void {
  for (const finding of more.list) report(findings, finding.code, finding.where, finding.message)
  findings.omitted += more.omitted
}

/** How many clauses are broken, the omitted ones included. */
export function countFindings(findings: Findings): number {
  return findings.list.length + findings.omitted
}

/** Characters of a hostile text that go into a message. */
const SHOWN_CHARACTERS = 120

/** A hostile text for a message or a place: quoted, control characters escaped, cut. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  return JSON.stringify(cut.toWellFormed())
}

const UNAVAILABLE: ReadonlySet<FindingCode> = new Set(['source.failed', 'root.missing', 'object.missing'])

/** `valid`: no clause broken. `incomplete`: nothing broken, but something could not be fetched. `invalid`: a clause is broken. */
export type VerdictStatus = 'valid' | 'invalid' | 'incomplete'

/** The status that the findings give. */
export function statusOf(findings: Findings): VerdictStatus {
  if (findings.list.length === 0) return 'valid'
  return findings.omitted === 0 && findings.list.every((finding) => UNAVAILABLE.has(finding.code))
    ? 'incomplete'
    : 'invalid'
}
