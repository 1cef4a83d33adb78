import type { DocumentKind } from './catalog.ts'
import { documentLabel, documentSchema } from './catalog.ts'

/** Every diagnostic code. Source: Economic Agent v1, "Schema literals and diagnostics". */
export type DiagnosticCode =
  | 'SPX-G210'
  | 'SPX-G211'
  | 'SPX-G212'
  | 'SPX-G213'
  | 'SPX-G214'
  | 'SPX-G215'
  | 'SPX-G216'
  | 'SPX-G217'
  | 'SPX-G505'
  | 'SPX-I222'
  | 'SPX-I223'
  | 'SPX-I224'
  | 'SPX-I225'
  | 'SPX-I226'
  | 'SPX-I227'
  | 'SPX-I228'
  | 'SPX-I229'

/** Why an intent is refused (SPX-G212). `idempotency already bound` is in the text but the reference never gives it. */
export type IntentRejection =
  | 'agent run not completed'
  | 'wallet mismatch'
  | 'rail/network/asset not allowed'
  | 'recipient not allowed'
  | 'origin/method/resource not allowed'
  | 'expired'
  | 'amount or fee not allowed'
  | 'idempotency already bound'

/** A diagnostic as the engine returns it when it ran no external effect. Source: notes, section 14. */
export type EconomicDiagnostic = {
  readonly code: DiagnosticCode
  readonly severity: 'error'
  readonly message: string
  readonly path: null
  readonly span: null
  readonly help: null
}

/**
 * A document, a transaction or a run breaks a rule of Economic Agent v1. `code` names the rule and `message` is the exact
 * text that Trace and Evidence record; `detail` says what was got, and never enters a document. Not retryable: the same
 * bytes fail again.
 */
export class EconomicError extends Error {
  override readonly name = 'EconomicError'
  readonly retryable = false
  readonly code: DiagnosticCode
  readonly detail: string | undefined

