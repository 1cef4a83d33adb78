import { type CheckedHttpOptions, requestChecked } from './checked-request.ts'
import { refusedByRule } from './refusal.ts'

/** Statuses whose answers have no body. Source: Fetch standard, "null body status". */
const BODILESS = new Set([204, 205, 304])

/**
 * A `fetch` that goes through {@link requestChecked}, for packages that want one, such as `@x402/fetch`. It takes a
 * `Request` for an origin and resource of the forms that a policy lists, with GET or POST. Throws {@link X402Refusal}.
 */
export function createCheckedFetch(options: CheckedHttpOptions = {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { method } = request
    if (method !== 'GET' && method !== 'POST') throw refusedByRule('address_refused', `method ${method.slice(0, 20)}`)
    const url = new URL(request.url)
    const signals = [request.signal, ...(options.cancellation === undefined ? [] : [options.cancellation])]
    const answer = await requestChecked(
      {
        origin: url.origin,
        method,
        resource: request.url.slice(url.origin.length),
        headers: Object.fromEntries(request.headers),
        ...(method === 'POST' ? { body: new Uint8Array(await request.arrayBuffer()) } : {}),
      },
      { ...options, cancellation: AbortSignal.any(signals) },
    )
    const headers = new Headers()
    for (const [name, values] of answer.headers) for (const value of values) headers.append(name, value)
    const body = BODILESS.has(answer.status) ? null : Buffer.from(answer.body)
    return new Response(body, { status: answer.status, headers })
  }
}
