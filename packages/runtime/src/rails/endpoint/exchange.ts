import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { type EndpointEffect, type EndpointFault, EndpointFaultError } from './errors.ts'
import { MAX_REQUEST_BYTES, type ParsedEndpoint } from './options.ts'

/** One request. `path` is joined to the endpoint's own; empty for none. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly contentType?: string
  /** Opens a connection of its own, so that a failure to connect proves that nothing left. */
  readonly isolated: boolean
}

/** An answer below status 300 or from 400. `text` is decoded strictly. */
type HttpAnswer = { readonly status: number; readonly text: string }

/** An endpoint over HTTP. */
export type HttpEndpoint = {
  readonly origin: string
  /**
   * Sends one request, once. Throws {@link EndpointFaultError}, whose `effect` is `not-started` only when no connection
   * was established for it: from then on bytes can have left.
   */
  readonly exchange: (request: HttpRequest) => Promise<HttpAnswer>
  /** Closes idle connections. */
  readonly close: () => void
}

/** Connections that an endpoint keeps at most. */
const MAX_CONNECTIONS = 16
/** The longest head of an answer, bytes. */
const MAX_HEAD_BYTES = 16_384

/**
 * An HTTP client for one endpoint. It follows no redirect, uses no proxy of the environment, keeps no cookie, and accepts
 * no compressed answer, so that the limit of bytes is one of memory, too.
 */
export function createHttpEndpoint(endpoint: ParsedEndpoint): HttpEndpoint {
  const secure = endpoint.url.protocol === 'https:'
  const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS }
  const agent = secure ? new HttpsAgent(settings) : new HttpAgent(settings)
  return {
    origin: endpoint.origin,
    exchange: (request) => exchangeOnce(endpoint, request, request.isolated ? false : agent),
    close: () => agent.destroy(),
  }
}

function exchangeOnce(
  endpoint: ParsedEndpoint,
  request: HttpRequest,
  agent: HttpAgent | HttpsAgent | false,
): Promise<HttpAnswer> {
  const { origin, cancellation, timeoutMs } = endpoint
  const body = Buffer.from(request.body ?? '', 'utf8')
  if (cancellation?.aborted === true)
    return Promise.reject(new EndpointFaultError(origin, 'cancelled', 'not-started', 'before the request'))
  if (body.length > MAX_REQUEST_BYTES) {
    const detail = `a request of ${body.length} bytes, expected at most ${MAX_REQUEST_BYTES}`
    return Promise.reject(new EndpointFaultError(origin, 'oversize', 'not-started', detail))
  }
  return new Promise((resolve, reject) => {
    // Set before the platform writes anything: a socket holds back what it is given until it is connected.
    let effect: EndpointEffect = 'not-started'
    let isSettled = false
    const settle = (finish: () => void): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      cancellation?.removeEventListener('abort', onAbort)
      finish()
    }
    const fail = (fault: EndpointFault, detail: string, cause?: unknown): void => {
      settle(() => reject(new EndpointFaultError(origin, fault, effect, detail, cause)))
      outgoing.destroy()
    }
    const onAbort = (): void => fail('cancelled', 'during the request')
    const failOpen = (detail: string, cause?: unknown): void =>
      fail(effect === 'not-started' ? 'unreachable' : 'connection-lost', detail, cause)

    const outgoing = (endpoint.url.protocol === 'https:' ? httpsRequest : httpRequest)(
      pathOf(endpoint.url, request.path),
      {
        agent,
        method: request.method,
        headers: headersOf(endpoint, request, body.length),
        maxHeaderSize: MAX_HEAD_BYTES,
        ...(endpoint.lookup === undefined ? {} : { lookup: endpoint.lookup as never }),
      },
    )
    const timer = setTimeout(() => {
      const fault = effect === 'not-started' ? 'unreachable' : 'timeout'
      fail(fault, `no ${effect === 'not-started' ? 'connection' : 'whole answer'} within ${timeoutMs} ms`)
    }, timeoutMs)
    cancellation?.addEventListener('abort', onAbort, { once: true })
    outgoing.once('socket', (socket: Socket) => {
      const leave = (): void => {
        effect = 'uncertain'
      }
      if (socket.connecting) socket.once('connect', leave)
      else leave()
    })
    outgoing.on('error', (cause) => failOpen('the connection failed', cause))
    outgoing.once('response', (incoming) => {
      effect = 'uncertain'
      readAnswer(incoming, endpoint.maxResponseBytes).then(
        (answer) => settle(() => resolve(answer)),
        (cause) => {
          if (cause instanceof AnswerFault) fail(cause.fault, cause.message)
          else fail('connection-lost', 'the answer broke off', cause)
        },
      )
    })
    outgoing.end(body)
  })
}

function pathOf(base: URL, path: string): URL {
  if (path === '') return base
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/$/, '')}${path}`
  return url
}

function headersOf(endpoint: ParsedEndpoint, request: HttpRequest, length: number): Record<string, string> {
  return {
    ...endpoint.headers,
    accept: '*/*',
    'accept-encoding': 'identity',
    ...(request.method === 'POST'
      ? { 'content-type': request.contentType ?? 'application/json', 'content-length': `${length}` }
      : {}),
  }
}

/** What is wrong with an answer. */
class AnswerFault extends Error {
  readonly fault: EndpointFault

  constructor(fault: EndpointFault, detail: string) {
    super(detail)
    this.fault = fault
  }
}

async function readAnswer(incoming: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const status = incoming.statusCode ?? 0
  if (status >= 300 && status < 400) throw new AnswerFault('redirect', `status ${status}, which is not followed`)
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new AnswerFault('malformed', 'a compressed answer, which was not asked for')
  const oversize = () => new AnswerFault('oversize', `an answer of more than ${maxBytes} bytes`)
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw oversize()
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of incoming) {
    length += (piece as Buffer).length
    if (length > maxBytes) throw oversize()
    pieces.push(piece as Buffer)
  }
  try {
    return { status, text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)) }
  } catch {
    throw new AnswerFault('malformed', 'the answer is not UTF-8')
  }
}
