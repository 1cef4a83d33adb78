import { plainText } from '../approval/plain-text.ts'

/** Why a model gave no answer. */
export type ModelErrorCode = 'model.cancelled' | 'model.failed' | 'model.malformed' | 'model.refused' | 'model.timeout'

/** A model gave no answer; the operator then does nothing. `cause` has what the provider said, for people only. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  /** Whether the same question may be answered later. */
  readonly retryable: boolean

  constructor(code: ModelErrorCode, detail: string, cause?: unknown) {
    const reason = cause instanceof Error ? `: ${plainText(cause.message)}` : ''
    super(`${code}: ${detail}${reason}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.retryable = code === 'model.failed' || code === 'model.timeout'
  }
}
