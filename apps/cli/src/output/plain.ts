/**
 * Controls (ANSI escapes begin with one), direction marks and other invisible formatting, line and paragraph
 * separators, private use, lone surrogates: what a hostile text could use to draw something else than it says.
 */
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/** Longest text of a stranger that is printed in one line, in characters. */
const SHOWN_CHARACTERS = 300

/**
 * A text of a stranger as one harmless line: every character that could move the cursor, change colours or reverse the
 * reading direction is shown as its code point, `\u{1b}`; what is longer than 300 characters is cut.
 */
export function plain(text: string): string {
  const characters = [...text]
  const cut = characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : text
  return cut.replace(HOSTILE, escapeCodePoint)
}

/** As {@link plain}, for a text of several lines that is never cut: line feeds stay. */
export function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(HOSTILE, escapeCodePoint))
    .join('\n')
}

function escapeCodePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** Everything hostile but the line feeds that the document itself is laid out with. */
const HOSTILE_IN_JSON = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/**
 * JSON text of a value: bigint as decimal text, two spaces of indent, and every hostile character escaped, so that it
 * can be shown on a terminal and still parses to the very same value.
 */
export function toJsonText(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member),
    2,
  )
  return text.replace(HOSTILE_IN_JSON, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
