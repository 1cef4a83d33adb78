import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ApprovalDesk } from './desk.ts'
import { ApprovalError } from './errors.ts'
import { CONTENT_SECURITY_POLICY, renderDesk, renderMessage, renderWelcome } from './page.ts'
import { PENDING_STATUS } from './webhook.ts'

/** How a desk is served. */
export type DeskServerOptions = {
  readonly desk: ApprovalDesk
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
  /** Port of 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number
  /** What whoever asks must know; it lets ask, never decide. A random one by default. */
  readonly askToken?: string
  /** How long a question is held before its asker is told to come again, milliseconds. Default 20,000. */
  readonly holdMs?: number
}

/** A desk that is served. */
export type DeskServer = {
  /** Where questions are posted, with `authorization: Bearer <askToken>`. */
  readonly questionsUrl: string
  readonly askToken: string
  /**
   * Opens the page in one browser, once: it makes that browser the only one that may decide. Show it to the person who
   * approves and to nobody else. Each call ends the link before.
   */
  readonly createPersonUrl: () => string
  readonly close: () => Promise<void>
}

const LOOPBACK = '127.0.0.1'
const DEFAULT_HOLD_MS = 20_000
/** The longest body: an intent and a policy of the greatest length, escaped, and a request. */
const MAX_BODY_BYTES = 6_291_456
const MAX_FORM_BYTES = 4_096
const COOKIE = 'oikos-desk'
/** Heads and bodies must come within, milliseconds. */
const REQUEST_TIMEOUT_MS = 15_000
const MAX_CONNECTIONS = 128

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
}

/**
 * Serves a desk on loopback, to one browser. Deciding takes a cookie that only the link gives, a token that only the page
 * holds, and a request from the page itself; asking takes another secret. The page runs no script. Names other than that of
 * this very server are refused, so that no name which points here (DNS rebinding) reaches it.
 */
export async function startDeskServer(options: DeskServerOptions): Promise<DeskServer> {
  const { desk, clockMs, holdMs = DEFAULT_HOLD_MS, askToken = randomBytes(32).toString('hex') } = options
  /** Signs the tokens of forms. */
  const formSecret = randomBytes(32)
  let linkToken: string | undefined
  let session: string | undefined
  let origin = ''

  const tokenOf = (nonce: string) => createHmac('sha256', formSecret).update(`${session}\n${nonce}`).digest('hex')
  const isPerson = (request: IncomingMessage): boolean => session !== undefined && isSame(cookieOf(request), session)

  const openPage = ({ url, request, response }: Exchange): void => {
    const given = url.searchParams.get('person')
    if (given !== null && linkToken !== undefined && isSame(given, linkToken)) {
      linkToken = undefined
      session = randomBytes(32).toString('hex')
      response.setHeader('set-cookie', `${COOKIE}=${session}; HttpOnly; SameSite=Strict; Path=/`)
      // Away from the address that holds the token, by a page and not by a redirect: after a click on another site, browsers
      // do not send a strict cookie along a redirect.
      sendPage(response, 200, renderWelcome())
      return
    }
    if (!isPerson(request)) {
      sendPage(response, 403, renderMessage('Open the link that the approver program printed; each works once.'))
      return
    }
    sendPage(response, 200, renderDesk(desk.waiting(), clockMs(), tokenOf))
  }

  const takeDecision = async ({ request, response }: Exchange): Promise<void> => {
    const isFromPage =
      request.headers.origin === origin && (request.headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    if (!isPerson(request) || !isFromPage || !isForm) {
      sendPage(response, 403, renderMessage('This was not sent from the page of approvals; nothing was decided.'))
      return
    }
    const form = new URLSearchParams(await readBody(request, MAX_FORM_BYTES))
    const [nonce, token, decision] = [form.get('nonce') ?? '', form.get('token') ?? '', form.get('decision')]
    if (!isSame(token, tokenOf(nonce)) || (decision !== 'approved' && decision !== 'rejected')) {
      sendPage(response, 403, renderMessage('The form is not that of this page; nothing was decided.'))
      return
    }
    const isDecided = desk.decide(nonce, decision)
    const sentence = isDecided
      ? `The payment was ${decision}.`
      : 'The payment does not wait any more; nothing was decided.'
    sendPage(response, isDecided ? 200 : 409, renderMessage(sentence))
  }

  const takeQuestion = async ({ request, response }: Exchange): Promise<void> => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${askToken}`)) {
      sendJson(response, 401, { error: 'the token is missing or wrong' })
      return
    }
    const answer = await desk.put(await readBody(request, MAX_BODY_BYTES), holdMs)
    if (answer === undefined) sendJson(response, PENDING_STATUS, { pending: true })
    else sendJson(response, 200, answer)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    setSafeHeaders(response)
    if (request.headers.host !== origin.slice('http://'.length)) {
      sendJson(response, 421, { error: 'another host' })
      return
    }
    const exchange = { request, response, url: new URL(request.url ?? '/', origin) }
    const route = `${request.method} ${exchange.url.pathname}`
    if (route === 'GET /') openPage(exchange)
    else if (route === 'POST /decisions') await takeDecision(exchange)
    else if (route === 'POST /questions') await takeQuestion(exchange)
    else sendJson(response, 404, { error: 'nothing is here' })
  }

  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      handle(request, response).catch((cause: unknown) => sendFailure(response, cause))
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new ApprovalError('setting_malformed', 'the port cannot be listened on', { cause })),
    )
    server.listen(options.port ?? 0, LOOPBACK, resolve)
  })
  const address = server.address()
  origin = `http://${LOOPBACK}:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    questionsUrl: `${origin}/questions`,
    askToken,
    createPersonUrl: () => {
      linkToken = randomBytes(32).toString('hex')
      return `${origin}/?person=${linkToken}`
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function setSafeHeaders(response: ServerResponse): void {
  response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('x-frame-options', 'DENY')
  // With `no-referrer` browsers send `origin: null` with forms, and no form could be told from a foreign one.
  response.setHeader('referrer-policy', 'same-origin')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-resource-policy', 'same-origin')
  response.setHeader('cache-control', 'no-store')
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** What is no question is told apart from a failure of ours, of which nothing is told. */
function sendFailure(response: ServerResponse, cause: unknown): void {
  if (response.headersSent) response.destroy()
  else if (cause instanceof ApprovalError) sendJson(response, cause.retryable ? 503 : 400, { error: cause.code })
  else sendJson(response, 500, { error: 'the desk failed' })
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxBytes) throw new ApprovalError('request_malformed', `a body of more than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function cookieOf(request: IncomingMessage): string {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const own = pairs.filter((pair) => pair.startsWith(`${COOKIE}=`))
  // Two cookies of one name: somebody tries to smuggle one in.
  return own.length === 1 ? (own[0] ?? '').slice(COOKIE.length + 1) : ''
}

/** Compares without telling by time where the difference is. */
function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
