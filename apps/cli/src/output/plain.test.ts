import { describe, expect, it } from 'vitest'
import { plain, plainLines, toJsonText } from './plain.ts'

const ESC = '\u001b'
const hostile = [
  ['an ANSI escape', `${ESC}[31mred`],
  ['a title escape', `${ESC}]0;owned\u0007`],
  ['an 8-bit escape', '\u009b31m'],
  ['a carriage return', 'good\rbad '],
  ['a backspace', 'a\bb'],
  ['right-to-left override', 'abc\u202efdp.exe'],
  ['an isolate', '\u2066x\u2069'],
  ['a zero-width joiner', 'a\u200db'],
  ['a line separator', 'a\u2028b'],
  ['a tag character', 'a\u{e0041}b'],
  ['private use', 'a\ue000b'],
  ['a lone surrogate', 'a\ud800b'],
  ['delete', 'a\u007fb'],
] as const

const dangerous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u

describe('texts of strangers', () => {
  it.each(hostile)('shows %s as code points', (_name, text) => {
    expect(plain(text)).not.toMatch(dangerous)
    expect(plain(text)).toMatch(/\\u\{[0-9a-f]+\}/)
  })

  it('keeps letters of all scripts', () => {
    expect(plain('Prüfung 検査 проверка 🙂')).toBe('Prüfung 検査 проверка 🙂')
  })

  it('cuts what is longer than 300 characters', () => {
    expect([...plain('🙂'.repeat(301))]).toHaveLength(301)
    expect(plain('🙂'.repeat(300))).not.toContain('…')
  })

  it('keeps the lines of a text', () => {
    expect(plainLines(`a\n${ESC}[2Jb`)).toBe('a\n\\u{1b}[2Jb')
  })
})

describe('JSON', () => {
  it.each(hostile)('escapes %s and still parses to the same value', (_name, text) => {
    const json = toJsonText({ text })
    expect(json.replaceAll('\n', '')).not.toMatch(dangerous)
    expect(JSON.parse(json)).toEqual({ text })
  })

  it('writes bigint as decimal text', () => {
    expect(JSON.parse(toJsonText({ amount: 2n ** 256n - 1n }))).toEqual({ amount: String(2n ** 256n - 1n) })
  })
})
