import type { AdapterDisposition } from '../../economic/host.ts'
import { EndpointError, EndpointsExhaustedError, NothingSentError } from '../endpoint/index.ts'

/** The four calls of a rail. */
export type RailOperation = 'snapshot' | 'simulate' | 'broadcast' | 'reconcile'

/** A call of a rail that did not succeed, for the operator. The engine only learns the disposition. */
export type RailFailure = {
  readonly operation: RailOperation
  readonly disposition: AdapterDisposition
  readonly cause: unknown
}

/** Hears of every failure before the engine gets its disposition. What it throws is ignored. */
export type RailFailureListener = (failure: RailFailure) => void

/** A rule of the rail refuses a call before anything outside was asked: an unreadable document, another network or wallet. */
export class RailRefusalError extends Error {
  override readonly name = 'RailRefusalError'
  readonly retryable = false
}

/**
 * Runs one call of a rail and turns what it throws into a disposition: `policy_rejected` for a {@link RailRefusalError},
 * `definitely_not_started` for a {@link NothingSentError} and where the transport knows that nothing left, `failed_uncertain`
 * for everything else.
 */
export async function runRailCall(
  operation: RailOperation,
  onFailure: RailFailureListener | undefined,
  call: () => Promise<void>,
): Promise<AdapterDisposition> {
  try {
    await call()
    return 'succeeded'
  } catch (cause) {
    const disposition = dispositionOf(cause)
    try {
      onFailure?.({ operation, disposition, cause })
    } catch {
      // a listener cannot change what happened
    }
    return disposition
  }
}

function dispositionOf(cause: unknown): AdapterDisposition {
  if (cause instanceof RailRefusalError) return 'policy_rejected'
  if (cause instanceof NothingSentError)
    return cause.cause instanceof RailRefusalError ? 'policy_rejected' : 'definitely_not_started'
  const isTransport = cause instanceof EndpointError || cause instanceof EndpointsExhaustedError
  return isTransport && cause.effect === 'not-started' ? 'definitely_not_started' : 'failed_uncertain'
}
