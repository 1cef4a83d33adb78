import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSpecYaml } from './spec-yaml.ts'

const plain = (text: string) => JSON.parse(JSON.stringify(readSpecYaml(text))) as unknown

describe('readSpecYaml', () => {
  it('reads the specs of the worked tenders', () => {
    const read = (path: string) =>
      plain(readFileSync(new URL(`../../../../../examples/${path}`, import.meta.url), 'utf8'))
    expect(read('labelling/task/spec/intents.yaml')).toMatchObject({
      version: '1',
      input: { file: 'data/batch-{n}.jsonl', fields: { id: 'string', text: 'string' } },
      intents: { billing: 'money that was or will be charged, invoices, taxes, statements' },
    })
    expect(read('site-report/revision/spec/report.yaml')).toMatchObject({
      rows: 'one a site, in the order of the readings',
      columns: [
        { name: 'site', type: 'text' },
        { name: 'total kWh', rule: 'sum of day and night over the year' },
        { name: 'highest month', type: 'month' },
        { name: 'night kWh' },
      ],
    })
  })

  it.each<[string, string, unknown]>([
    ['nested maps', 'a:\n  b:\n    c: d\ne: f', { a: { b: { c: 'd' } }, e: 'f' }],
    ['lists of maps', 'a:\n  - b: 1\n    c: 2\n  - b: 3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
    ['lists at the level of their key', 'a:\n- x\n- y\nb: z', { a: ['x', 'y'], b: 'z' }],
    ['lists and maps on one line', 'a: [x, {b: c, d: [e]}, "f, g"]', { a: ['x', { b: 'c', d: ['e'] }, 'f, g'] }],
    ['quotes', `a: "x # \\u00e9"\nb: 'it''s'\n"c d": e`, { a: 'x # é', b: "it's", 'c d': 'e' }],
    ['comments', '# a\na: b # c\nd: e#f\n', { a: 'b', d: 'e#f' }],
    [
      'words that other readers turn into values',
      'a: no\nb: 012\nc: null\nd: ~',
      { a: 'no', b: '012', c: 'null', d: '~' },
    ],
    ['an apostrophe within a word', "a: don't # b", { a: "don't" }],
    ['empty values and empty lists', 'a:\nb: []\nc: {}', { a: '', b: [], c: {} }],
    ['line ends of another system', 'a: b\r\nc: d\r\n', { a: 'b', c: 'd' }],
  ])('reads %s', (_, text, value) => {
    expect(plain(text)).toEqual(value)
  })

  it('takes __proto__ as a key like any other', () => {
    const spec = readSpecYaml('a: {"__proto__": {b: c}}\n__proto__: d')
    expect(({} as Record<string, unknown>)['b']).toBeUndefined()
    expect(Object.keys(spec)).toContain('a')
  })

  it.each([
    ['an anchor', 'a: &x b'],
    ['an alias', 'a: *x'],
    ['a tag', 'a: !!js/function x'],
    ['a block scalar', 'a: |\n  x'],
    ['a folded scalar', 'a: >\n  x'],
    ['several documents', '---\na: b'],
    ['a repeated key', 'a: b\na: c'],
    ['a repeated key on one line', 'a: {b: c, b: d}'],
    ['a tab', 'a:\n\tb: c'],
    ['a list at the top', '- a'],
    ['a scalar at the top', 'words'],
    ['a colon within a value', 'a: b: c'],
    ['a quote without end', 'a: "b'],
    ['a map without end', 'a: {b: c'],
    ['something behind a value', 'a: [b] c'],
    ['an indentation that fits nothing', 'a: b\n  c: d'],
    ['endless nesting', `a: ${'['.repeat(50)}${']'.repeat(50)}`],
    ['endless indentation', Array.from({ length: 50 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['too much', `a: ${'x'.repeat(70_000)}`],
  ])('refuses %s', (_, text) => {
    expect(() => readSpecYaml(text)).toThrow(expect.objectContaining({ name: 'WorkRefusal' }))
  })
})
