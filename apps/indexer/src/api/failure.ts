import type { RestError } from '../rest/types.ts'

/** Stable codes of refusals. */
export type FailureCode = RestError['error']['code']

const STATUS: Readonly<Record<FailureCode, 400 | 404 | 405 | 413 | 429 | 500 | 503 | 504>> = {
  bad_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  too_many_streams: 429,
  timeout: 504,
  unavailable: 503,
  internal: 500,
}

const RETRYABLE: ReadonlySet<FailureCode> = new Set(['too_many_streams', 'timeout', 'unavailable'])

/** A request that is not answered as asked; becomes the one shape of an error. */
export class RestFailure extends Error {
  override readonly name = 'RestFailure'
  readonly code: FailureCode
  readonly parameter: string | undefined

  constructor(code: FailureCode, message: string, parameter?: string) {
    super(message)
    this.code = code
    this.parameter = parameter
  }

  /** HTTP status of the code. */
  get status(): (typeof STATUS)[FailureCode] {
    return STATUS[this.code]
  }

  /** The body of the answer. */
  get body(): RestError {
    const parameter = this.parameter === undefined ? {} : { parameter: this.parameter }
    return { error: { code: this.code, message: this.message, retryable: RETRYABLE.has(this.code), ...parameter } }
  }
}
