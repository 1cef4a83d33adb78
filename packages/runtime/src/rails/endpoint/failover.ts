import { EndpointError, EndpointFaultError, EndpointsExhaustedError, NothingSentError } from './errors.ts'

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
  throw exhausted(failures)
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
 * sent anywhere, a `cancelled` fault when the caller gave up, {@link NothingSentError} when a check failed for a reason that
 * is no endpoint's.
 */
export async function sendToOne<Endpoint, Result>(
  endpoints: readonly Endpoint[],
  { check, send }: Sending<Endpoint, Result>,
): Promise<Result> {
  const failures: EndpointError[] = []
  for (const endpoint of endpoints) {
    try {
      await beforeSending(() => check(endpoint))
    } catch (cause) {
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

/**
 * Runs a step that comes before a sending. A caller who gives up then has sent nothing; what is no failure of an endpoint
 * becomes a {@link NothingSentError}.
 */
export async function beforeSending<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (cause) {
    if (isCancellation(cause))
      throw new EndpointFaultError(cause.origin, 'cancelled', 'not-started', 'before anything was sent', cause)
    const isKnown = cause instanceof EndpointError || cause instanceof EndpointsExhaustedError
    if (isKnown || cause instanceof NothingSentError) throw cause
    throw new NothingSentError(cause)
  }
}

/** What the endpoints of a list gave. */
export type AskedAll<Endpoint, Result> = {
  /** In the order of the list. */
  readonly answers: readonly { readonly endpoint: Endpoint; readonly result: Result }[]
  readonly failures: readonly EndpointError[]
}

/**
 * Asks all endpoints at the same time. Once one has answered, the others have `graceMs` left, so that one that hangs delays
 * nobody for long. Throws {@link EndpointsExhaustedError} when none answered, a cancellation, and what is no failure of an
 * endpoint.
 */
export async function askAll<Endpoint, Result>(
  endpoints: readonly Endpoint[],
  attempt: (endpoint: Endpoint) => Promise<Result>,
  graceMs: number,
): Promise<AskedAll<Endpoint, Result>> {
  const answers = new Map<Endpoint, Result>()
  const failures: EndpointError[] = []
  await new Promise<void>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let open = endpoints.length
    const finish = (end: () => void): void => {
      clearTimeout(timer)
      end()
    }
    const close = (): void => {
      open -= 1
      if (open === 0) finish(resolve)
      else if (answers.size > 0) timer ??= setTimeout(resolve, graceMs)
    }
    for (const endpoint of endpoints) {
      attempt(endpoint).then(
        (result) => {
          answers.set(endpoint, result)
          close()
        },
        (cause: unknown) => {
          try {
            failures.push(endpointFailure(cause))
            close()
          } catch {
            finish(() => reject(cause))
          }
        },
      )
    }
  })
  if (answers.size === 0) throw exhausted(failures)
  return {
    answers: endpoints.flatMap((endpoint) => {
      const result = answers.get(endpoint)
      return result === undefined ? [] : [{ endpoint, result }]
    }),
    failures,
  }
}

/** All failed at a read. */
function exhausted(failures: readonly EndpointError[]): EndpointsExhaustedError {
  const left = failures.some(({ effect }) => effect === 'uncertain')
  return new EndpointsExhaustedError(failures, left ? 'uncertain' : 'not-started')
}

function isCancellation(cause: unknown): cause is EndpointFaultError {
  return cause instanceof EndpointFaultError && cause.fault === 'cancelled'
}

/** Gives the failure of an endpoint back; throws a cancellation and everything else. */
function endpointFailure(cause: unknown): EndpointError {
  if (!(cause instanceof EndpointError) || isCancellation(cause)) throw cause
  return cause
}
