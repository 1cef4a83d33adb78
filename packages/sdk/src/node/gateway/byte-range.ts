/** Bytes of a representation, first and last included. */
export type ByteRange = { readonly first: number; readonly last: number }

const SINGLE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

/**
 * Reads a Range header over `size` bytes. Undefined: there is none, it has several ranges, or it is malformed, all of which are
 * answered with the whole. `unsatisfiable`: it names no byte. Source: RFC 9110, section 14.
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : SINGLE_RANGE.exec(header.trim())
  if (match === null) return undefined
  const [, from, to, suffix] = match
  if (from === undefined) {
    const count = Math.min(Number(suffix), size)
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 }
  }
  const first = Number(from)
  const last = to === undefined || to === '' ? size - 1 : Number(to)
  if (last < first && to !== '') return undefined
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) }
}
