import { encodeSortedJson } from '@oikos/core'
import { PREFIX_BYTES, packFrame } from './child/frames.ts'
import { headerBytes } from './child/messages.ts'
import type { WorkOrder } from './worker.ts'

/** Bytes of one order with its resources (64 MiB): the process holds all of it. */
const MAX_ORDER_BYTES = 64 * 1024 * 1024
/** Files and resources of one order. */
const MAX_ORDER_FILES = 10_000

/** An order as a child process reads it, or undefined when it is larger than a worker takes. */
export function packOrder(order: WorkOrder): readonly Uint8Array[] | undefined {
  const { taskHash, specProfile, files, resources, fulfillment } = order
  const bodies = [...files.values(), ...resources.values()]
  if (bodies.length > MAX_ORDER_FILES) return undefined
  if (fulfillment !== undefined) bodies.push(encodeSortedJson(fulfillment))
  const header = headerBytes({
    taskHash,
    specProfile,
    files: [...files.keys()],
    resources: [...resources.keys()],
    hasFulfillment: fulfillment !== undefined,
  })
  const payloads = [header, ...bodies]
  const bytes = payloads.reduce((sum, { length }) => sum + length + PREFIX_BYTES, 0)
  return bytes > MAX_ORDER_BYTES ? undefined : payloads.flatMap(packFrame)
}
