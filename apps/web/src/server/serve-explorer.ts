import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CONTENT_HEADERS, PAGE_HEADERS } from './headers.ts'
import { readSite, type SiteFile } from './site-files.ts'

/** A chain that the page may reach through this server. */
export type ExplorerChain = {
  readonly chainId: number
  readonly network: string
  /** JSON-RPC over HTTP. */
  readonly rpcUrl: string
  /** Whether everybody knows the keys of its test accounts. */
  readonly hasTestAccounts: boolean
  readonly taskTokens: readonly string[]
  readonly agentFactories: readonly string[]
}

/** What the explorer is served from. */
export type ExplorerOptions = {
  readonly chains: readonly ExplorerChain[]
  /** Where the index answers, such as `http://127.0.0.1:42069`. */
  readonly apiUrl: string
  /** A gateway that serves `/ipfs/<cid>`. */
  readonly gatewayUrl: string
  /** Folder that `buildExplorer` wrote. */
  readonly siteFolder: string
  /** Default 0: any free one. */
  readonly port?: number
  /** Default loopback. */
  readonly host?: string
}

/** A running explorer. */
export type Explorer = { readonly url: string; readonly stop: () => Promise<void> }

/** Longest body that is passed on, in bytes: a transaction with call data is far below. */
const MAX_BODY_BYTES = 512 * 1024
/** Longest time that another server may take to begin its answer. */
const ANSWER_TIMEOUT_MS = 30_000

/** Methods of JSON-RPC that a page needs; a node's own administration is not among them. */
const RPC_METHODS: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_fillTransaction',
  'net_version',
  'web3_clientVersion',
])

/**
 * Serves the explorer on one address: the page, and behind `/api`, `/rpc/<chain>` and `/ipfs` what it reads, so that a page
 * needs to reach nothing else. Throws where the site was not built.
 */
export async function serveExplorer(options: ExplorerOptions): Promise<Explorer> {
  const site = await readSite(options.siteFolder)
  const config = JSON.stringify({
    gatewayPath: '/ipfs',
    chains: options.chains.map(({ rpcUrl: _, ...chain }) => ({ ...chain, rpcPath: `/rpc/${chain.chainId}` })),
  })
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, { options, site, config }).catch(() => {
      if (!outgoing.headersSent) fail(outgoing, 502, 'what stands behind this page does not answer')
      else outgoing.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const { port, address } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Context = {
  readonly options: ExplorerOptions
  readonly site: ReadonlyMap<string, SiteFile>
  readonly config: string
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, context: Context): Promise<void> {
  const { options, site, config } = context
  const url = new URL(incoming.url ?? '/', 'http://explorer.invalid')
  const { pathname } = url
  if (pathname.startsWith('/rpc/')) return answerRpc(incoming, outgoing, options, pathname.slice('/rpc/'.length))
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return fail(outgoing, 405, 'only GET and HEAD')
  if (pathname.startsWith('/api/'))
    return pass(incoming, outgoing, new URL(pathname.slice('/api'.length) + url.search, options.apiUrl), {
      'x-content-type-options': 'nosniff',
    })
  if (pathname.startsWith('/ipfs/'))
    return pass(incoming, outgoing, new URL(pathname + url.search, options.gatewayUrl), CONTENT_HEADERS)
  if (pathname === '/config.json') return send(incoming, outgoing, 200, 'application/json', config, 'no-store')
  const file = site.get(pathname) ?? (pathname.includes('.') ? undefined : site.get('/index.html'))
  if (file === undefined) return fail(outgoing, 404, 'there is nothing here')
  if (file.brotli !== undefined && acceptsBrotli(incoming)) {
    outgoing.setHeader('content-encoding', 'br')
    outgoing.setHeader('vary', 'accept-encoding')
    return send(incoming, outgoing, 200, file.type, file.brotli, file.cacheControl)
  }
  return send(incoming, outgoing, 200, file.type, file.bytes, file.cacheControl)
}

function acceptsBrotli({ headers }: IncomingMessage): boolean {
  return /(^|[\s,])br([\s,;]|$)/.test(String(headers['accept-encoding'] ?? ''))
}

function send(
  { method }: IncomingMessage,
  outgoing: ServerResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
  cacheControl: string,
): void {
  outgoing.writeHead(status, {
    ...PAGE_HEADERS,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': cacheControl,
  })
  outgoing.end(method === 'HEAD' ? undefined : body)
}

function fail(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { ...PAGE_HEADERS, 'content-type': 'application/json', 'cache-control': 'no-store' })
  outgoing.end(JSON.stringify({ error: { code: 'unavailable', message, retryable: status >= 500 } }))
}

/** Passes a request on and its answer back, as it comes: streams stay streams. */
function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: URL,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { accept, range, 'if-none-match': tag, 'last-event-id': lastEvent } = incoming.headers
    const kept = { accept, range, 'if-none-match': tag, 'last-event-id': lastEvent }
    const sent = Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
    const onward = request(target, {
      method: incoming.method ?? 'GET',
      headers:
        body === undefined ? sent : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      timeout: ANSWER_TIMEOUT_MS,
    })
    onward.once('response', (response) => {
      onward.setTimeout(0)
      for (const name of [
        'content-type',
        'content-length',
        'content-range',
        'cache-control',
        'etag',
        'vary',
        'accept-ranges',
      ])
        if (response.headers[name] !== undefined) outgoing.setHeader(name, response.headers[name])
      for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
      outgoing.writeHead(response.statusCode ?? 502)
      response.pipe(outgoing)
      response.once('error', reject)
      response.once('end', resolve)
    })
    onward.once('timeout', () => onward.destroy(new Error('timeout')))
    onward.once('error', reject)
    outgoing.once('close', () => {
      onward.destroy()
      resolve()
    })
    onward.end(body)
  })
}

/** JSON-RPC of a node, for the methods that a page needs. */
async function answerRpc(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { chains }: ExplorerOptions,
  chainId: string,
): Promise<void> {
  const chain = chains.find((known) => String(known.chainId) === chainId)
  if (chain === undefined) return fail(outgoing, 404, 'this page is not connected to that chain')
  if (incoming.method !== 'POST') return fail(outgoing, 405, 'only POST')
  if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? ''))
    return fail(outgoing, 415, 'only application/json')
  const body = await readBody(incoming)
  if (body === undefined) return fail(outgoing, 413, `at most ${MAX_BODY_BYTES} bytes`)
  if (!isAllowed(body)) return fail(outgoing, 403, 'that method is not for pages')
  return pass(incoming, outgoing, new URL(chain.rpcUrl), { 'x-content-type-options': 'nosniff' }, body)
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isAllowed(body: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body)
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    return calls.length > 0 && calls.every((call: { method?: unknown } | null) => RPC_METHODS.has(String(call?.method)))
  } catch {
    return false
  }
}
