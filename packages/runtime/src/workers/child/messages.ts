import type { WorkOrder, WorkProduct } from '../worker.ts'

/** The first frame of an order; the bytes of its files follow, one frame each, in this order. */
export type OrderHeader = {
  readonly taskHash: string
  readonly specProfile: string
  readonly files: readonly string[]
  readonly resources: readonly string[]
  /** Whether one more frame at the end is the fulfillment document as JSON. */
  readonly hasFulfillment: boolean
}

/** The first frame of what comes back; for a product the bytes of its files follow, one frame each, in this order. */
export type ReplyHeader =
  | { readonly kind: 'product'; readonly summary: string; readonly files: readonly string[] }
  | { readonly kind: 'refused' | 'crashed' | 'memory'; readonly message: string }

const encoder = new TextEncoder()

/** An object of JSON as the payload of a frame. */
export function headerBytes(header: OrderHeader | ReplyHeader): Uint8Array {
  return encoder.encode(JSON.stringify(header))
}

/** The product of a worker as payloads. @throws TypeError for what is no product */
export function productPayloads({ files, summary }: WorkProduct): readonly Uint8Array[] {
  if (!(files instanceof Map) || typeof summary !== 'string')
    throw new TypeError('a product has a Map of files and a summary')
  const entries = [...files].map(([path, bytes]): readonly [string, Uint8Array] => {
    if (typeof path !== 'string' || !(bytes instanceof Uint8Array))
      throw new TypeError('the files of a product are bytes by path')
    return [path, bytes]
  })
  return [
    headerBytes({ kind: 'product', summary, files: entries.map(([path]) => path) }),
    ...entries.map(([, bytes]) => bytes),
  ]
}

/** The order that the parent sent; it is trusted to be one, its contents are not. */
export function readOrder([header, ...bodies]: readonly Uint8Array[]): WorkOrder {
  const { taskHash, specProfile, files, resources, hasFulfillment } = JSON.parse(
    new TextDecoder().decode(header),
  ) as OrderHeader
  const body = (index: number): Uint8Array => bodies[index] ?? new Uint8Array()
  return {
    taskHash: taskHash as WorkOrder['taskHash'],
    specProfile,
    files: new Map(files.map((path, index) => [path, body(index)])),
    resources: new Map(resources.map((name, index) => [name, body(files.length + index)])),
    fulfillment: hasFulfillment
      ? (readExactJson(new TextDecoder().decode(body(files.length + resources.length))) as WorkOrder['fulfillment'])
      : undefined,
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

/** JSON whose integers beyond 2^53 stay exact, as bigint. */
function readExactJson(text: string): unknown {
  const exact: Reviver = (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && /^-?[0-9]+$/.test(source) && !Number.isSafeInteger(value)
      ? BigInt(source)
      : value
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown)
}
