import { describe, expect, test } from 'vitest'
import { canonicalTextOf, parseCanonical, precheck } from './canonical.ts'
import { EconomicError } from './diagnostics.ts'
import { parseJson, quote, REFUSED_NESTING } from './json.ts'
import { PRODUCTION_LIMITS } from './limits.ts'
import { anyText, record, u64 } from './shape.ts'
import { compareUtf8, utf8, utf8Length } from './text.ts'

describe('strings (notes, section 1)', () => {
  test.each([
    ['"', '\\"'],
    ['\\', '\\\\'],
    ['\n', '\\n'],
    ['\r', '\\r'],
    ['\t', '\\t'],
    ['\b', '\\u0008'],
    ['\f', '\\u000c'],
    ['\u0000', '\\u0000'],
    ['\u001f', '\\u001f'],
    ['\u007f', '\\u007f'],
    ['\u0080\u009f', '\\u0080\\u009f'],
    ['/', '/'],
    ['\u00a0\u2028\u2029\ufeff', '\u00a0\u2028\u2029\ufeff'],
    ['é漢😀', 'é漢😀'],
    ['a\n"\\\u0001', 'a\\n\\"\\\\\\u0001'],
  ])('%j is written as %j', (text, escaped) => {
    expect(quote(text)).toBe(`"${escaped}"`)
    expect(parseJson(quote(text))?.value).toBe(text)
  })
})

describe('numbers', () => {
  test.each([
    ['0', 0n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
  ])('%s is an integer', (text, value) => {
    expect(parseJson(text)?.value).toBe(value)
  })

  test.each(['18446744073709551616', '-1', '-0', '7.0', '7e0', '1E5'])('%s is a number, and no integer', (text) => {
    expect(typeof parseJson(text)?.value).toBe('number')
  })

  test.each(['07', '+1', '.5', '1.', '0x1', '1e400', 'NaN', '--1'])('%s is not JSON', (text) => {
    expect(parseJson(text)).toBeUndefined()
  })
})

describe('other rules', () => {
  test.each([
    '',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '[1 2]',
    '"a',
    '"\u0001"',
    '"\\x"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    'tru',
    'null null',
    "{'a':1}",
    '//',
  ])('%j is not JSON', (text) => {
    expect(parseJson(text)).toBeUndefined()
  })

  test('depth counts containers, and the parser stops at its own limit', () => {
    expect(parseJson('1')?.depth).toBe(1)
    expect(parseJson('{}')?.depth).toBe(1)
    expect(parseJson('{"a":[1]}')?.depth).toBe(3)
    const nested = (count: number) => parseJson('['.repeat(count) + ']'.repeat(count))
    expect(nested(REFUSED_NESTING - 1)?.depth).toBe(REFUSED_NESTING - 1)
    expect(nested(REFUSED_NESTING)).toBeUndefined()
    expect(parseJson('['.repeat(1_000_000))).toBeUndefined()
  })

  test('a key such as __proto__ is a key', () => {
    const value = parseJson('{"__proto__":1}')?.value
    expect(Object.keys(value as object)).toEqual(['__proto__'])
  })

  test('lengths and order are those of UTF-8', () => {
    for (const text of ['', 'a', 'é', '漢', '😀', 'a😀é']) expect(utf8Length(text)).toBe(utf8(text).length)
    // U+FFFD is below U+1F600 in UTF-8 and above its first unit in UTF-16.
    expect(compareUtf8('\ufffd', '😀')).toBeLessThan(0)
    expect(compareUtf8('a', 'ab')).toBeLessThan(0)
  })
})

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'passed'
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    return `${cause.code} ${cause.message}`
  }
}

describe('the parse procedure, step by step', () => {
  const schema = '"schema":"semaprax.economic-agent-trace.v1"'
  test.each([
    ['too long', `{${schema}}\n`, 10n, 'SPX-G216 trace_bytes exceeds 10'],
    ['no final LF', `{${schema}}`, undefined, 'SPX-G210'],
    ['empty', '\n', undefined, 'SPX-G210'],
    ['two lines', `{${schema}}\n\n`, undefined, 'SPX-G210'],
    ['CR', `{${schema}}\r\n`, undefined, 'SPX-G210'],
    ['byte order mark', `\ufeff{${schema}}\n`, undefined, 'SPX-G210'],
    ['not JSON', 'nope\n', undefined, 'SPX-G210'],
    [
      'too deep, before the schema',
      `${'['.repeat(16)}1${']'.repeat(16)}\n`,
      undefined,
      'SPX-G216 json_depth exceeds 16',
    ],
    ['an array', '[]\n', undefined, 'SPX-G210'],
    ['another schema', '{"schema":"x"}\n', undefined, 'SPX-G210'],
    ['in order', `{${schema}}\n`, undefined, 'passed'],
  ])('%s', (_, text, maximum, expected) => {
    expect(codeOf(() => parseCanonical('trace', utf8(text), maximum))).toContain(expected)
  })

  test('bytes that are not UTF-8', () => {
    expect(codeOf(() => parseCanonical('trace', Uint8Array.of(0xff, 0x0a)))).toContain('SPX-G210')
  })

  test.each([
    ['{"a":1\n', 'SPX-G217'],
    ['{"a\n', 'SPX-G217'],
    ['}{\n', 'SPX-G217'],
    ['nope\n', 'passed'],
    ['{"a":"}]\\"{"}\n', 'passed'],
    ['[[[]]]\n', 'SPX-G216 json_depth exceeds 3'],
    ['123456789012345678\n', 'SPX-G216 invoice_bytes exceeds 16'],
  ])('the pre-check of %j gives %s', (text, expected) => {
    const limits = { ...PRODUCTION_LIMITS, max_invoice_bytes: 16n, max_json_depth: 3n }
    expect(codeOf(() => precheck('invoice', utf8(text), limits))).toContain(expected)
  })

  test('the pre-check of bytes that are not UTF-8 names the field', () => {
    const outcome = codeOf(() => precheck('broadcast', Uint8Array.of(0xff), PRODUCTION_LIMITS))
    expect(outcome).toBe('SPX-G210 Economic Agent broadcast_receipt_bytes is not canonical UTF-8 JSON')
  })
})

describe('a document that was written by hand', () => {
  const shape = record<{ a: bigint; b: string }>({ a: u64, b: anyText })

  test.each([
    ['spaces, another order and no final LF', '{ "b": "x",\r\n  "a": 1 }', '{"a":1,"b":"x"}\n'],
    ['a byte order mark and other escapes', '\ufeff{"a":1,"b":"\\u0078\\/"}', '{"a":1,"b":"x/"}\n'],
    ['a repeated key: the last value', '{"a":1,"b":"x","a":2}', '{"a":2,"b":"x"}\n'],
    ['a number that is no integer', '{"a":1.5,"b":"x"}', undefined],
    ['an extra key', '{"a":1,"b":"x","c":1}', undefined],
    ['no JSON', 'a: 1', undefined],
  ])('%s', (_, text, canonical) => {
    expect(canonicalTextOf(shape, utf8(text))).toBe(canonical)
  })

  test('bytes that are not UTF-8', () => {
    expect(canonicalTextOf(shape, Uint8Array.of(0xff))).toBeUndefined()
  })
})
