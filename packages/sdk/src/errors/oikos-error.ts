/** Optional parts of an {@link OikosError}. */
export type OikosErrorOptions = {
  /** What the reader should do now, as a sentence. */
  advice?: string
  /** Whether the same call may succeed later without a change to its arguments. Default false. */
  retryable?: boolean
  cause?: unknown
}

/**
 * Base of every error that this package throws. `message` is the sentence and, on a second line, the advice; `name` is
 * stable and may be switched on.
 */
export class OikosError extends Error {
  override readonly name: string = 'OikosError'
  /** What failed, what was got and what was expected, in one sentence. */
  readonly shortMessage: string
  /** What to do about it; empty when nothing can be advised. */
  readonly advice: string
  /** Whether the same call may succeed later without a change to its arguments. */
  readonly retryable: boolean

  constructor(shortMessage: string, options: OikosErrorOptions = {}) {
    const advice = options.advice ?? ''
    super(advice === '' ? shortMessage : `${shortMessage}\n${advice}`, { cause: options.cause })
    this.shortMessage = shortMessage
    this.advice = advice
    this.retryable = options.retryable ?? false
  }

  /** The deepest cause. */
  walk(): unknown
  /** The first error in the chain of causes, this one included, for which `matches` holds; null when there is none. */
  walk<found>(matches: (error: unknown) => error is found): found | null
  walk(matches: (error: unknown) => boolean): unknown
  walk(matches?: (error: unknown) => boolean): unknown {
    let current: unknown = this
    for (let depth = 0; depth < MAX_CAUSES; depth++) {
      if (matches?.(current)) return current
      const cause = current instanceof Error ? current.cause : undefined
      if (cause === undefined || cause === null) return matches === undefined ? current : null
      current = cause
    }
    return matches === undefined ? current : null
  }
}

/** Longest chain of causes that {@link OikosError.walk} follows; viem's own chains have at most six. */
const MAX_CAUSES = 32
