import type { IncomingMessage } from 'node:http'
import { type Cid, cidCodec, isCid } from '@oikos/core'

/** In which form a block is asked for: as a file, as a bare block, or as an archive with all that its package needs. */
export type GatewayFormat = 'file' | 'raw' | 'car'

/** A request that can be answered, or the status and sentence that refuse it. */
export type GatewayRequest =
  | { readonly ok: true; readonly cid: Cid; readonly format: GatewayFormat; readonly follow: boolean }
  | { readonly ok: false; readonly status: 400 | 403 | 404 | 405 | 414; readonly message: string }

/** Longest target: a CID with its query is below 200. */
const MAX_TARGET = 1_024

/**
 * Reads a request. Only `/ipfs/<cid>` is there, in its one spelling; `format` in the query goes before `Accept`. Where the
 * gateway listens on loopback, a name other than that of loopback is refused: it is a page that made a name of its own point here.
 */
export function readGatewayRequest(request: IncomingMessage, isLoopback: boolean): GatewayRequest {
  const { method, url = '', headers } = request
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'only GET and HEAD')
  if (isLoopback && !isLoopbackHost(headers.host)) return refuse(403, 'this gateway answers to loopback names only')
  if (url.length > MAX_TARGET) return refuse(414, 'the target is too long')
  const match = /^\/ipfs\/([^/?#]+)\/?(?:\?([^#]*))?$/.exec(url)
  if (match?.[1] === undefined) return refuse(404, 'only /ipfs/<cid>')
  const cid = match[1]
  if (!isCid(cid)) return refuse(400, 'a CID of version 1 in base32, codec raw or dag-cbor, SHA-256')
  const query = new URLSearchParams(match[2] ?? '')
  const format = query.get('format') ?? formatOfAccept(headers.accept)
  const scope = query.get('dag-scope') ?? 'all'
  if (!isFormat(format)) return refuse(400, 'format: raw or car')
  if (scope !== 'all' && scope !== 'entity' && scope !== 'block') return refuse(400, 'dag-scope: all, entity or block')
  // a root is no file; its block is what a path without a format means
  return {
    ok: true,
    cid,
    format: format === 'file' && cidCodec(cid) === 'dag-cbor' ? 'raw' : format,
    follow: scope !== 'block',
  }
}

function isFormat(text: string): text is GatewayFormat {
  return text === 'file' || text === 'raw' || text === 'car'
}

function formatOfAccept(accept: string | undefined): GatewayFormat {
  if (accept?.includes('application/vnd.ipld.raw')) return 'raw'
  return accept?.includes('application/vnd.ipld.car') ? 'car' : 'file'
}

function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host)
}

function refuse(status: Extract<GatewayRequest, { ok: false }>['status'], message: string): GatewayRequest {
  return { ok: false, status, message }
}
