import { describe, expect, it } from 'vitest'
import { noFindings, reasonOf, report, reportAll, shown, statusOf } from './findings.ts'
import { MAX_FINDINGS } from './limits.ts'

describe('shown', () => {
  it('quotes, cuts, and takes away what a terminal would obey', () => {
    expect(shown('a"b')).toBe('"a\\"b"')
    expect(shown('a\u001b[2J\u0085\u202eb')).toBe('"a\\u001b[2J\\u0085\\u202eb"')
    expect(shown('x'.repeat(1_000)).length).toBeLessThan(130)
    expect(shown('a\ud800')).toBe('"a\ufffd"')
  })

  it('does the same to what a library says', () => {
    expect(reasonOf(new Error('key "\u001b[31m"'))).toBe('key "\\u001b[31m"')
    expect(reasonOf('text')).toBe('unknown failure')
  })
})

describe('statusOf', () => {
  it('is incomplete however much is missing, and invalid when one clause is broken, kept or omitted', () => {
    const findings = noFindings()
    expect(statusOf(findings)).toBe('valid')
    for (let index = 0; index < MAX_FINDINGS + 1; index++) report(findings, 'object.missing', 'x', 'y')
    expect(statusOf(findings)).toBe('incomplete')
    const more = noFindings()
    report(more, 'json.bom', 'x', 'y')
    reportAll(findings, more)
    expect(findings.list.some(({ code }) => code === 'json.bom')).toBe(false)
    expect(statusOf(findings)).toBe('invalid')
  })
})
