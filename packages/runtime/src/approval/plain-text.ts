/**
 * Controls (ANSI escapes begin with one), direction marks and other invisible formatting, line and paragraph separators,
 * private use, lone surrogates: what a hostile text could use to draw something else than it says.
 */
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/** Longest text of a stranger that is shown, in characters. */
const SHOWN_CHARACTERS = 300

/**
 * A text of a stranger as one harmless line: hostile characters are shown as their code points, such as `\u{1b}`; what is
 * longer than 300 characters is cut.
 */
export function plainText(text: string): string {
  const characters = [...text]
  const shown = characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : text
  return visibleText(shown)
}

/** A text of a stranger at its whole length, hostile characters shown as their code points. */
export function visibleText(text: string): string {
  return text.replace(HOSTILE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
