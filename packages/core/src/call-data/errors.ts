/** A text is no function signature. Not retryable. */
export class SignatureFormatError extends Error {
  override readonly name = 'SignatureFormatError'
  readonly retryable = false
  readonly got: string

  constructor(got: string, problem: string) {
    super(
      `function signature ${JSON.stringify(got.slice(0, 120))}: ${problem}. Write it like "transfer(address to, uint256 amount)".`,
    )
    this.got = got
  }
}
