import type { Finding, Findings } from './findings.ts'

/** A root was to be packed or read and breaks clauses. Not retryable; `findings` names each clause. */
export class PackageRootError extends Error {
  override readonly name = 'PackageRootError'
  readonly retryable = false
  readonly findings: readonly Finding[]
  readonly omittedFindings: number

  constructor(rootName: 'TaskRoot' | 'SkillRoot', findings: Findings) {
    const first = findings.list[0]
    const reason =
      first === undefined ? 'required fields are absent' : `${first.code} at ${first.where}: ${first.message}`
    super(`${rootName} refused (${findings.list.length + findings.omitted} findings), first: ${reason}`)
    this.findings = findings.list
    this.omittedFindings = findings.omitted
  }
}

/** The parts of a package do not fit together before a root exists. Not retryable. */
export class PackageInputError extends Error {
  override readonly name = 'PackageInputError'
  readonly retryable = false
  /** The package path or option at fault. */
  readonly subject: string

  constructor(subject: string, message: string, options?: { cause?: unknown }) {
    super(`${subject}: ${message}`, options)
    this.subject = subject
  }
}

/** A block source refuses to hold a block that is larger than the caller allows. Not retryable with the same limit. */
export class BlockTooLargeError extends Error {
  override readonly name = 'BlockTooLargeError'
  readonly retryable = false
  readonly maxBytes: number

  constructor(subject: string, maxBytes: number) {
    super(`${subject} has more than ${maxBytes} bytes; raise the limit if that is intended`)
    this.maxBytes = maxBytes
  }
}
