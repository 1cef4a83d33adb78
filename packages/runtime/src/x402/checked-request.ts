import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { isX402Origin, isX402Resource } from '@oikos/core/economic'
import { refusedByRule, X402Refusal, type X402RefusalCode } from './refusal.ts'
import { type HostResolver, resolvePublicHost, systemResolver } from './resolve-host.ts'

/**
 * Where an origin is served on this machine instead of the internet: on a port of 127.0.0.1, in the clear or with TLS for
 * the origin's host name. For local chains and tests.
 */
export type LocalServer = {
  readonly port: number
  /** Authority that signed the server's certificate, PEM; absent for plain HTTP. */
  readonly authorityPem?: string
}

/** How requests are made. Every bound has a default. */
export type CheckedHttpOptions = {
  readonly resolve?: HostResolver
  /** Origins that are served on this machine. Nothing else is ever reached on a private address. */
  readonly localServers?: Readonly<Record<string, LocalServer>>
  /** From the name look-up to the last byte of the answer. Default 10,000 ms. */
  readonly timeoutMs?: number
  /** Default 32,768 bytes: what common servers allow for the head of an answer. */
  readonly maxHeadBytes?: number
  /** Default 1,048,576 bytes. */
  readonly maxBodyBytes?: number
  readonly cancellation?: AbortSignal
}

