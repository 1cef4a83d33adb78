import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Where clients speak to the server. */
const PATH = '/mcp'
/** Bytes of one request; arguments are small. */
const MAX_REQUEST_BYTES = 262_144
/** Requests at the same time, connections at the same time. */
const MAX_REQUESTS = 32
const MAX_CONNECTIONS = 64
/** Milliseconds that a client may take to send a request. */
const REQUEST_TIMEOUT_MS = 30_000

/** A server that listens. */
export type HttpEndpoint = { readonly url: string; readonly close: () => Promise<void> }

/**
 * Serves Streamable HTTP on 127.0.0.1, without sessions. A request is answered when its `Host` is this endpoint, its `Origin`
 * is absent or this endpoint, and its bearer token is the right one: a web page whose name was rebound to this machine has
 * neither. Throws what listening throws.
 */
export async function serveHttp(
  createMcp: () => McpServer,
  options: { readonly port: number; readonly token: string },
): Promise<HttpEndpoint> {
  let running = 0
  let hosts: readonly string[] = []
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, hosts, options.token)
    if (refusal !== undefined) return answer(request, response, ...refusal)
    if (running >= MAX_REQUESTS) return answer(request, response, 503, 'Too many requests at the same time.')
    running += 1
    response.once('close', () => {
      running -= 1
    })
    handle(createMcp(), request, response).catch(() => {
      if (!response.headersSent) answer(request, response, 500, 'The request failed.')
      else response.destroy()
    })
  })
  server.maxConnections = MAX_CONNECTIONS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: options.port }, resolve)
  })
  const { port } = server.address() as AddressInfo
  hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Refusal = readonly [status: number, message: string, headers?: Readonly<Record<string, string>>]

/** Why a request is not answered; first who speaks through which name, then whether it may, then what it wants. */
function refusalOf(
  { headers, url, method }: IncomingMessage,
  hosts: readonly string[],
  token: string,
): Refusal | undefined {
  const { host, origin, authorization } = headers
  if (host === undefined || !hosts.includes(host)) return [403, 'The Host is not this endpoint.']
  if (origin !== undefined && !hosts.some((name) => origin === `http://${name}`)) {
    return [403, 'Web pages of this origin are not answered.']
  }
  if (!isSame(authorization ?? '', `Bearer ${token}`)) {
    return [401, 'The bearer token is missing or wrong.', { 'www-authenticate': 'Bearer' }]
  }
  if (url !== PATH) return [404, `There is only ${PATH}.`]
  return method === 'POST' ? undefined : [405, 'There are no sessions: only POST.', { allow: 'POST' }]
}

/** Compares in a time that does not depend on where two texts differ. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

async function handle(mcp: McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const transport = new StreamableHTTPServerTransport({ maxRequestBodySize: MAX_REQUEST_BYTES })
  // who hangs up wants no answer: what runs for it is aborted
  response.once('close', () => void mcp.close())
  // the declaration of the class allows an explicit undefined, that of the interface does not
  await mcp.connect(transport as Transport)
  await transport.handleRequest(request, response)
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })
  // the rest of a body that nobody reads would be taken for the next request
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(body)
  request.resume()
}
