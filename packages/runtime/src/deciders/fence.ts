import { visibleText } from '../approval/plain-text.ts'
import type { UntrustedText } from '../operator/question.ts'

/** Texts of strangers that one question shows. */
const MAX_TEXTS = 16
/** Characters of one text, and of all texts together, after hostile characters were made visible. */
const MAX_TEXT_CHARACTERS = 8_000
const MAX_TEXTS_CHARACTERS = 32_000
/** Characters of the note that says where a text came from; it can hold a file's name. */
const MAX_SOURCE_CHARACTERS = 200

/**
 * Characters that draw nothing, whatever their category: variation selectors, fillers, joiners, the blank Braille pattern. They
 * can carry a hidden text of any length.
 */
const UNDRAWN = /\p{Default_Ignorable_Code_Point}|\u2800/gu

/** One line of a stranger's text with everything shown that draws nothing or draws something else. */
export function showLine(line: string): string {
  return visibleText(line).replace(UNDRAWN, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)
}

/** Cuts between characters, never within one. */
export function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  const end = /[\ud800-\udbff]/.test(text[characters - 1] ?? '') ? characters - 1 : characters
  return text.slice(0, end)
}

/**
 * Texts of strangers between lines that only we can write: each fence line bears the marker, each line within begins with
 * `| `, so that no text can look like a fence or like the end of all texts. What is cut is said outside of the fence.
 */
export function fenceTexts(texts: readonly UntrustedText[], marker: string): string {
  let left = MAX_TEXTS_CHARACTERS
  const shown = texts.slice(0, MAX_TEXTS).map(({ source, text }, index) => {
    const visible = text.split('\n').map(showLine).join('\n')
    const part = cut(visible, Math.min(left, MAX_TEXT_CHARACTERS))
    left -= part.length
    const name = `${index + 1} of ${texts.length}`
    const note = part.length < visible.length ? `, its first ${part.length} of ${visible.length} characters` : ''
    const from = JSON.stringify(cut(showLine(source), MAX_SOURCE_CHARACTERS))
    return [
      `[${marker} text ${name} begins, from ${from}${note}]`,
      ...part.split('\n').map((line) => `| ${line}`),
      `[${marker} text ${name} ends]`,
    ].join('\n')
  })
  const omitted = texts.length - shown.length
  return [...shown, ...(omitted > 0 ? [`[${marker} ${omitted} more texts are not shown]`] : [])].join('\n')
}
