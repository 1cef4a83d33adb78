import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { OikosError, toOikosError } from '@oikos/sdk'
import { BaseError } from 'viem'
import type { z } from 'zod'
import { plainLines } from '../../output/plain.ts'
import type { Reach } from './reach.ts'

/** What a call is about beside its arguments. */
export type Call = {
  /** Aborted when the caller cancels, the deadline passes, or the server ends. */
  readonly signal: AbortSignal
  readonly progress: (done: number, message: string) => void
}

/** A value of a schema of results, in which decimal text may still be a bigint. */
export type Loose<T> = T extends string
  ? T | bigint
  : T extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Loose<T[Key]> }
      : T

/** One tool: what a model reads about it, what it takes and gives, what it does. */
export type Tool<Input extends z.ZodObject, Output extends z.ZodObject> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** `reads` changes nothing; `writes-files` adds files in folders that the operator named, and overwrites none. */
  readonly effects: 'reads' | 'writes-files'
  /** Most time that a call may take, in milliseconds. */
  readonly deadlineMs: number
  readonly run: (reach: Reach, input: z.output<Input>, call: Call) => Promise<Loose<z.output<Output>>>
}

/** Calls of one process that run at the same time. */
const MAX_RUNNING = 8
/** Characters of one result; a model reads no more, and a stranger decides about much of it. */
const MAX_RESULT_CHARACTERS = 200_000
/** Characters of the sentences of an error. */
const MAX_ERROR_CHARACTERS = 1_000

/** How many calls run now. */
export type Load = { running: number }

/** Puts a tool on a server. */
export function addTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  reach: Reach,
  load: Load,
  tool: Tool<Input, Output>,
): void {
  const isReading = tool.effects === 'reads'
  const annotations: ToolAnnotations = {
    title: tool.title,
    readOnlyHint: isReading,
    destructiveHint: false,
    idempotentHint: isReading,
    // a chain, gateways and texts of strangers
    openWorldHint: true,
  }
  const about = { title: tool.title, description: tool.description, annotations }
  const schemas = { inputSchema: tool.input as z.ZodObject, outputSchema: tool.output as z.ZodObject }
  server.registerTool(tool.name, { ...about, ...schemas }, async (input, extra) => {
    if (load.running >= MAX_RUNNING) {
      const busy = `${MAX_RUNNING} calls are running.`
      return failed({ name: 'BusyError', message: busy, remedy: 'Call again when one has ended.', retryable: true })
    }
    const deadline = AbortSignal.timeout(tool.deadlineMs)
    const signal = AbortSignal.any([extra.signal, reach.signal, deadline])
    const token = extra._meta?.progressToken
    const progress: Call['progress'] = (done, message) => {
      if (token === undefined) return
      const params = { progressToken: token, progress: done, message }
      // a client that is gone needs no progress
      extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {})
    }
    load.running += 1
    try {
      return succeeded(await orAborted(tool.run(reach, input as z.output<Input>, { signal, progress }), signal))
    } catch (error) {
      if (!deadline.aborted) return failed(explain(error))
      const message = `The call took longer than ${tool.deadlineMs / 1_000} seconds.`
      return failed({ name: 'DeadlineError', message, remedy: 'Ask for less at once.', retryable: true })
    } finally {
      load.running -= 1
    }
  })
}

/** What went wrong, with what to do. */
type Explained = {
  readonly name: string
  readonly message: string
  readonly remedy: string
  readonly retryable: boolean
}

function explain(thrown: unknown): Explained {
  const error = thrown instanceof BaseError ? toOikosError(thrown) : thrown
  if (error instanceof OikosError) {
    const { name, shortMessage: message, advice: remedy, retryable } = error
    return { name, message, remedy, retryable }
  }
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), remedy: '', retryable: false }
  const retryable = 'retryable' in error && error.retryable === true
  return { name: error.name, message: error.message, remedy: '', retryable }
}

function succeeded(value: unknown): CallToolResult {
  const data = toData(value) as Record<string, unknown>
  const text = JSON.stringify(data)
  if (text.length > MAX_RESULT_CHARACTERS) {
    const message = `The result has ${text.length} characters; at most ${MAX_RESULT_CHARACTERS} are given.`
    return failed({ name: 'ResultTooLargeError', message, remedy: 'Ask for a smaller page.', retryable: false })
  }
  return { content: [{ type: 'text', text }], structuredContent: data }
}

function failed(error: Explained): CallToolResult {
  const text = (value: string): string => plainLines(value.slice(0, MAX_ERROR_CHARACTERS))
  const { name, retryable } = error
  const shown = { error: { name, message: text(error.message), remedy: text(error.remedy), retryable } }
  return { content: [{ type: 'text', text: JSON.stringify(shown) }], isError: true }
}

/** Bigint as decimal text; every text without controls, whoever wrote it. */
function toData(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return plainLines(value)
  if (Array.isArray(value)) return value.map(toData)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([key, member]) => [key, toData(member)]))
}

/** Ends with the signal, where what is waited for does not listen to it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
