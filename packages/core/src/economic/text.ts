const encoder = new TextEncoder()
/** Without `stream` a decoder keeps nothing from one call to the next. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Number of UTF-8 bytes of a text. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    length += 1
    // A surrogate pair is two units and four bytes; any other unit from U+0800 is one unit and three bytes.
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) length += 1
  }
  return length
}

/** The text of UTF-8 bytes, a byte order mark kept, or undefined when they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Order of two texts by their UTF-8 bytes: negative, zero or positive. */
export function compareUtf8(left: string, right: string): number {
  if (left === right) return 0
  const leftPoints = Array.from(left, (char) => char.codePointAt(0) ?? 0)
  const rightPoints = Array.from(right, (char) => char.codePointAt(0) ?? 0)
  const shared = Math.min(leftPoints.length, rightPoints.length)
  for (let index = 0; index < shared; index += 1) {
    const difference = (leftPoints[index] ?? 0) - (rightPoints[index] ?? 0)
    if (difference !== 0) return difference
  }
  return leftPoints.length - rightPoints.length
}

/** Whether texts are strictly increasing by their UTF-8 bytes, which also means that none repeats. */
export function isStrictlyIncreasing(texts: readonly string[]): boolean {
  return texts.every((text, index) => index === 0 || compareUtf8(texts[index - 1] ?? '', text) < 0)
}

/** Whether two byte strings are equal. Not constant time: it compares public data. */
export function bytesEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false
  return true
}

/** Byte strings joined. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}
