import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Cid, cidCodec } from '@oikos/core'
import type { FolderStore } from '../content-store.ts'
import { CorruptBlockError } from '../errors.ts'
import { readByteRange } from './byte-range.ts'
import type { GatewayFormat } from './gateway-request.ts'
import { mediaTypeOf } from './media-type.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { refuseRequest } from './refuse-request.ts'

/** What answers are made from. */
export type AnswerContext = {
  readonly store: FolderStore
  readonly budget: MemoryBudget
  readonly maxBlockBytes: number
}

/** One request that can be answered. */
export type Asked = {
  readonly cid: Cid
  readonly format: GatewayFormat
  readonly follow: boolean
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A year, the longest that caches take seriously; a CID never gets other bytes. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Answers with a block or a range of it. */
export async function answerBlock(context: AnswerContext, asked: Asked): Promise<void> {
  const { store, budget, maxBlockBytes } = context
  const { cid, format, request, response } = asked
  const state = await store.stat(cid)
  if (state === undefined) return refuseRequest(response, 404, 'not here')
  if (state.sizeBytes > maxBlockBytes) return refuseRequest(response, 413, 'the block is above the limit')
  const tag = format === 'raw' ? `"${cid}.raw"` : `"${cid}"`
  setImmutable(response, cid, tag)
  if (matchesTag(request.headers['if-none-match'], tag)) return endEmpty(response, 304)
  if (!budget.take(state.sizeBytes)) return refuseRequest(response, 503, 'busy')
  response.once('close', () => budget.give(state.sizeBytes))
  const bytes = await readIntact(store, cid, maxBlockBytes)
  if (bytes === undefined) return refuseRequest(response, 500, 'the block is damaged here')
  describeBlock(response, cid, format, bytes)
  const conditional = request.headers['if-range']
  const header = conditional === undefined || conditional === tag ? request.headers.range : undefined
  const range = request.method === 'HEAD' ? undefined : readByteRange(header, bytes.length)
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${bytes.length}`)
    return refuseRequest(response, 416, 'the range names no byte')
  }
  const part = range === undefined ? bytes : bytes.subarray(range.first, range.last + 1)
  if (range !== undefined) {
    response.statusCode = 206
    response.setHeader('Content-Range', `bytes ${range.first}-${range.last}/${bytes.length}`)
  }
  response.setHeader('Content-Length', part.length)
  response.end(request.method === 'HEAD' ? undefined : part)
}

/** Marks an answer as one that never changes. */
export function setImmutable(response: ServerResponse, cid: Cid, tag: string): void {
  response.setHeader('Cache-Control', IMMUTABLE)
  response.setHeader('ETag', tag)
  response.setHeader('Vary', 'Accept')
  response.setHeader('X-Ipfs-Path', `/ipfs/${cid}`)
}

/** Whether a client has the representation already. Source: RFC 9110, section 13.1.2. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === tag)
}

/** Ends an answer that has no body. */
export function endEmpty(response: ServerResponse, status: number): void {
  response.statusCode = status
  response.end()
}

function describeBlock(response: ServerResponse, cid: Cid, format: GatewayFormat, bytes: Uint8Array): void {
  response.setHeader('Accept-Ranges', 'bytes')
  const codec = cidCodec(cid)
  if (format === 'raw') {
    response.setHeader('Content-Type', 'application/vnd.ipld.raw')
    response.setHeader('Content-Disposition', `attachment; filename="${cid}.bin"`)
    return
  }
  const type = mediaTypeOf(bytes, codec)
  response.setHeader('Content-Type', type)
  const isShown = type.startsWith('text/plain') || type === 'application/json'
  response.setHeader('Content-Disposition', isShown ? 'inline' : `attachment; filename="${cid}.bin"`)
}

async function readIntact(store: FolderStore, cid: Cid, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await store.get(cid, { maxBytes })
  } catch (cause) {
    if (cause instanceof CorruptBlockError) return undefined
    throw cause
  }
}
