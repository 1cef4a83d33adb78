/** Another process has taken over the Agent or its signing account: nothing more may be written under this lease. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  readonly retryable = true
  readonly lease: string

  constructor(lease: string) {
    super(`lease ${lease}: another operator holds it now; expected to hold it still. This one waits until it is free.`)
    this.lease = lease
  }
}

/** The operator database cannot be used. `retryable`: the same may succeed later. */
export class OperatorStoreError extends Error {
  override readonly name = 'OperatorStoreError'
  readonly retryable: boolean

  constructor(reason: string, options: { retryable: boolean; cause?: unknown }) {
    super(`operator database: ${reason}`, { cause: options.cause })
    this.retryable = options.retryable
  }
}

/** What an operator was given does not fit together. */
export class OperatorOptionError extends Error {
  override readonly name = 'OperatorOptionError'
  readonly retryable = false
  readonly option: string

  constructor(option: string, reason: string) {
    super(`operator option ${option}: ${reason}`)
    this.option = option
  }
}
