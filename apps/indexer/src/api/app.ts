import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { toCsv } from './csv.ts'
import { RestFailure } from './failure.ts'
import { openApiDocument } from './openapi.ts'
import { type Route, routes } from './routes.ts'
import type { Sources } from './rows.ts'
import { LiveFeed, streamResponse } from './stream.ts'

/** Longest time that one answer may take, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000

/** Longest URL that is looked at. */
const MAX_URL_LENGTH = 4_096

/** Longest body of a GraphQL question, in bytes. */
const MAX_BODY_BYTES = 65_536

/** The REST surface: read only, without a login, the same for everybody. */
export function createRest(sources: Sources): Hono {
  const app = new Hono()
  const feed = new LiveFeed(sources)
  const document = JSON.stringify(openApiDocument())
  const documentEtag = etagOf(document)

  app.use(async (c, next) => {
    if (c.req.url.length > MAX_URL_LENGTH)
      throw new RestFailure('bad_request', `A URL has ${MAX_URL_LENGTH} characters at most.`)
    const length = Number(c.req.header('content-length') ?? 0)
    // a body without a length could be of any
    const isUnmeasured = c.req.header('transfer-encoding') !== undefined
    if (length > MAX_BODY_BYTES || isUnmeasured) {
      throw new RestFailure('body_too_large', `A body has ${MAX_BODY_BYTES} bytes at most, and says so.`)
    }
    await next()
    c.res.headers.set('x-content-type-options', 'nosniff')
  })

  for (const route of routes) app.get(route.path, (c) => answer(c, route, sources))
  app.get('/v1/events', () => streamResponse(feed))
  app.get('/v1/openapi.json', (c) => respond(c, document, 'application/json', documentEtag))
  app.all('/v1/*', (c) => {
    const known =
      c.req.method !== 'GET' &&
      [...routes.map(({ path }) => path), '/v1/events', '/v1/openapi.json'].some((path) => matches(path, c.req.path))
    if (known) throw new RestFailure('method_not_allowed', `${c.req.method} is not answered here; GET is.`)
    throw new RestFailure('not_found', 'There is nothing here. /v1/openapi.json names what there is.')
  })
  app.onError((error, c) => {
    const failure = error instanceof RestFailure ? error : new RestFailure('internal', 'The answer could not be made.')
    if (!(error instanceof RestFailure))
      console.error(`REST ${c.req.path.slice(0, 200)}: ${String(error).slice(0, 500)}`)
    return c.json(failure.body, failure.status)
  })
  return app
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`).test(path)
}

/** An answer as it is sent. */
type Made = {
  readonly text: string
  readonly etag: string
  readonly nextCursor: string | null
  readonly isCsv: boolean
}

/** Answers that are being made, by path and query: the same for everybody, so whoever asks meanwhile gets the same one. */
const making = new Map<string, Promise<Made>>()

async function answer(c: Context, route: Route, sources: Sources): Promise<Response> {
  const url = new URL(c.req.url)
  const key = url.pathname + url.search
  const path = c.req.param() as Record<string, string>
  const made = making.get(key) ?? make(route, sources, url, path).finally(() => making.delete(key))
  making.set(key, made)
  // an answer that hangs is not waited for by those who ask later
  const forget = (): boolean => making.delete(key)
  const { text, etag, nextCursor, isCsv } = await inTime(made, forget)
  if (!isCsv) return respond(c, text, 'application/json', etag)
  if (nextCursor !== null) c.header('x-next-cursor', nextCursor)
  c.header('content-disposition', `attachment; filename="${route.name}.csv"`)
  return respond(c, text, 'text/csv; charset=utf-8', etag)
}

async function make(route: Route, sources: Sources, url: URL, path: Readonly<Record<string, string>>): Promise<Made> {
  const body = await route.answer(sources, url, path)
  const isCsv = route.isList && url.searchParams.get('format') === 'csv'
  const { items, nextCursor } = body as { items: object[]; nextCursor: string | null }
  const text = isCsv ? toCsv(items) : JSON.stringify(body)
  return { text, etag: etagOf(text), nextCursor: isCsv ? nextCursor : null, isCsv }
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** The text, or 304 where the reader has it already. Readers may keep it and must ask again. */
function respond(c: Context, text: string, type: string, etag: string): Response {
  c.header('etag', etag)
  c.header('cache-control', 'no-cache')
  c.header('access-control-expose-headers', 'etag, x-next-cursor')
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  return c.body(text, 200, { 'content-type': type })
}

async function inTime<value>(work: Promise<value>, onLate: () => void): Promise<value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const failure = new RestFailure('timeout', `No answer within ${ANSWER_TIMEOUT_MS / 1_000} s; ask for less.`)
    timer = setTimeout(() => {
      onLate()
      reject(failure)
    }, ANSWER_TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
