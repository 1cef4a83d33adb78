/** A journal cannot be opened, or would not be durable. `retryable` when the store may be reachable later. */
export class JournalOpenError extends Error {
  override readonly name = 'JournalOpenError'
  readonly retryable: boolean
  /** The file or database, without credentials. */
  readonly store: string

  constructor(store: string, reason: string, options: { retryable: boolean; cause?: unknown }) {
    super(`journal ${store} cannot be used: ${reason}`, { cause: options.cause })
    this.store = store
    this.retryable = options.retryable
  }
}

/** What a journal keeps could not be read. Nothing was changed; the same call may succeed later. */
export class JournalReadError extends Error {
  override readonly name = 'JournalReadError'
  readonly retryable = true
  /** The file or database, without credentials. */
  readonly store: string

  constructor(store: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : 'unknown failure'
    super(`journal ${store} cannot be read: ${reason}`, { cause })
    this.store = store
  }
}

/** A page of a journal was asked for that is empty or larger than the maximum. Not retryable. */
export class JournalPageError extends Error {
  override readonly name = 'JournalPageError'
  readonly retryable = false
  readonly limit: number
  readonly maximum: number

  constructor(limit: number, maximum: number) {
    super(`journal page: got limit ${limit}, expected an integer from 1 to ${maximum}; read page after page`)
    this.limit = limit
    this.maximum = maximum
  }
}

/** A failed step of a journal, or an idle connection that broke. The engine only learns the disposition. */
export type JournalFailure = {
  readonly operation: 'load' | 'compareAndSwap' | 'connection'
  readonly cause: unknown
}

/** Hears of every failure before the engine gets its disposition. */
export type JournalFailureListener = (failure: JournalFailure) => void
