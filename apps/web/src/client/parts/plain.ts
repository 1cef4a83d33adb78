/** Controls, direction marks and other invisible characters with which a text could pretend to be another one. */
const HOSTILE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/** A stranger's text as one harmless line of at most `length` characters; hidden characters are shown as code points. */
export function plainLine(text: string, length = 200): string {
  const characters = [...text]
  const cut = characters.length > length ? `${characters.slice(0, length).join('')}…` : text
  return cut.replace(HOSTILE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
