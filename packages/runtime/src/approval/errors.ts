import type { AdapterDisposition } from '../economic/host.ts'

/** Why there is no approval, or an approver cannot be made. The table with all meanings is in `docs/approval.md`. */
export type ApprovalErrorCode =
  /** What was handed over is no Approval Request. */
  | 'request_malformed'
  /** The request was over before anybody decided, or by the time somebody had. */
  | 'request_expired'
  /** No approver had an opinion. */
  | 'nobody_decided'
  /** There is no terminal at which a person could be asked. */
  | 'no_terminal'
  /** Nobody answered in time. */
  | 'no_answer'
  /** The approver's place cannot be reached. */
  | 'channel_failed'
  /** An answer that is not of the form of one. */
  | 'answer_malformed'
  /** An answer that no known approver signed. */
  | 'answer_untrusted'
  /** An answer to another question: to another request, or to an earlier asking of the same. */
  | 'answer_replayed'
  /** An answer that is over. */
  | 'answer_expired'
  /** The log of approvals cannot be read or written. */
  | 'log_failed'
  /** A rule, a key or a setting that cannot be used. */
  | 'setting_malformed'

/** What an error says about approvals that may have been given. */
export type ApprovalEffect = Exclude<AdapterDisposition, 'succeeded'>

/** Codes of what a rule of the approver refused. */
const RULES: ReadonlySet<ApprovalErrorCode> = new Set<ApprovalErrorCode>([
  'request_malformed',
  'request_expired',
  'nobody_decided',
  'answer_malformed',
  'answer_untrusted',
  'answer_replayed',
  'answer_expired',
])

/** Nothing was approved. `disposition` is what the engine is told. */
export class ApprovalError extends Error {
  override readonly name = 'ApprovalError'
  readonly code: ApprovalErrorCode
  readonly disposition: ApprovalEffect
  readonly retryable: boolean

  constructor(
    code: ApprovalErrorCode,
    detail: string,
    options: { readonly disposition?: ApprovalEffect; readonly cause?: unknown } = {},
  ) {
    super(`approval ${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.disposition = options.disposition ?? (RULES.has(code) ? 'policy_rejected' : 'definitely_not_started')
    this.retryable = !RULES.has(code)
  }
}

/** Hears of every failure before the engine gets its disposition. */
export type ApprovalFailureListener = (error: ApprovalError) => void
