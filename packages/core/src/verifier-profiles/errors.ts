/** An input cannot be used with a stock verifier profile. Not retryable: the caller holds a wrong value. */
export class VerifierProfileError extends Error {
  override readonly name = 'VerifierProfileError'
  readonly retryable = false
  readonly field: string
  readonly got: string
  readonly expected: string

  constructor(field: string, got: string, expected: string) {
    super(`${field}: got ${got.slice(0, 100)}, expected ${expected}`)
    this.field = field
    this.got = got
    this.expected = expected
  }
}
