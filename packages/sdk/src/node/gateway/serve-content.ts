import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MAX_OBJECT_BYTES } from '@oikos/core'
import { OikosError } from '../../errors/oikos-error.ts'
import type { FolderStore } from '../content-store.ts'
import { answerBlock } from './answer-block.ts'
import { answerCar } from './answer-car.ts'
import { readGatewayRequest } from './gateway-request.ts'
import { createMemoryBudget } from './memory-budget.ts'
import { refuseRequest } from './refuse-request.ts'

/** Bounds of a gateway. */
export type GatewayLimits = {
  readonly maxBlockBytes: number
  /** Bytes of blocks that all answers hold together; beyond it a request gets 503. */
  readonly maxBytesInFlight: number
  readonly maxConnections: number
  /** Time for a whole request to arrive, and for a client to take its answer without a byte moving. */
  readonly timeoutMs: number
  /** Time for a whole answer, after which it is cut off: a client that takes a byte a second holds memory. */
  readonly answerMs: number
}

/** Four of the largest blocks at a time, and as many connections as a small machine has files for. */
export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  maxBlockBytes: MAX_OBJECT_BYTES,
  maxBytesInFlight: 4 * MAX_OBJECT_BYTES,
  maxConnections: 256,
  timeoutMs: 30_000,
  answerMs: 600_000,
}

/** What a gateway serves and to whom. */
export type GatewayOptions = {
  readonly store: FolderStore
  /** Address to listen on. Default 127.0.0.1, which nobody else reaches. */
  readonly host?: string
  /** Default 0, which is any free port. */
  readonly port?: number
  /** Value of `Access-Control-Allow-Origin`; default none, so that pages of others cannot probe what is here. */
  readonly allowOrigin?: string
  readonly limits?: Partial<GatewayLimits>
}

/** A gateway that runs. */
export type Gateway = {
  /** Base URL, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** Ends it: open answers are cut off. */
  readonly close: () => Promise<void>
}

/** The address of a gateway cannot be listened on. */
export class GatewayListenError extends OikosError {
  override readonly name = 'GatewayListenError'

  constructor(address: string, cause: unknown) {
    super(`The gateway cannot listen on ${address}.`, { advice: 'Name another host or port.', cause })
  }
}

/** Bytes of all headers of a request. */
const MAX_HEADER_BYTES = 8_192
/** Requests of one connection, after which the client connects anew. */
const MAX_REQUESTS_PER_CONNECTION = 1_000

/**
 * Serves a content store over HTTP: `GET` and `HEAD` of `/ipfs/<cid>`, with ranges, `ETag` and immutable caching, as a file,
 * a raw block or a CAR. Every block is compared with its CID before its first byte leaves. Content is hostile: nothing is
 * served as a page, and every answer forbids scripts, frames and sniffing. Source: IPFS path and trustless gateway specifications.
 * @throws {@link GatewayListenError}
 */
export async function serveContent(options: GatewayOptions): Promise<Gateway> {
  const limits = { ...DEFAULT_GATEWAY_LIMITS, ...options.limits }
  const host = options.host ?? '127.0.0.1'
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host)
  const budget = createMemoryBudget(limits.maxBytesInFlight)
  const context = { store: options.store, budget, maxBlockBytes: limits.maxBlockBytes }
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: limits.timeoutMs,
      headersTimeout: limits.timeoutMs,
      keepAliveTimeout: 5_000,
    },
    (request, response) => {
      const deadline = setTimeout(() => response.destroy(), limits.answerMs)
      response.once('close', () => clearTimeout(deadline))
      hardenAnswer(response, options.allowOrigin)
      const asked = readGatewayRequest(request, isLoopback)
      if (!asked.ok) return refuseRequest(response, asked.status, asked.message)
      const answer = asked.format === 'car' ? answerCar : answerBlock
      answer(context, { ...asked, request, response }).catch(() => {
        // the store failed: say so while that is possible, else cut the answer off, which no client takes for whole
        if (response.headersSent) response.destroy()
        else refuseRequest(response, 500, 'the block cannot be read here')
      })
    },
  )
  server.maxConnections = limits.maxConnections
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION
  server.setTimeout(limits.timeoutMs)
  await listen(server, host, options.port ?? 0)
  const { address, port, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function hardenAnswer(response: ServerResponse, allowOrigin: string | undefined): void {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'; form-action 'none'; sandbox",
  )
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Resource-Policy', allowOrigin === undefined ? 'same-origin' : 'cross-origin')
  if (allowOrigin === undefined) return
  response.setHeader('Access-Control-Allow-Origin', allowOrigin)
  response.setHeader('Access-Control-Expose-Headers', 'Content-Length, Content-Range, ETag')
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => reject(new GatewayListenError(`${host}:${port}`, cause))
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
}
