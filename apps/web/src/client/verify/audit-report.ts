/** What the page shows of a report of `oikos audit --json`. */
export type AuditSummary = {
  readonly kind: 'agent' | 'tender' | 'evidence'
  readonly status: 'verified' | 'incomplete' | 'refused'
  readonly facts: readonly (readonly [string, string])[]
  readonly counts: readonly { readonly code: string; readonly count: number }[]
  readonly findings: readonly { readonly code: string; readonly where: string; readonly message: string }[]
}

/** First member of a report. Twin of AUDIT_SCHEMA in packages/runtime/src/audit/report.ts. */
const SCHEMA = 'oikos-audit/1'
const MAX_CHARACTERS = 64 * 1024 * 1024
const MAX_ROWS = 2_000

const KINDS = ['agent', 'tender', 'evidence'] as const
const STATUSES = ['verified', 'incomplete', 'refused'] as const

/** Reads a report; a stranger may have made the file, so every part is checked and bounded. Throws an Error with a sentence. */
export function readAuditReport(text: string): AuditSummary {
  if (text.length > MAX_CHARACTERS) throw new Error('The file is too large for a report of this page.')
  const report = parse(text)
  if (report['schema'] !== SCHEMA) throw new Error(`The file is no report: its schema is not ${SCHEMA}.`)
  const kind = KINDS.find((known) => known === report['kind'])
  const status = STATUSES.find((known) => known === report['status'])
  if (kind === undefined || status === undefined)
    throw new Error('The report names no kind or status that is known here.')
  const counts = Object.entries(objectOf(report['counts'])).slice(0, MAX_ROWS)
  const findings = Array.isArray(report['findings']) ? report['findings'].slice(0, MAX_ROWS) : []
  return {
    kind,
    status,
    facts: factsOf(report),
    counts: counts.map(([code, count]) => ({ code, count: Number(count) || 0 })),
    findings: findings.map(objectOf).map((finding) => ({
      code: textOf(finding['code']),
      where: textOf(finding['where']),
      message: textOf(finding['message']),
    })),
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    throw new Error('The file is not JSON. Write it with `oikos audit … --json`.')
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The plain members of the report, of its range and of its actions. */
function factsOf(report: Readonly<Record<string, unknown>>): [string, string][] {
  const flat = (value: unknown, prefix: string): [string, string][] =>
    Object.entries(objectOf(value))
      .map(([name, member]): [string, string] => [`${prefix}${name}`, textOf(member)])
      .filter(([, member]) => member !== '')
  return [...flat(report, ''), ...flat(report['range'], 'range.'), ...flat(report['actions'], 'actions.')].slice(0, 40)
}
