import { describe, expect, it } from 'vitest'
import { plainLine } from './plain.ts'

describe('a text of a stranger', () => {
  it.each([
    ['turns the reading direction', 'abc\u202egnp.exe', 'abc\\u{202e}gnp.exe'],
    ['hides characters', 'US\u200bDC', 'US\\u{200b}DC'],
    ['breaks the line', 'a\nb', 'a\\u{a}b'],
    ['starts a terminal escape', '\u001b[31mred', '\\u{1b}[31mred'],
    ['is half a character', 'a\ud800', 'a\\u{d800}'],
  ])('that %s is shown as what it is', (_, text, shown) => {
    expect(plainLine(text)).toBe(shown)
  })

  it('is cut at a length, by whole characters', () => {
    expect(plainLine('😀😀😀', 2)).toBe('😀😀…')
    expect(plainLine('abc', 3)).toBe('abc')
  })
})
