/** SQLSTATE of an error that the server has answered with, if it has one. */
function sqlState(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(cause.code) ? cause.code : undefined
}

/** Serialization failure and deadlock: the server has rolled the transaction back and it may be begun again. */
const ABORTED: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Whether the server has rolled the transaction back because of others. Source: PostgreSQL manual, appendix A, class 40. */
export function isAborted(cause: unknown): boolean {
  return ABORTED.has(sqlState(cause) ?? '')
}

/**
 * Classes of errors with which a statement has surely not been committed: data, constraints, transaction state,
 * authorisation, aborted transactions, syntax and access, resources, limits, locks, and cancellation of one statement.
 * Everything else may come from a server that died while it committed. Source: PostgreSQL manual, appendix A.
 */
const NOT_DONE_CLASSES: ReadonlySet<string> = new Set(['22', '23', '25', '28', '40', '42', '53', '54', '55'])
const COMPLETION_UNKNOWN = '40003'

/**
 * What a server says when it goes on afterwards. A server that ends itself (PANIC) or the connection (FATAL) may have
 * written its commit to disk before: a full disk under the log is such a case. A server that speaks another language than
 * English is taken for one that ends.
 */
const GOES_ON = 'ERROR'

/** Whether nothing of the failed statement can have been kept. */
export function isKnownNotDone(cause: unknown): boolean {
  const state = sqlState(cause)
  if (!(cause instanceof Error) || !('severity' in cause) || cause.severity !== GOES_ON) return false
  return state !== undefined && state !== COMPLETION_UNKNOWN && NOT_DONE_CLASSES.has(state.slice(0, 2))
}
