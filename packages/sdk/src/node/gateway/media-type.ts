import type { CidCodec } from '@oikos/core'

/**
 * The media type of a block. Blocks are hostile, so none is ever given as something that a browser runs or renders: text is
 * `text/plain`, JSON is JSON, everything else is bytes. A browser that obeys `nosniff` finds nothing else in them.
 */
export function mediaTypeOf(bytes: Uint8Array, codec: CidCodec): string {
  if (codec === 'dag-cbor') return 'application/vnd.ipld.dag-cbor'
  const text = readText(bytes)
  if (text === undefined) return 'application/octet-stream'
  return isJson(text) ? 'application/json' : 'text/plain; charset=utf-8'
}

/** Largest text that is told from bytes; parsing more would cost a stranger's request too much. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024

/** Controls that no text file has. */
const BINARY = /(?!\s)\p{Cc}/u

function readText(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0 || bytes.length > MAX_TEXT_BYTES) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return BINARY.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
