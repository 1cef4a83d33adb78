import { type FetchFunction, findUrlFault, readResponse } from '../fetch-bytes.ts'
import { PinError } from './pin-error.ts'

/** A service that pins, and how it is reached. */
export type PinEndpoint = {
  /** Base URL: https, or http on loopback. */
  readonly url: string
  readonly fetch: FetchFunction
  /** Sent as a bearer token; never shown. */
  readonly token?: string
  /** For one request. Default 60 seconds. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** Bytes of an answer; those of both interfaces are below one KiB for each pin. */
const MAX_ANSWER_BYTES = 262_144
/** Characters of a service's own words that a message repeats. */
const MAX_QUOTE = 200

/**
 * Sends one request and reads its JSON answer under bounds. Redirects are refused: they would carry the token away.
 * @throws {@link PinError}; the reason of an aborted signal
 */
export async function askService(
  endpoint: PinEndpoint,
  path: string,
  init: { readonly method: 'GET' | 'POST'; readonly body?: FormData; readonly json?: unknown },
): Promise<unknown> {
  const fault = findUrlFault(endpoint.url, true)
  if (fault !== undefined) throw new PinError('bad-endpoint', `the address of the service: ${fault}`)
  const timeout = AbortSignal.timeout(endpoint.timeoutMs ?? 60_000)
  const { signal } = endpoint
  let response: Response
  let text: string | undefined
  try {
    response = await endpoint.fetch(`${endpoint.url.replace(/\/+$/, '')}${path}`, {
      method: init.method,
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: {
        accept: 'application/json',
        ...(endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` }),
        ...(init.json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(init.json !== undefined && { body: JSON.stringify(init.json) }),
      ...(init.body !== undefined && { body: init.body }),
    })
    text = await readText(response)
  } catch (cause) {
    signal?.throwIfAborted()
    throw new PinError('unreachable', 'the service does not answer', { cause })
  }
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw new PinError('bad-answer', 'the service sends elsewhere')
  }
  if (response.status === 401 || response.status === 403)
    throw new PinError('unauthorized', 'the service refuses access')
  if (response.status === 429 || response.status >= 502) {
    throw new PinError('unreachable', `the service answers with ${response.status}`)
  }
  if (!response.ok) {
    throw new PinError('refused', `the service answers with ${response.status}: ${quote(text ?? '')}`)
  }
  try {
    return JSON.parse(text ?? '')
  } catch (cause) {
    throw new PinError('bad-answer', 'the service does not answer with JSON', { cause })
  }
}

/** Text of any answer, also of a refusal, whose words say why; undefined when there is too much of it. */
async function readText(response: Response): Promise<string | undefined> {
  const body = new Response(response.body, { status: 200 })
  const read = await readResponse(body, MAX_ANSWER_BYTES)
  return read.ok ? new TextDecoder().decode(read.bytes) : undefined
}

/** Words of a stranger, as one short line. */
export function quote(text: string): string {
  return JSON.stringify(text.replace(/\s+/g, ' ').slice(0, MAX_QUOTE))
}

/** A member of a parsed answer; undefined where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
