import type { Hex } from 'viem'

/** Longest URI that is kept; an Agent of ours accepts 2,048 bytes for records and 8,192 for its own. */
export const MAX_URI_LENGTH = 8_192

/** Longest name and symbol that is kept. */
export const MAX_NAME_LENGTH = 64
export const MAX_SYMBOL_LENGTH = 16

/** Most bytes of inner call data and of a reply that are kept. */
const MAX_CALL_BYTES = 4_096
const MAX_RETURN_BYTES = 256

/** What PostgreSQL cannot keep as text: NUL, and halves of surrogate pairs, which are no Unicode. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** Text of a stranger as it is kept: at most `maxLength` UTF-16 units, without what a database refuses. */
export function boundText(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? text.slice(0, maxLength) : text
  return cut.replaceAll(UNSTORABLE, '\uFFFD')
}

/** Inner call data as they are kept. */
export function boundCallData(data: Hex): Hex {
  return data.slice(0, 2 + 2 * MAX_CALL_BYTES) as Hex
}

/** A reply as it is kept, and how long it was in bytes. */
export function boundReply(data: Hex): { returnData: Hex; returnBytes: number } {
  return { returnData: data.slice(0, 2 + 2 * MAX_RETURN_BYTES) as Hex, returnBytes: (data.length - 2) / 2 }
}
