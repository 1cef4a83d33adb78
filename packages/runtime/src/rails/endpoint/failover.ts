import { EndpointError, EndpointFaultError, EndpointsExhaustedError } from './errors.ts'

/**
 * Tries a read on one endpoint after the other until one succeeds. An attempt may be several calls, which then all see
 * one node. Throws {@link EndpointsExhaustedError} when all failed, at once when the caller gave up, and passes on what is
 * no failure of an endpoint.
 */
export async function readFromAny<Endpoint, Result>(
  endpoints: readonly Endpoint[],
  attempt: (endpoint: Endpoint) => Promise<Result>,
): Promise<Result> {
  const failures: EndpointError[] = []
  for (const endpoint of endpoints) {
    try {
      return await attempt(endpoint)
    } catch (cause) {
      failures.push(endpointFailure(cause))
    }
  }
  const left = failures.some(({ effect }) => effect === 'uncertain')
  throw new EndpointsExhaustedError(failures, left ? 'uncertain' : 'not-started')
}

/** A sending in two parts: a question without effect, and then the one request that may have one. */
export type Sending<Endpoint, Result> = {
  /** Throws when this endpoint is not the one to send to: unreachable, another network. */
  readonly check: (endpoint: Endpoint) => Promise<void>
  readonly send: (endpoint: Endpoint) => Promise<Result>
}

/**
 * Sends on the first endpoint that passes its check and can be reached. The next one is tried only while nothing left; the
 * first uncertain outcome ends it and is thrown. Throws {@link EndpointsExhaustedError} with `not-started` when nothing was
 * sent anywhere, a `cancelled` fault when the caller gave up.
 */
export async function sendToOne<Endpoint, Result>(
  endpoints: readonly Endpoint[],
  { check, send }: Sending<Endpoint, Result>,
): Promise<Result> {
  const failures: EndpointError[] = []
  for (const endpoint of endpoints) {
    try {
      await check(endpoint)
    } catch (cause) {
      if (isCancellation(cause))
        throw new EndpointFaultError(cause.origin, 'cancelled', 'not-started', 'before sending')
      failures.push(endpointFailure(cause))
      continue
    }
    try {
      return await send(endpoint)
    } catch (cause) {
      const failure = endpointFailure(cause)
      if (failure.effect === 'uncertain') throw failure
      failures.push(failure)
    }
  }
  throw new EndpointsExhaustedError(failures, 'not-started')
}

/** What the attempts on all endpoints gave, in order, made at the same time. Throws a cancellation, and what is no failure of an endpoint. */
export async function askAll<Endpoint, Result>(
  endpoints: readonly Endpoint[],
  attempt: (endpoint: Endpoint) => Promise<Result>,
): Promise<readonly (Result | EndpointError)[]> {
  return Promise.all(endpoints.map((endpoint) => attempt(endpoint).catch(endpointFailure)))
}

function isCancellation(cause: unknown): cause is EndpointFaultError {
  return cause instanceof EndpointFaultError && cause.fault === 'cancelled'
}

/** Gives the failure of an endpoint back; throws a cancellation and everything else. */
function endpointFailure(cause: unknown): EndpointError {
  if (!(cause instanceof EndpointError) || isCancellation(cause)) throw cause
  return cause
}
