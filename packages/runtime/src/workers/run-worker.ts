import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { createFrameReader } from './child/frames.ts'
import type { Isolation } from './isolation.ts'
import { launchCommand } from './launch.ts'
import { packOrder } from './order-stream.ts'
import { readReply } from './read-reply.ts'
import type { Worker, WorkFailureCode, WorkLimits, WorkOrder, WorkOutcome } from './worker.ts'

/** The end of what a worker wrote to standard error, for a message; bytes. */
const KEPT_ERROR_BYTES = 8 * 1024
/** Longest wait for the pipes of a process that was killed. */
const CLOSING_MS = 2_000

type Child = ChildProcessByStdio<Writable, Readable, Readable>
type Failure = Extract<WorkOutcome, { readonly ok: false }>
type Ending = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }

function failed(code: WorkFailureCode, message: string): Failure {
  return { ok: false, code, message }
}

/** Runs one worker on one order in a process group of its own, which is gone when this returns. Never throws. */
export async function runWorker(
  worker: Worker,
  order: WorkOrder,
  limits: WorkLimits,
  isolation: Isolation,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  if (signal.aborted) return failed('worker.cancelled', 'it was cancelled before it began')
  const stream = packOrder(order)
  if (stream === undefined) return failed('worker.refused', 'the order is larger than a worker takes')
  let child: Child
  try {
    const { program, args, env } = launchCommand(worker, limits, isolation)
    child = spawn(program, args, { env, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  } catch (cause) {
    return failed('worker.crashed', `the process could not be started: ${messageOf(cause)}`)
  }
  return await attend(child, stream, limits, signal)
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Feeds the process, watches its limits, and judges what it sent once it has ended. */
async function attend(
  child: Child,
  stream: readonly Uint8Array[],
  { timeoutMs, outputBytes }: WorkLimits,
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const reader = createFrameReader(outputBytes)
  const errors = createTail(KEPT_ERROR_BYTES)
  let ended: Failure | undefined
  const end = (code: WorkFailureCode, message: string): void => {
    ended ??= failed(code, message)
    // the number of a process that is gone may be another's by now
    if (child.exitCode === null && child.signalCode === null) killGroup(child)
  }
  const onAbort = (): void => end('worker.cancelled', 'it was cancelled')
  const timer = setTimeout(() => end('worker.timeout', `it was not done after ${timeoutMs} ms`), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  child.stdout.on('data', (chunk: Buffer) => {
    const isOver = ended === undefined && reader.push(chunk) !== undefined
    if (isOver) end('worker.output-too-large', `it sent more than ${outputBytes} bytes`)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.push(chunk) > outputBytes) end('worker.output-too-large', `it printed more than ${outputBytes} bytes`)
  })
  // A worker may end before it has read everything.
  child.stdin.on('error', () => {})
  for (const part of stream) child.stdin.write(part)
  child.stdin.end()
  try {
    const ending = await endingOf(child)
    return ended ?? judge(reader.end(), ending, errors.text())
  } catch (cause) {
    return failed('worker.crashed', `the process could not be started: ${messageOf(cause)}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function judge(
  frames: ReturnType<ReturnType<typeof createFrameReader>['end']>,
  ending: Ending,
  errors: string,
): WorkOutcome {
  if (ending.exitCode !== 0 || ending.signal !== null) {
    if (/out of memory|allocation failed|bad_alloc|Cannot allocate memory/i.test(errors))
      return failed('worker.memory', 'it used more memory than it may')
    const how = ending.signal === null ? `with exit code ${ending.exitCode}` : `by ${ending.signal}`
    return failed('worker.crashed', `it ended ${how}`)
  }
  if (typeof frames === 'string') return failed('worker.output-malformed', `what the worker sent is ${frames}`)
  return readReply(frames)
}

/**
 * Waits until the process has ended and its pipes are closed. What it left in its group is ended with it, and pipes that somebody
 * else holds open are closed here.
 */
function endingOf(child: Child): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => {
      killGroup(child)
      child.stdin.destroy()
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, CLOSING_MS).unref()
    })
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

/** Ends the process and all that share its group; it leads a group of its own. */
function killGroup({ pid }: Child): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group is gone already.
  }
}

/** Keeps the last bytes of a stream; `push` returns how many there were in all. */
function createTail(keptBytes: number) {
  let kept: Buffer = Buffer.alloc(0)
  let total = 0
  return {
    push: (chunk: Buffer): number => {
      total += chunk.length
      kept = Buffer.concat([kept, chunk]).subarray(-keptBytes)
      return total
    },
    text: (): string => kept.toString('utf8'),
  }
}
