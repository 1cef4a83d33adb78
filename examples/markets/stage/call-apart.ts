import { parseTaskHash } from '@oikos/core'
import { createWorkshop, describeIsolation, type IsolatedWorkshop, type Worker } from '@oikos/runtime/workers'
import { type Hex, stringToBytes } from 'viem'

/** Enough for the checks of these examples, little enough to try them on strangers' programs. */
const limits = { timeoutMs: 20_000, memoryMiB: 64, outputBytes: 256 * 1024 }
const caller: Worker = {
  name: 'call-module',
  specProfiles: [],
  module: new URL('./worker/call-module.ts', import.meta.url),
}

let opened: Promise<IsolatedWorkshop> | undefined

/** What a stranger's function gave back, or why it gave nothing. */
export type ApartReply = { ok: true; text: string } | { ok: false; code: string; message: string }

/**
 * Calls one function of a module that nobody vouches for, in a process that has no network, no files, no environment and
 * no time to waste, as far as this machine can hold it (docs/workers.md). Never throws for what the module does.
 * @throws IsolationError where processes cannot be kept apart at all
 */
export async function callApart(call: {
  /** The package that the module is of. */
  taskHash: Hex
  module: Uint8Array
  functionName: string
  texts: readonly string[]
  limits?: Partial<typeof limits>
}): Promise<ApartReply> {
  opened ??= createWorkshop({ workers: [caller] })
  const workshop = await opened
  const order = {
    taskHash: parseTaskHash(call.taskHash),
    specProfile: 'x-module-v1',
    files: new Map(call.texts.map((text, index) => [`text-${index}`, stringToBytes(text)])),
    resources: new Map([
      ['module', call.module],
      ['function', stringToBytes(call.functionName)],
    ]),
    fulfillment: undefined,
  }
  const outcome = await workshop.run(caller, order, { ...limits, ...call.limits }, new AbortController().signal)
  if (!outcome.ok) return outcome
  return { ok: true, text: new TextDecoder().decode(outcome.product.files.get('reply')) }
}

/** What a module called by {@link callApart} is kept from on this machine, and by what. */
export async function describeApartness(): Promise<string> {
  opened ??= createWorkshop({ workers: [caller] })
  return describeIsolation((await opened).isolation)
    .map(({ what, heldBy }) => `${what} (${heldBy})`)
    .join(', ')
}
