import { describe, expect, test } from 'vitest'
import { isExactArray, isExactObject, JsonDecimal, memberOf, parseExactJson, renderExactJson } from './json.ts'

describe('exact JSON', () => {
  test('integers of any size and sign are exact, other numbers keep their text', () => {
    expect(parseExactJson('[18446744073709551616,-1,0,9007199254740993]')).toEqual([
      18446744073709551616n,
      -1n,
      0n,
      9007199254740993n,
    ])
    const decimals = parseExactJson('[0.10000000000000000001,1e-8,-0.5,2E3,-0]')
    expect(decimals).toEqual([
      new JsonDecimal('0.10000000000000000001'),
      new JsonDecimal('1e-8'),
      new JsonDecimal('-0.5'),
      new JsonDecimal('2E3'),
      0n,
    ])
  })

  test('text that is not JSON, nests too deeply or holds a huge integer is undefined, never a throw', () => {
    for (const text of ['', '{', '[1,]', 'NaN', '01', '"', `[${'1'.repeat(81)}]`, '['.repeat(200_000)])
      expect(parseExactJson(text)).toBeUndefined()
    expect(parseExactJson(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)).toBeUndefined()
    expect(parseExactJson(`[${'1'.repeat(80)}]`)).toEqual([BigInt('1'.repeat(80))])
  })

  test('what was read is written again with the same digits', () => {
    const text = '{"a":[18446744073709551616,-1,1e-8,0.30],"b":{"c":null,"d":true,"e":"\\"\\u0000"},"__proto__":1}'
    const value = parseExactJson(text)
    expect(value === undefined ? '' : renderExactJson(value)).toBe(text)
  })

  test('keys of the prototype are no members', () => {
    const value = parseExactJson('{"a":1,"__proto__":{"b":2}}')
    expect([memberOf(value, 'a'), memberOf(value, 'b'), memberOf(value, 'toString')]).toEqual([
      1n,
      undefined,
      undefined,
    ])
    expect([memberOf('text', 'length'), memberOf([1n], '0'), memberOf(undefined, 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([isExactObject(new JsonDecimal('1.5')), isExactObject([]), isExactArray([]), isExactObject(null)]).toEqual([
      false,
      false,
      true,
      false,
    ])
  })
})
