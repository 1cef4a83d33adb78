import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server of a test chain, on loopback. */
export type ChainServer = { readonly url: string; readonly close: () => Promise<void> }

/** Answers one request; what it throws becomes status 500. */
type Handler = (request: IncomingMessage, body: string) => Promise<HttpAnswer>

/** Status, type and body of an HTTP answer. */
export type HttpAnswer = { readonly status: number; readonly type: string; readonly body: string }

const MAX_REQUEST_BYTES = 4_194_304

/** Starts a server on a free port of 127.0.0.1. `close` also ends connections that are still open. */
export async function startHttpServer(handler: Handler): Promise<ChainServer> {
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => handler(request, body))
      .catch((cause: unknown) => ({ status: 500, type: 'text/plain', body: String(cause) }))
      .then((answer) => send(response, answer))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MAX_REQUEST_BYTES) throw new Error(`request: expected at most ${MAX_REQUEST_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function send(response: ServerResponse, { status, type, body }: HttpAnswer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** An error that a method answers with. Source: JSON-RPC 2.0, section 5.1. */
export class JsonRpcFailure extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The methods of a server, by name. A bigint in a result is written as a JSON number of all its digits. */
export type JsonRpcMethods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

/** How a server speaks. */
export type JsonRpcServerOptions = {
  readonly methods: JsonRpcMethods
  /** HTTP status of an answer that is an error: 200, or 500 as Bitcoin Core gives to requests without version 2.0. */
  readonly errorStatus?: (request: { readonly jsonrpc?: unknown; readonly code: number }) => number
  /** The `authorization` header that every request must have. */
  readonly authorization?: string
}

type JsonRpcRequest = {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

/** Starts a JSON-RPC server on a free port of 127.0.0.1. */
export function startJsonRpcServer(options: JsonRpcServerOptions): Promise<ChainServer> {
  const { methods, authorization, errorStatus = () => 200 } = options
  return startHttpServer(async (request, body) => {
    if (authorization !== undefined && request.headers.authorization !== authorization)
      return { status: 401, type: 'text/plain', body: '' }
    const call = JSON.parse(body) as JsonRpcRequest
    const head = call.jsonrpc === '2.0' ? { jsonrpc: '2.0' } : {}
    try {
      const result = (await run(methods, call)) ?? null
      return json(200, { ...head, result, ...(head.jsonrpc ? {} : { error: null }), id: call.id ?? null })
    } catch (cause) {
      const { code, message, data } = failureOf(cause)
      const error = { code, message, ...(data === undefined ? {} : { data }) }
      const status = errorStatus({ jsonrpc: call.jsonrpc, code })
      return json(status, { ...head, ...(head.jsonrpc ? {} : { result: null }), error, id: call.id ?? null })
    }
  })
}

function run(methods: JsonRpcMethods, call: JsonRpcRequest): unknown {
  const method = typeof call.method === 'string' ? methods[call.method] : undefined
  if (method === undefined) throw new JsonRpcFailure(-32601, 'Method not found')
  return method(Array.isArray(call.params) ? call.params : [])
}

function failureOf(cause: unknown): JsonRpcFailure {
  return cause instanceof JsonRpcFailure ? cause : new JsonRpcFailure(-32603, `Internal error: ${String(cause)}`)
}

/** A number of JSON that is written as it is here, such as an amount with eight decimals. */
export function jsonNumber(digits: string): string {
  return `${digits}#number`
}

/** An answer in JSON, bigints with all their digits. */
export function json(status: number, value: unknown): HttpAnswer {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? jsonNumber(`${part}`) : part))
  return { status, type: 'application/json', body: text.replace(/"(-?[\d.]+)#number"/g, '$1') }
}

/** A balancer before two JSON-RPC servers: calls of some methods go to the second one, all others to the first. */
export function startBalancer(first: string, second: string, methods: readonly string[]): Promise<ChainServer> {
  return startHttpServer(async (_request, body) => {
    const { method } = JSON.parse(body) as JsonRpcRequest
    const target = methods.includes(String(method)) ? second : first
    const answer = await fetch(target, { method: 'POST', body })
    return { status: answer.status, type: 'application/json', body: await answer.text() }
  })
}
