import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a request on its way. */
export type TransportFault =
  /** It reaches nobody: the connection is taken and never answered. */
  | 'swallowed'
  /** The connection is reset when the request is read; the node never sees it. */
  | 'reset-before'
  /** The node gets it; its answer is never passed on. */
  | 'silent-after'
  /** The node gets it; the connection is reset in the middle of the answer. */
  | 'reset-mid-answer'
  /** The node gets it; the answer is many megabytes. */
  | 'oversize'
  /** The node gets it; the answer is not JSON. */
  | 'malformed'
  /** The node gets it; the answer is JSON, but that of another call. */
  | 'another-answer'
  /** It is sent elsewhere. */
  | 'redirect'
  /** A gateway answers in the node's place. */
  | 'unavailable'
  /** The node gets it; a gateway says that it failed. */
  | 'unavailable-after'

/** All of them. After those with `true` the node has the request. */
export const TRANSPORT_FAULTS = {
  swallowed: false,
  'reset-before': false,
  'silent-after': true,
  'reset-mid-answer': true,
  oversize: true,
  malformed: true,
  'another-answer': true,
  redirect: false,
  unavailable: false,
  'unavailable-after': true,
} as const satisfies Record<TransportFault, boolean>

/** A node behind a faulty line, on loopback. */
export type FaultyLine = {
  readonly url: string
  readonly setFault: (fault: TransportFault | null, requests: 'broadcast' | 'read' | 'all') => void
  /** Requests with an effect that were passed on to the node. */
  readonly countBroadcasts: () => number
  readonly stop: () => Promise<void>
}

/** Longer than every limit that the suite sets. */
const OVERSIZE_BYTES = 4_194_304

/** Puts a faulty line before a node. `isBroadcast` tells the requests that have an effect from the others. */
export async function startFaultyLine(
  target: string,
  isBroadcast: (request: { readonly method: string; readonly path: string; readonly body: string }) => boolean,
): Promise<FaultyLine> {
  let current: { fault: TransportFault; requests: 'broadcast' | 'read' | 'all' } | null = null
  let broadcasts = 0

  const pass = async (incoming: IncomingMessage, body: string): Promise<{ status: number; text: string }> => {
    const url = new URL(target)
    url.pathname = `${url.pathname.replace(/\/$/, '')}${incoming.url === '/' ? '' : incoming.url}`
    return new Promise((resolve, reject) => {
      const headers = { ...incoming.headers, host: url.host }
      const outgoing = request(url, { method: incoming.method ?? 'GET', headers, agent: false }, (answer) => {
        readText(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
      })
      outgoing.once('error', reject)
      outgoing.end(body)
    })
  }
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(incoming)
    const isEffect = isBroadcast({ method: incoming.method ?? 'GET', path: incoming.url ?? '/', body })
    const applies = current?.requests === 'all' || current?.requests === (isEffect ? 'broadcast' : 'read')
    const fault = current !== null && applies ? current.fault : null
    if (fault !== null && !TRANSPORT_FAULTS[fault]) return answerInstead(fault, incoming, response)
    if (isEffect) broadcasts += 1
    const answer = await pass(incoming, body)
    if (fault !== null) return spoilAnswer(fault, answer, incoming, response)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFault: (fault, requests) => {
      current = fault === null ? null : { fault, requests }
    },
    countBroadcasts: () => broadcasts,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readText(stream: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function answerInstead(fault: TransportFault, incoming: IncomingMessage, response: ServerResponse): void {
  if (fault === 'reset-before') incoming.socket.resetAndDestroy()
  if (fault === 'redirect') response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
  if (fault === 'unavailable') response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>busy</h1>')
}

function spoilAnswer(
  fault: TransportFault,
  answer: { readonly status: number; readonly text: string },
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
  if (fault === 'silent-after') return
  if (fault === 'unavailable-after') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>bad gateway</h1>')
  } else if (fault === 'another-answer') {
    response.writeHead(200).end('{"jsonrpc":"2.0","id":0,"result":"0x0"}')
  } else if (fault === 'malformed') {
    response.writeHead(200).end(`${answer.text.slice(0, -1)}`)
  } else if (fault === 'oversize') {
    response.writeHead(200).end(answer.text.padEnd(OVERSIZE_BYTES))
  } else {
    response.writeHead(200, { 'content-length': `${answer.text.length}` })
    response.write(answer.text.slice(0, answer.text.length >> 1), () => incoming.socket.resetAndDestroy())
  }
}
