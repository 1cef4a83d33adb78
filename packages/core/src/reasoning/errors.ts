import type { Finding, Findings } from '../task-package/findings.ts'
import type { ReasoningCode } from './codes.ts'

/** A record was to be built and breaks clauses. Not retryable; `findings` names each clause. */
export class ReasoningRecordError extends Error {
  override readonly name = 'ReasoningRecordError'
  readonly retryable = false
  readonly findings: readonly Finding<ReasoningCode>[]

  constructor(findings: Findings<ReasoningCode>) {
    const first = findings.list[0]
    const reason = first === undefined ? 'unknown' : `${first.code} at ${first.where}: ${first.message}`
    super(`reasoning record refused (${findings.list.length + findings.omitted} findings), first: ${reason}`)
    this.findings = findings.list
  }
}

/** Call data is not that of an agent action with reasoning. Not retryable. */
export class ReasonedCallError extends Error {
  override readonly name = 'ReasonedCallError'
  readonly retryable = false
  readonly selector: string

  constructor(selector: string, problem: string) {
    super(`call ${selector}: ${problem}`)
    this.selector = selector
  }
}
