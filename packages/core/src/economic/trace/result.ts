import type { DiagnosticCode, EconomicError } from '../diagnostics.ts'
import type { ConfirmationStatus } from '../documents/reconciliation.ts'
import { CONFIRMATION_STATUSES } from '../documents/reconciliation.ts'
import type { RunResult, RunStatus } from '../documents/trace.ts'
import type { TransactionId } from '../rails/built.ts'

/** How a run ends that fails with a code. Source: notes, section 10, failure finalization. */
export function statusOfCode(code: DiagnosticCode): Exclude<RunStatus, ConfirmationStatus> {
  switch (code) {
    case 'SPX-I222':
      return 'journal_failed'
    case 'SPX-I224':
    case 'SPX-G214':
      return 'approval_failed'
    case 'SPX-I225':
      return 'custody_failed'
    case 'SPX-I226':
      return 'broadcast_unknown'
    case 'SPX-I227':
      return 'reconciliation_failed'
    case 'SPX-I228':
      return 'cancelled'
    case 'SPX-I229':
      return 'deadline_exceeded'
    case 'SPX-G216':
      return 'budget_exhausted'
    case 'SPX-G212':
      return 'rejected'
    default:
      return 'adapter_failed'
  }
}

/** The result of a run that failed. */
export function failureResult(error: EconomicError): RunResult {
  return {
    status: statusOfCode(error.code),
    transaction_id: null,
    confirmation_status: null,
    code: error.code,
    message: error.message,
  }
}

/** The result of a run that observed its transaction. */
export function observedResult(status: ConfirmationStatus, transactionId: TransactionId): RunResult {
  return { status, transaction_id: transactionId, confirmation_status: status, code: null, message: null }
}

/** Whether a status says that the transaction was observed. */
export function isObservedStatus(status: RunStatus): status is ConfirmationStatus {
  return CONFIRMATION_STATUSES.some((candidate) => candidate === status)
}

/** Why a result contradicts itself, or undefined. */
export function resultFault(result: RunResult): string | undefined {
  if (isObservedStatus(result.status)) {
    const complete = result.transaction_id !== null && result.confirmation_status === result.status
    return complete && result.code === null && result.message === null ? undefined : 'result: not that of a success'
  }
  if (result.transaction_id !== null || result.confirmation_status !== null || result.message === null)
    return 'result: not that of a failure'
  return result.code !== null && statusOfCode(result.code) === result.status
    ? undefined
    : `result: code ${result.code} does not end in ${result.status}`
}
