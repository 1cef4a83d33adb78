import { createFrameReader, packFrame } from './frames.ts'
import { installGuard } from './guard.ts'
import { headerBytes, productPayloads, type ReplyHeader, readOrder } from './messages.ts'

/**
 * The process in which one worker does one order: the order comes on standard input, the product leaves on standard output.
 * Arguments: the URL of the worker's module, and `guard-all`, `guard-reach` or `no-guard`.
 */
const [, , moduleUrl = '', guard = 'guard-all'] = process.argv

/** The parent sends orders of 64 MiB at most. */
const MAX_ORDER_STREAM_BYTES = 2 ** 31 - 1
const MAX_MESSAGE_CHARACTERS = 500

const write = process.stdout.write.bind(process.stdout) as (bytes: Uint8Array, done: () => void) => boolean
// What a worker prints is no part of the protocol.
for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) console[name] = console.error

async function main(): Promise<void> {
  const order = readOrder(await readInput())
  if (guard !== 'no-guard') installGuard(guard === 'guard-reach')
  const { work } = (await import(moduleUrl)) as { work(order: unknown): unknown }
  await reply(productPayloads((await work(order)) as Parameters<typeof productPayloads>[0]))
}

async function readInput(): Promise<readonly Uint8Array[]> {
  const reader = createFrameReader(MAX_ORDER_STREAM_BYTES)
  for await (const chunk of process.stdin) reader.push(chunk as Uint8Array)
  const frames = reader.end()
  if (typeof frames === 'string') throw new Error(`the order is ${frames}`)
  return frames
}

async function reply(payloads: readonly Uint8Array[]): Promise<void> {
  for (const part of payloads.flatMap(packFrame)) await new Promise<void>((done) => write(part, done))
}

function failure(error: unknown): ReplyHeader {
  if (!(error instanceof Error)) return { kind: 'crashed', message: 'the worker threw something that is no error' }
  const message = `${error.name}: ${error.message}`.slice(0, MAX_MESSAGE_CHARACTERS)
  if (error.name === 'WorkRefusal') return { kind: 'refused', message: error.message.slice(0, MAX_MESSAGE_CHARACTERS) }
  const isMemory = error instanceof RangeError && /allocation failed|allocate memory|out of memory/i.test(error.message)
  return { kind: isMemory ? 'memory' : 'crashed', message }
}

main()
  .catch((error: unknown) => reply([headerBytes(failure(error))]))
  .finally(() => process.exit())
