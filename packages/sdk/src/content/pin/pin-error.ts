import { OikosError } from '../../errors/oikos-error.ts'

/** Why content is not pinned. Stable codes. */
export type PinFault = 'bad-endpoint' | 'unreachable' | 'refused' | 'unauthorized' | 'bad-answer' | 'failed' | 'pending'

const ADVICE: Readonly<Record<PinFault, string>> = {
  'bad-endpoint': 'Name an https URL, or http on this machine.',
  unreachable: 'Check that it runs, then try again; pinning twice does no harm.',
  refused: 'Read what it says, and correct that.',
  unauthorized: 'Check the access token.',
  'bad-answer': 'Check that the URL is that of this kind of service.',
  failed: 'Make the content available to the service, then try again.',
  pending: 'It was asked and has not finished; ask again later.',
}

/** Content is not known to be pinned. Never carries an access token. */
export class PinError extends OikosError {
  override readonly name = 'PinError'
  readonly code: PinFault
  readonly cid: string | undefined

  constructor(code: PinFault, got: string, options: { readonly cid?: string; readonly cause?: unknown } = {}) {
    const retryable = code === 'unreachable' || code === 'pending'
    super(`The content is not pinned: ${got}.`, { advice: ADVICE[code], retryable, cause: options.cause })
    this.code = code
    this.cid = options.cid
  }
}