  constructor(code: DiagnosticCode, message: string, options?: { detail?: string; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.detail = options?.detail
  }
}

/** SPX-G210: the bytes are not the canonical form of the document. */
export function notCanonical(kind: DocumentKind, detail?: string): EconomicError {
  const message = `Economic Agent ${documentLabel(kind)} is not canonical ${documentSchema(kind)} JSON`
  return new EconomicError('SPX-G210', message, withDetail(detail))
}

/** SPX-G210: bytes that an adapter pushed are not UTF-8. `field` such as `invoice_bytes`. */
export function notUtf8(field: string): EconomicError {
  return new EconomicError('SPX-G210', `Economic Agent ${field} is not canonical UTF-8 JSON`)
}

/** SPX-G211: a rule of the policy is broken. `field` such as `network_policies.recipients`. */
export function policyInvariant(field: string, detail?: string): EconomicError {
  return new EconomicError('SPX-G211', `Economic Agent policy invariant failed: ${field}`, withDetail(detail))
}

/** SPX-G212: the intent is not allowed by the policy, or came too late. */
export function intentRejected(reason: IntentRejection, detail?: string): EconomicError {
  return new EconomicError('SPX-G212', `Economic Agent payment intent was rejected: ${reason}`, withDetail(detail))
}

/** SPX-G213: invoice, snapshot, transaction, simulation or receipt disagrees with the intent. */
export function transactionMismatch(detail?: string): EconomicError {
  const message = 'Economic Agent prepared transaction or simulation disagrees with the admitted intent'
  return new EconomicError('SPX-G213', message, withDetail(detail))
}

/** SPX-G214: the approval does not approve exactly this request. */
export function approvalMismatch(detail?: string): EconomicError {
  const message = 'Economic Agent approval is absent, expired, rejected, or digest-mismatched'
  return new EconomicError('SPX-G214', message, withDetail(detail))
}

/** SPX-G215: the journal does not belong to this operation, or has no legal state. */
export function journalMismatch(detail?: string): EconomicError {
  const message = 'Economic Agent journal state or idempotency replay disagrees with the admitted operation'
  return new EconomicError('SPX-G215', message, withDetail(detail))
}

/** SPX-G216: a limit is exceeded. `field` such as `intent_bytes`. */
export function limitExceeded(field: string, maximum: bigint): EconomicError {
  return new EconomicError('SPX-G216', `${field} exceeds ${maximum}`)
}

/** SPX-G217: Trace or Evidence does not replay. */
export function replayMismatch(detail?: string): EconomicError {
  const message = 'Economic Agent Trace or Evidence disagrees with the replayed state machine'
  return new EconomicError('SPX-G217', message, withDetail(detail))
}

/** SPX-G505: a payment graph is not the one that its inputs compile to. Source: notes, section 15. */
export function graphMismatch(detail?: string): EconomicError {
  const message = 'Agent payment graph disagrees with the graph compiled from its definition and policy'
  return new EconomicError('SPX-G505', message, withDetail(detail))
}

/** The exact messages of the adapter and boundary failures, by code. */
export const BOUNDARY_MESSAGES = {
  'SPX-I222': 'Economic Agent journal adapter failed',
  'SPX-I223': 'Economic Agent chain adapter failed',
  'SPX-I224': 'Economic Agent approval adapter failed',
  'SPX-I225': 'Economic Agent custody adapter failed',
  'SPX-I226': 'Economic Agent broadcast outcome is uncertain',
  'SPX-I227': 'Economic Agent reconciliation adapter failed',
  'SPX-I228': 'Economic Agent run was cancelled',
  'SPX-I229': 'Economic Agent deadline was exceeded',
} as const

/** Codes of failures at the boundary to the host. */
export type BoundaryCode = keyof typeof BOUNDARY_MESSAGES

/** An adapter or boundary failure. */
export function boundaryFailure(code: BoundaryCode): EconomicError {
  return new EconomicError(code, BOUNDARY_MESSAGES[code])
}

/** The diagnostic that stands for an error. */
export function toDiagnostic(error: EconomicError): EconomicDiagnostic {
  return { code: error.code, severity: 'error', message: error.message, path: null, span: null, help: null }
}

/** What a code means and what to do, for people. */
export const DIAGNOSTIC_MEANING: Readonly<Record<DiagnosticCode, string>> = {
  'SPX-G210': 'The text is not in canonical form: render it again from its values (key order, escapes, one final LF).',
  'SPX-G211': 'The policy contradicts itself or a maximum of the standard: correct the named field.',
  'SPX-G212':
    'The policy does not allow this payment, or its time is over: change the policy or ask for another payment.',
  'SPX-G213': 'What an adapter delivered is not the payment that was admitted: nothing may be signed.',
  'SPX-G214': 'Nobody approved exactly this request: ask again.',
  'SPX-G215': 'The journal row belongs to another payment or has no legal state: do not pay, look at the row.',
  'SPX-G216': 'A limit is reached: make the input smaller or raise the limit in the policy.',
  'SPX-G217': 'Trace or Evidence cannot have come from a legal run: do not trust it.',
  'SPX-G505': 'The payment graph was changed after it was compiled: compile it again.',
  'SPX-I222': 'The journal could not be read or written: reconcile before anything else.',
  'SPX-I223': 'The chain or invoice adapter failed.',
  'SPX-I224': 'The approver failed or did not answer.',
  'SPX-I225': 'Custody failed; it may have signed: this payment is not tried again.',
  'SPX-I226': 'It is unknown whether the transaction was accepted: reconcile by its id, never pay again.',
  'SPX-I227': 'The chain could not be asked: reconcile later.',
  'SPX-I228': 'The run was cancelled.',
  'SPX-I229': 'The run took too long, or its clock stepped back.',
}

function withDetail(detail: string | undefined): { detail?: string } {
  return detail === undefined ? {} : { detail }
}
