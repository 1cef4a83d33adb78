/** The part of `fetch` that is used; tests and hosts give their own. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>

/** Bounds of one request. */
export type FetchBounds = { readonly maxBytes: number; readonly timeoutMs: number; readonly maxRedirects: number }

/** Why a request gave no bytes. */
export type FetchOutcome = 'missing' | 'too-large' | 'timeout' | 'redirect' | 'refused' | 'failed'

/** Bytes of a response, or why there are none. */
export type FetchedBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly outcome: FetchOutcome; readonly detail: string }

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Why a URL may not be requested, or undefined: only https, or http on loopback where allowed; no user information. */
export function findUrlFault(text: string, allowLoopback: boolean): string | undefined {
  if (!URL.canParse(text)) return 'not a URL'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'user information in a URL is refused'
  const isLoopback = LOOPBACK.has(url.hostname)
  if (isLoopback) return allowLoopback && /^https?:$/.test(url.protocol) ? undefined : 'loopback is not allowed here'
  return url.protocol === 'https:' ? undefined : `${url.protocol} is refused; only https, and http on loopback`
}

/**
 * Gets the body of a URL under bounds. Redirects are followed by us, each target judged like the first URL; where the
 * platform hides them (browsers) they are refused. Throws only the reason of an aborted `signal`.
 */
export async function fetchBytes(
  fetch: FetchFunction,
  url: string,
  bounds: FetchBounds,
  options: { readonly accept?: string; readonly allowLoopback: boolean; readonly signal?: AbortSignal },
): Promise<FetchedBytes> {
  // a clock of its own, since AbortSignal.timeout would keep every request in memory for the whole time that it may take
  const ending = new AbortController()
  const onAbort = (): void => ending.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  if (options.signal?.aborted === true) onAbort()
  let isLate = false
  const clock = setTimeout(() => {
    isLate = true
    ending.abort()
  }, bounds.timeoutMs)
  try {
    return await follow(fetch, url, bounds, { ...options, signal: ending.signal })
  } catch (cause) {
    options.signal?.throwIfAborted()
    if (isLate) return failed('timeout', `no whole answer within ${bounds.timeoutMs} ms`)
    return failed('failed', cause instanceof Error ? cause.message : 'unknown failure')
  } finally {
    clearTimeout(clock)
    options.signal?.removeEventListener('abort', onAbort)
  }
}

async function follow(
  fetch: FetchFunction,
  url: string,
  bounds: FetchBounds,
  options: { readonly accept?: string; readonly allowLoopback: boolean; readonly signal: AbortSignal },
): Promise<FetchedBytes> {
  let current = url
  for (let hops = 0; hops <= bounds.maxRedirects; hops++) {
    const fault = findUrlFault(current, options.allowLoopback)
    if (fault !== undefined) return failed(hops === 0 ? 'refused' : 'redirect', fault)
    const response = await fetch(current, {
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: options.signal,
      ...(options.accept !== undefined && { headers: { accept: options.accept } }),
    })
    const location = response.headers.get('location')
    const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
    if (!isRedirect) return readResponse(response, bounds.maxBytes)
    await response.body?.cancel()
    if (location === null || !URL.canParse(location, current)) return failed('redirect', 'a redirect without a target')
    current = new URL(location, current).href
  }
  return failed('redirect', `more than ${bounds.maxRedirects} redirects`)
}

/** Reads the body of an answer with a good status, at most `maxBytes` of it. */
export async function readResponse(response: Response, maxBytes: number): Promise<FetchedBytes> {
  if (!response.ok) {
    await response.body?.cancel()
    const isMissing = response.status === 404 || response.status === 410
    return failed(isMissing ? 'missing' : 'failed', `status ${response.status}`)
  }
  const tooLarge = failed('too-large', `more than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel()
    return tooLarge
  }
  if (response.body === null) return { ok: true, bytes: new Uint8Array() }
  const pieces: Uint8Array[] = []
  let total = 0
  const reader = response.body.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    total += piece.value.length
    if (total > maxBytes) {
      await reader.cancel()
      return tooLarge
    }
    pieces.push(piece.value)
  }
  return { ok: true, bytes: joinBytes(pieces, total) }
}

function joinBytes(pieces: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

function failed(outcome: FetchOutcome, detail: string): FetchedBytes {
  return { ok: false, outcome, detail }
}
