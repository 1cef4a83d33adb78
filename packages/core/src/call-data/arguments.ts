import { concatBytes } from '@noble/hashes/utils.js'
import type { Parameter, ParameterType } from './signature.ts'

/** Words that are read from one call (2 MiB). Call data of a transaction has at most 128 KiB where nodes hold to their limit. */
const MAX_WORDS = 65_536
const WORD_BYTES = 32

/** Arguments of a call, each as the bytes of its own encoding; see {@link readArguments}. */
export type CallArguments = readonly Uint8Array[]

class Malformed extends Error {}

/**
 * The arguments behind a selector, each encoded canonically by itself: what `abi.encode` gives for it, without the pointer
 * that stands before a dynamic one. Undefined where the bytes are no encoding of the parameters: a pointer or length out
 * of range. What a pointer skips, and what stands behind the last argument, is not looked at, as in a contract.
 * @param data the arguments, without the selector
 */
export function readArguments(data: Uint8Array, parameters: readonly Parameter[]): CallArguments | undefined {
  try {
    return readTuple(
      data,
      0,
      parameters.map(({ type }) => type),
      { left: MAX_WORDS },
    )
  } catch (cause) {
    if (cause instanceof Malformed) return undefined
    throw cause
  }
}

/** Encodes arguments of {@link readArguments} as one tuple: heads first, then what they point to. */
export function writeArguments(args: CallArguments, parameters: readonly Parameter[]): Uint8Array {
  return writeTuple(
    args,
    parameters.map(({ type }) => type),
  )
}

/** Counts words over the whole call, so that nested arrays that point to the same bytes cannot multiply the work. */
type Work = { left: number }

function readTuple(data: Uint8Array, base: number, types: readonly ParameterType[], work: Work): Uint8Array[] {
  let head = base
  return types.map((type) => {
    const start = type.dynamic ? base + readSize(data, head) : head
    head += type.words * WORD_BYTES
    return readValue(data, start, type, work)
  })
}

function readValue(data: Uint8Array, at: number, type: ParameterType, work: Work): Uint8Array {
  spend(work, 1)
  switch (type.kind) {
    case 'word':
      return take(data, at, WORD_BYTES)
    case 'bytes': {
      const size = readSize(data, at)
      spend(work, Math.ceil(size / WORD_BYTES))
      const padded = new Uint8Array(WORD_BYTES + Math.ceil(size / WORD_BYTES) * WORD_BYTES)
      padded.set(take(data, at, WORD_BYTES))
      padded.set(take(data, at + WORD_BYTES, size), WORD_BYTES)
      return padded
    }
    case 'tuple': {
      const types = type.fields.map((field) => field.type)
      return writeTuple(readTuple(data, at, types, work), types)
    }
    case 'array': {
      const length = type.length ?? readSize(data, at)
      if (length > work.left) throw new Malformed()
      const start = type.length === undefined ? at + WORD_BYTES : at
      const types = Array.from({ length }, () => type.element)
      const elements = writeTuple(readTuple(data, start, types, work), types)
      return type.length === undefined ? concatBytes(take(data, at, WORD_BYTES), elements) : elements
    }
    default:
      return type satisfies never
  }
}

function spend(work: Work, words: number): void {
  if (words > work.left) throw new Malformed()
  work.left -= words
}

function writeTuple(values: readonly Uint8Array[], types: readonly ParameterType[]): Uint8Array {
  const heads: Uint8Array[] = []
  const tails: Uint8Array[] = []
  let tail = types.reduce((sum, { words }) => sum + words * WORD_BYTES, 0)
  for (const [index, type] of types.entries()) {
    const value = values[index] ?? new Uint8Array()
    if (!type.dynamic) heads.push(value)
    else {
      heads.push(wordOf(tail))
      tails.push(value)
      tail += value.length
    }
  }
  return concatBytes(...heads, ...tails)
}

function take(data: Uint8Array, at: number, size: number): Uint8Array {
  if (at > data.length || size > data.length - at) throw new Malformed()
  return data.subarray(at, at + size)
}

/** A pointer or a length; nothing beyond 2^32 can be inside call data. */
function readSize(data: Uint8Array, at: number): number {
  const word = take(data, at, WORD_BYTES)
  if (word.subarray(0, 28).some((byte) => byte !== 0)) throw new Malformed()
  return new DataView(word.buffer, word.byteOffset).getUint32(28)
}

function wordOf(value: number): Uint8Array {
  const word = new Uint8Array(WORD_BYTES)
  new DataView(word.buffer).setUint32(28, value)
  return word
}
