import { readFileSync } from 'node:fs'
import type { TaskHash } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { readFolder } from '../../../test/workers/read-folder.ts'
import type { WorkOrder } from '../worker.ts'
import { work } from './report.ts'

const example = new URL('../../../../../examples/site-report/', import.meta.url).pathname

function order(changes: Readonly<Record<string, string | undefined>> = {}): WorkOrder {
  const files = new Map([...readFolder(`${example}task`), ...readFolder(`${example}revision`)])
  for (const [path, text] of Object.entries(changes))
    if (text === undefined) files.delete(path)
    else files.set(path, new TextEncoder().encode(text))
  return {
    ...{ taskHash: `0x${'00'.repeat(32)}` as TaskHash, specProfile: 'x-report-table-v1', files },
    ...{ resources: new Map(), fulfillment: undefined },
  }
}

async function report(changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
  return new TextDecoder().decode((await work(order(changes))).files.get('REPORT.md'))
}

const tableOf = (text: string) => text.split('\n').filter((line) => line.startsWith('|'))
const head = 'site,month,day_kwh,night_kwh'

describe('the report worker', () => {
  it('computes the table that was accepted in the worked tender, both versions of the spec', async () => {
    const rows = [
      '| Graz | 521631 | 2025-01',
      '| Linz | 358635 | 2025-01',
      '| Wels | 197787 | 2025-12',
      '| Steyr | 418648 | 2025-12',
    ]
    const nights = ['160534', '80935', '79451', '114590']
    const first = readFileSync(`${example}task/spec/report.yaml`, 'utf8')
    expect(tableOf(await report({ 'spec/report.yaml': first })).slice(2)).toEqual(rows.map((row) => `${row} |`))
    expect(tableOf(await report()).slice(2)).toEqual(rows.map((row, index) => `${row} | ${nights[index]} |`))
  })

  it('finds the month that the accepted report found, and claims no cause', async () => {
    const text = await report()
    expect(text).toContain(
      'Wels, 2025-09: night\\_kwh is 61 % of the total; in the other 11 of its periods it lies between 37 and 39 %',
    )
    expect(text.match(/% of the total/g)).toHaveLength(1)
    expect(text).toContain('Graz 35 %, Linz 24 %, Wels 13 %, Steyr 28 %')
    expect(text).toContain('## Limits')
  })

  it('explains what stands out from a bought log where the spec asks for it, and holds the log', async () => {
    const made = order()
    const entry = { from: '2025-09', to: '2025-09', kind: 'registers-swapped', text: 'Registers exchanged.' }
    const read = async (log: unknown) => {
      const resources = new Map([['meter log', new TextEncoder().encode(JSON.stringify(log))]])
      const { files } = await work({ ...made, resources })
      return { text: new TextDecoder().decode(files.get('REPORT.md')), paths: [...files.keys()] }
    }
    const log = { site: 'Wels', meter: 'W-1', keeper: 'Keeper', entries: [entry] }
    const explained = await read(log)
    expect(explained.text).toContain('kept by Keeper, explains it: “Registers exchanged.”')
    expect(explained.paths).toEqual(['REPORT.md', 'sources/meter-log.json'])
    const hostile = { ...entry, text: '![x](https://collect.example/)' }
    for (const other of [null, [], { ...log, site: 'Graz' }, { ...log, entries: [hostile] }, { ...log, entries: 'x' }])
      expect((await read(other)).paths).toEqual(['REPORT.md'])
  })

  it('gives the same bytes for the same order', async () => {
    expect(await report()).toBe(await report())
  })

  it('reports rows that cannot be read, and keeps them out of every figure', async () => {
    const rows = [
      'A,2025-01,10,1',
      'A,2025-02,x,1',
      'A,2025-03',
      ',2025-04,1,1',
      'A,2025-01,999,1',
      '"A,2025-05,1,1',
      'B,2025-01,0.5,0.25',
    ]
    const text = await report({
      'data/readings.csv': [head, ...rows].join('\n'),
      'spec/report.yaml': readFileSync(`${example}task/spec/report.yaml`, 'utf8').replace('integer', 'number'),
    })
    expect(tableOf(text).slice(2)).toEqual(['| A | 11 | 2025-01 |', '| B | 0.75 | 2025-01 |'])
    expect(text.match(/^- line \d+: /gm)).toHaveLength(5)
  })

  it('adds exactly what doubles cannot', async () => {
    const rows = ['A,1m,9007199254740993,0.1', 'A,2m,1,0.2']
    const spec = 'columns:\n  - { name: site }\n  - { name: all, type: number, rule: sum of total over the year }'
    expect(
      tableOf(await report({ 'data/readings.csv': [head, ...rows].join('\n'), 'spec/report.yaml': spec })).at(-1),
    ).toBe('| A | 9007199254740994.3 |')
  })

  it('lets no name of a stranger become markup, a link or a cell of its own', async () => {
    const name = '![x](https://collect.example/) <script> | 999 |\u202e'
    const text = await report({ 'data/readings.csv': `${head}\n"${name}",2025-01,1,1` })
    expect(tableOf(text)).toHaveLength(3)
    expect(tableOf(text)[2]).toContain('\\!\\[x\\](https://collect.example/) \\<script\\> \\| 999 \\|')
  })

  it.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['no data', { 'data/readings.csv': undefined }],
    ['two tables', { 'data/other.csv': 'a,b' }],
    ['an empty table', { 'data/readings.csv': head }],
    [
      'a rule that is not understood',
      { 'spec/report.yaml': 'columns:\n  - { name: site }\n  - { name: x, rule: feeling of the month }' },
    ],
    [
      'a measure that is not there',
      { 'spec/report.yaml': 'columns:\n  - { name: site }\n  - { name: x, rule: sum of gas }' },
    ],
    ['columns that are no list', { 'spec/report.yaml': 'columns: none' }],
    [
      'a first column that is not in the readings',
      { 'spec/report.yaml': 'columns: [{name: town}, {name: x, rule: sum of day}]' },
    ],
    ['fractions where integers are asked', { 'data/readings.csv': `${head}\nA,2025-01,0.5,1` }],
  ])('refuses a package with %s', async (_, changes) => {
    await expect(work(order(changes))).rejects.toMatchObject({ name: 'WorkRefusal' })
  })
})
