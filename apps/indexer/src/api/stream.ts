import { and, asc, desc, eq, gt, inArray, lt } from 'ponder'
import type { StreamMessage } from '../rest/types.ts'
import { type Indexed, readIndexed } from './clock.ts'
import { RestFailure } from './failure.ts'
import { type Sources, tables } from './rows.ts'
import { showActivity } from './status-routes.ts'

/** Streams of one process, and what one of them may have waiting before it is cut: its reader is too slow. */
const MAX_STREAMS = 500
const MAX_WAITING = 2_000

/** Milliseconds between two looks at the tables; one look serves all streams. */
const LOOK_MS = 500

/** Events of one look; what is left comes with the next. */
const MAX_EVENTS = 500

/** Seconds of the past in which a vanished event is noticed: deeper than any reorganisation that is followed. */
const WATCHED_SEC = 3_600
const MAX_WATCHED = 10_000

/** A comment at this interval keeps proxies from closing a silent stream. */
const KEEP_ALIVE_MS = 15_000

type Watched = { readonly chainId: number; readonly timeSec: number; readonly block: number }
type Listener = (message: StreamMessage) => void

/** Tells what happens, and what a reorganisation took back, to any number of streams from one look at the tables. */
export class LiveFeed {
  readonly #sources: Sources
  readonly #listeners = new Set<Listener>()
  readonly #watched = new Map<string, Watched>()
  #heads = new Map<number, Indexed>()
  /** The newest event that was told, by chain: clocks of chains run apart, so one mark for all would lose some. */
  readonly #last = new Map<number, string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Joins the feed. Throws RestFailure when too many have. */
  join(listener: Listener): () => void {
    if (this.#listeners.size >= MAX_STREAMS) {
      throw new RestFailure(
        'too_many_streams',
        `${MAX_STREAMS} streams are open; ask again later or poll /v1/activity.`,
      )
    }
    this.#listeners.add(listener)
    for (const head of this.#heads.values()) listener({ type: 'head', ...head })
    this.#schedule(0)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #schedule(pauseMs: number): void {
    this.#timer ??= setTimeout(async () => {
      try {
        await this.look()
      } catch {
        // the tables do not answer now; the next look finds what this one missed
      }
      this.#timer = undefined
      if (this.#listeners.size > 0) this.#schedule(LOOK_MS)
    }, pauseMs)
    this.#timer.unref()
  }

  /** One look at the tables. */
  async look(): Promise<void> {
    const { db } = this.#sources
    const { activity: t } = tables
    const heads = await readIndexed(db)
    await this.#tellRemoved()
    for (const { chainId } of heads) {
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.chainId, chainId), gt(t.id, await this.#lastOf(chainId))))
        .orderBy(asc(t.id))
        .limit(MAX_EVENTS)
      for (const row of rows) {
        this.#last.set(chainId, row.id)
        if (this.#watched.has(row.id)) continue
        this.#watched.set(row.id, row)
        this.#tell({ type: 'activity', activity: showActivity(row) })
      }
    }
    for (const head of heads) {
      const before = this.#heads.get(head.chainId)
      if (before?.block !== head.block || before.timeSec !== head.timeSec) this.#tell({ type: 'head', ...head })
    }
    this.#heads = new Map(heads.map((head) => [head.chainId, head]))
  }

  async #tellRemoved(): Promise<void> {
    const newestSec = Math.max(0, ...[...this.#heads.values()].map(({ timeSec }) => timeSec))
    for (const [id, { timeSec }] of this.#watched) {
      if (timeSec >= newestSec - WATCHED_SEC && this.#watched.size <= MAX_WATCHED) break
      this.#watched.delete(id)
    }
    if (this.#watched.size === 0) return
    const ids = [...this.#watched.keys()]
    const { activity: t } = tables
    const there = await this.#sources.db.select({ id: t.id }).from(t).where(inArray(t.id, ids))
    const kept = new Set(there.map(({ id }) => id))
    for (const [id, { chainId, block }] of this.#watched) {
      if (kept.has(id)) continue
      this.#watched.delete(id)
      this.#tell({ type: 'removed', id, chainId })
      // blocks that replace others may be older than those, so what comes is looked for from before the fork on
      const last = await this.#newestBefore(chainId, block)
      if (last < (await this.#lastOf(chainId))) this.#last.set(chainId, last)
    }
  }

  async #lastOf(chainId: number): Promise<string> {
    const last = this.#last.get(chainId) ?? (await this.#newestBefore(chainId, Number.MAX_SAFE_INTEGER))
    this.#last.set(chainId, last)
    return last
  }

  /** The newest event of a chain before a block; before all others where there is none. */
  async #newestBefore(chainId: number, block: number): Promise<string> {
    const { activity: t } = tables
    const [newest] = await this.#sources.db
      .select({ id: t.id })
      .from(t)
      .where(and(eq(t.chainId, chainId), lt(t.block, block)))
      .orderBy(desc(t.block), desc(t.logIndex))
      .limit(1)
    return newest?.id ?? ''
  }

  #tell(message: StreamMessage): void {
    for (const listener of this.#listeners) listener(message)
  }
}

/** The response that carries a feed to one reader. */
export function streamResponse(feed: LiveFeed): Response {
  const encoder = new TextEncoder()
  let leave: (() => void) | undefined
  let keepAlive: ReturnType<typeof setInterval> | undefined
  const end = (): void => {
    leave?.()
    clearInterval(keepAlive)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const send = (text: string): void => {
          if ((controller.desiredSize ?? 0) < -MAX_WAITING) {
            end()
            controller.close()
          } else controller.enqueue(encoder.encode(text))
        }
        leave = feed.join((message) => {
          const id = message.type === 'activity' ? `id: ${message.activity.id}\n` : ''
          send(`event: ${message.type}\n${id}data: ${JSON.stringify(message)}\n\n`)
        })
        send(': oikos\n\n')
        keepAlive = setInterval(() => send(': alive\n\n'), KEEP_ALIVE_MS)
        keepAlive.unref()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  return new Response(body, { headers })
}
