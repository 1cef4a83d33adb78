import type { FindingCode } from './codes.ts'
import { MAX_FINDINGS } from './limits.ts'

/** One broken clause: its code, the place in the package, and a sentence that says what was got and expected. */
export type Finding<Code extends string = FindingCode> = {
  readonly code: Code
  readonly where: string
  readonly message: string
}

/** Findings in the order of the checks; holds {@link MAX_FINDINGS} and counts the rest. */
export type Findings<Code extends string = FindingCode> = {
  readonly list: Finding<Code>[]
  omitted: number
  /** Whether any finding, kept or omitted, says that something is wrong and not only out of reach. */
  broken: boolean
}

/** An empty list of findings. */
export function noFindings<Code extends string = FindingCode>(): Findings<Code> {
  return { list: [], omitted: 0, broken: false }
}

/** Codes that say only that something could not be had. */
const UNAVAILABLE: ReadonlySet<string> = new Set<FindingCode>(['source.failed', 'root.missing', 'object.missing'])

/** Appends a finding, or counts it when the list is full. */
export function report<Code extends string>(
  findings: Findings<Code>,
  code: NoInfer<Code>,
  where: string,
  message: string,
): void {
  if (!UNAVAILABLE.has(code)) findings.broken = true
  if (findings.list.length < MAX_FINDINGS) findings.list.push({ code, where, message })
  else findings.omitted++
}

/** Appends findings that another check made. */
export function reportAll(findings: Findings, more: Findings): void {
  for (const finding of more.list) report(findings, finding.code, finding.where, finding.message)
  findings.omitted += more.omitted
  findings.broken ||= more.broken
}

/** How many clauses are broken, the omitted ones included. */
export function countFindings(findings: Findings): number {
  return findings.list.length + findings.omitted
}

/** Characters of a hostile text that go into a message. */
const SHOWN_CHARACTERS = 120

/** Control characters, and those that hide or reorder text on a screen. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A hostile text for a message or a place: quoted, without characters that a terminal would obey, cut. */
export function shown(text: string): string {
  return JSON.stringify(printable(text)).replaceAll('\\\\u', '\\u')
}

/** What an error of a library or source says, which may repeat hostile text. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? printable(cause.message) : 'unknown failure'
}

function printable(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  return cut
    .toWellFormed()
    .replace(UNPRINTABLE, (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}

/** `valid`: no clause broken. `incomplete`: nothing broken, but something could not be fetched. `invalid`: a clause is broken. */
export type VerdictStatus = 'valid' | 'invalid' | 'incomplete'

/** The status that the findings give. */
export function statusOf(findings: { readonly list: readonly unknown[]; readonly broken: boolean }): VerdictStatus {
  if (findings.list.length === 0) return 'valid'
  return findings.broken ? 'invalid' : 'incomplete'
}
