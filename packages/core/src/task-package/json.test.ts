import { describe, expect, it } from 'vitest'
import { encodeSortedJson, type JsonObject, parseStrictJson } from './json.ts'
import { DEFAULT_LIMITS } from './limits.ts'

const parse = (text: string) => parseStrictJson(new TextEncoder().encode(text), DEFAULT_LIMITS)
const value = (text: string) => {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.value
}

describe('parseStrictJson', () => {
  it('reads what JSON.parse reads', () => {
    const texts = [
      'null',
      ' true ',
      '-0',
      '1e3',
      '0.5',
      '"a\\u00e9\\n\\"/\\/"',
      '[]',
      '[1,[2],{}]',
      '{"a":{"b":[null]}}',
      '"\u{1f600}"',
    ]
    for (const text of texts) expect(JSON.stringify(value(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('refuses what JSON.parse refuses', () => {
    const texts = [
      '',
      ' ',
      '01',
      '+1',
      '1.',
      '.5',
      "'a'",
      '"a',
      '"\n"',
      '"\\x"',
      '[1,]',
      '[1',
      '{a:1}',
      '{"a"}',
      '{"a":1,}',
      'nul',
      '1 2',
      '\u00a0null',
      'NaN',
      '-',
    ]
    for (const text of texts) {
      expect(() => JSON.parse(text), text).toThrow()
      expect(parse(text), text).toMatchObject({ ok: false, code: 'json.syntax' })
    }
  })

  it('keeps large integers exact and leaves other numbers alone', () => {
    expect(value('9007199254740993')).toBe(9_007_199_254_740_993n)
    expect(value('-9007199254740993')).toBe(-9_007_199_254_740_993n)
    expect(value('9007199254740991')).toBe(9_007_199_254_740_991)
    expect(value('1e400')).toBe(Number.POSITIVE_INFINITY)
    expect(value(`1${'0'.repeat(100_000)}`)).toBe(Number.POSITIVE_INFINITY)
  })

  it('keeps __proto__ and constructor as plain keys', () => {
    const object = value('{"__proto__":{"polluted":1},"constructor":2}') as JsonObject
    expect(Object.keys(object)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(object)).toBeNull()
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('refuses repeated keys, however they are spelt', () => {
    for (const text of ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"__proto__":1,"__proto__":2}'])
      expect(parse(text)).toMatchObject({ ok: false, code: 'json.duplicate-key' })
  })

  it('ends nesting before the stack does', () => {
    expect(parse(`${'['.repeat(32)}${']'.repeat(32)}`).ok).toBe(true)
    for (const open of ['[', '{"a":'])
      expect(parse(open.repeat(800_000))).toMatchObject({ ok: false, code: 'json.too-deep' })
  })
})

describe('encodeSortedJson', () => {
  it('writes one text for one value', () => {
    const text = new TextDecoder().decode(encodeSortedJson({ b: [1, { d: 2n ** 64n, c: null }], a: 'x' }))
    expect(text).toBe('{"a":"x","b":[1,{"c":null,"d":18446744073709551616}]}')
  })
})