/** One request to a resource of an origin; both are of the form that a policy lists. */
export type CheckedRequest = {
  readonly origin: string
  readonly method: 'GET' | 'POST'
  readonly resource: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** A whole answer. Names of headers are lower case; a header that came more than once has more than one value. */
export type CheckedAnswer = {
  readonly status: number
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Uint8Array
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_HEAD_BYTES = 32_768
const DEFAULT_BODY_BYTES = 1_048_576
const LOOPBACK = '127.0.0.1'

/** Where a request goes: checked addresses, and how the server there is known. */
type Target = {
  readonly addresses: readonly string[]
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly authorityPem: string | undefined
}

/**
 * Sends one request and reads the whole answer. All addresses of the host are checked first, and the connection goes to a
 * checked address, not to the name: a second look-up with another answer changes nothing. With TLS the certificate must be
 * for the name. No redirect is followed, no proxy used, no cookie kept, no compressed answer taken. Throws
 * {@link X402Refusal}.
 */
export async function requestChecked(
  request: CheckedRequest,
  options: CheckedHttpOptions = {},
): Promise<CheckedAnswer> {
  if (!isX402Origin(request.origin) || !isX402Resource(request.resource))
    throw refusedByRule('address_refused', `${request.origin}${request.resource} is not of a form that a policy lists`)
  if (options.cancellation?.aborted === true)
    throw new X402Refusal('cancelled', 'definitely_not_started', 'before the request')
  const deadlineMs = performance.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const target = await withinDeadline(findTarget(request.origin, options), deadlineMs, options.cancellation)
  let refusal: X402Refusal | undefined
  for (const address of target.addresses) {
    try {
      return await exchange(request, { ...target, address }, deadlineMs, options)
    } catch (cause) {
      if (!(cause instanceof X402Refusal) || cause.code !== 'unreachable') throw cause
      refusal = cause
    }
  }
  throw refusal ?? new X402Refusal('unreachable', 'definitely_not_started', `${target.host} has no address`)
}

async function findTarget(origin: string, options: CheckedHttpOptions): Promise<Target> {
  const host = origin.slice('https://'.length)
  const local = options.localServers?.[origin]
  if (local !== undefined) {
    const { port, authorityPem } = local
    return { addresses: [LOOPBACK], host, port, secure: authorityPem !== undefined, authorityPem }
  }
  const addresses = await resolvePublicHost(host, options.resolve ?? systemResolver)
  return { addresses, host, port: 443, secure: true, authorityPem: undefined }
}

/** The name look-up cannot be stopped, but it is waited for no longer than the whole request. */
async function withinDeadline<T>(
  work: Promise<T>,
  deadlineMs: number,
  cancellation: AbortSignal | undefined,
): Promise<T> {
  let end: () => void = () => {}
  const ended = new Promise<never>((_resolve, reject) => {
    const refuse = (code: X402RefusalCode) => () =>
      reject(new X402Refusal(code, 'definitely_not_started', 'while the name was looked up'))
    const timer = setTimeout(refuse('timeout'), deadlineMs - performance.now())
    const onAbort = refuse('cancelled')
    cancellation?.addEventListener('abort', onAbort, { once: true })
    end = () => {
      clearTimeout(timer)
      cancellation?.removeEventListener('abort', onAbort)
    }
  })
  try {
    return await Promise.race([work, ended])
  } finally {
    end()
  }
}

function exchange(
  request: CheckedRequest,
  target: Target & { readonly address: string },
  deadlineMs: number,
  options: CheckedHttpOptions,
): Promise<CheckedAnswer> {
  const { cancellation } = options
  return new Promise((resolve, reject) => {
    // Nothing is written before the socket is connected, so until then nothing has left.
    let hasLeft = false
    let isSettled = false
    const settle = (finish: () => void): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      cancellation?.removeEventListener('abort', onAbort)
      finish()
      outgoing.destroy()
    }
    const fail: Fail = (code, detail, cause) => {
      const disposition = hasLeft ? 'failed_uncertain' : 'definitely_not_started'
      settle(() => reject(new X402Refusal(code, disposition, `${target.host}: ${detail}`, cause)))
    }
    const refuse: Refuse = (code, detail) => settle(() => reject(refusedByRule(code, `${target.host}: ${detail}`)))
    const onAbort = (): void => fail('cancelled', 'during the request')

    const outgoing = (target.secure ? httpsRequest : httpRequest)(requestOptions(request, target, options))
    const timer = setTimeout(
      () => fail('timeout', 'no whole answer in time'),
      Math.max(0, deadlineMs - performance.now()),
    )
    cancellation?.addEventListener('abort', onAbort, { once: true })
    outgoing.once('socket', (socket: Socket) => {
      socket.once('connect', () => {
        if (socket.remoteAddress !== target.address)
          return fail('address_changed', `connected to ${socket.remoteAddress}, checked was ${target.address}`)
        if (!target.secure) hasLeft = true
      })
      // The request is written only after the certificate was found good.
      socket.once('secureConnect', () => {
        hasLeft = true
      })
    })
    outgoing.on('error', (cause) => {
      if (isOversize(cause)) fail('oversize', 'the head of the answer is too long', cause)
      else fail(hasLeft ? 'connection_lost' : 'unreachable', 'the connection failed', cause)
    })
    outgoing.once('response', (incoming) => {
      readAnswer(incoming, options.maxBodyBytes ?? DEFAULT_BODY_BYTES, { fail, refuse }, (answer) =>
        settle(() => resolve(answer)),
      )
    })
    outgoing.end(request.body)
  })
}

type Fail = (code: X402RefusalCode, detail: string, cause?: unknown) => void
type Refuse = (code: X402RefusalCode, detail: string) => void

function requestOptions(
  request: CheckedRequest,
  target: Target & { readonly address: string },
  options: CheckedHttpOptions,
): RequestOptions & { readonly servername?: string; readonly ca?: string; readonly autoSelectFamily: boolean } {
  return {
    host: target.host,
    port: target.port,
    method: request.method,
    path: request.resource,
    agent: false,
    autoSelectFamily: false,
    lookup: pinnedLookup(target.address),
    maxHeaderSize: options.maxHeadBytes ?? DEFAULT_HEAD_BYTES,
    headers: {
      ...request.headers,
      host: target.host,
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
      ...(request.method === 'POST' ? { 'content-length': `${request.body?.length ?? 0}` } : {}),
    },
    ...(target.secure ? { servername: target.host } : {}),
    ...(target.authorityPem === undefined ? {} : { ca: target.authorityPem }),
  }
}

/** A look-up that answers with the checked address, whatever the name means by now. */
function pinnedLookup(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, { all }, callback) => {
    if (all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

function isOversize(cause: Error): boolean {
  return 'code' in cause && cause.code === 'HPE_HEADER_OVERFLOW'
}

function readAnswer(
  incoming: IncomingMessage,
  maxBytes: number,
  { fail, refuse }: { readonly fail: Fail; readonly refuse: Refuse },
  succeed: (answer: CheckedAnswer) => void,
): void {
  const status = incoming.statusCode ?? 0
  const tooLong = `a body of more than ${maxBytes} bytes`
  if (status >= 300 && status < 400) {
    refuse('redirect', `status ${status}, which is not followed`)
    return
  }
  if ((incoming.headers['content-encoding'] ?? 'identity') !== 'identity') {
    fail('encoding', 'a compressed body, which was not asked for')
    return
  }
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
    fail('oversize', tooLong)
    return
  }
  const pieces: Buffer[] = []
  let length = 0
  incoming.on('data', (piece: Buffer) => {
    length += piece.length
    if (length > maxBytes) fail('oversize', tooLong)
    else pieces.push(piece)
  })
  const onBreak = (cause?: Error): void => fail('connection_lost', 'the answer broke off', cause)
  incoming.once('error', onBreak)
  incoming.once('aborted', onBreak)
  incoming.once('end', () => {
    if (incoming.complete)
      succeed({ status, headers: headersOf(incoming), body: new Uint8Array(Buffer.concat(pieces)) })
    else onBreak()
  })
}

function headersOf(incoming: IncomingMessage): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>()
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const name = (incoming.rawHeaders[index] ?? '').toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), incoming.rawHeaders[index + 1] ?? ''])
  }
  return headers
}
