import type { Finding, Findings } from '../task-package/findings.ts'
import type { PolicyCode } from './codes.ts'

/** A policy document cannot be read or compiled. Not retryable; each finding says where, what, and what to write. */
export class PolicyDocumentError extends Error {
  override readonly name = 'PolicyDocumentError'
  readonly retryable = false
  readonly findings: readonly Finding<PolicyCode>[]
  readonly omittedFindings: number

  constructor(findings: Findings<PolicyCode>) {
    const [first] = findings.list
    const reason = first === undefined ? 'unknown' : `${first.where}: ${first.message}`
    super(`policy document refused (${findings.list.length + findings.omitted} findings), first: ${reason}`)
    this.findings = findings.list
    this.omittedFindings = findings.omitted
  }
}
