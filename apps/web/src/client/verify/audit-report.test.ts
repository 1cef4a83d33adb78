import { describe, expect, it } from 'vitest'
import { readAuditReport } from './audit-report.ts'

const report = {
  schema: 'oikos-audit/1',
  kind: 'agent',
  status: 'refused',
  agent: '0xaa',
  counts: { 'books.differ': 2 },
  findings: [{ code: 'books.differ', severity: 'fault', where: 'block 7', message: 'got 1, expected 2' }],
  range: { fromBlock: '1', toBlock: '9' },
  actions: { total: 3, listed: [] },
}

describe('a report of an audit', () => {
  it('is read with its findings and plain facts', () => {
    const read = readAuditReport(JSON.stringify(report))
    expect(read).toMatchObject({ kind: 'agent', status: 'refused', counts: [{ code: 'books.differ', count: 2 }] })
    expect(read.findings).toEqual([{ code: 'books.differ', where: 'block 7', message: 'got 1, expected 2' }])
    expect(read.facts).toContainEqual(['range.toBlock', '9'])
    expect(read.facts).toContainEqual(['actions.total', '3'])
  })

  it.each([
    ['no JSON', 'hello', 'not JSON'],
    ['another document', '{"schema":"other"}', 'no report'],
    ['a list', '[]', 'no report'],
    ['a kind that nobody knows', JSON.stringify({ ...report, kind: 'planet' }), 'no kind'],
  ])('that is %s is refused with a sentence', (_, text, part) => {
    expect(() => readAuditReport(text)).toThrow(part)
  })

  it('of a stranger gives no objects in the place of texts', () => {
    const read = readAuditReport(
      JSON.stringify({ ...report, findings: [{ code: { a: 1 }, where: ['x'], message: null }, 7] }),
    )
    expect(read.findings).toEqual([
      { code: '', where: '', message: '' },
      { code: '', where: '', message: '' },
    ])
  })
})
