import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { findReleaseFaults } from './benchmark/check-release.ts'
import { checkConformance } from './confidential-opinion/conformance.ts'
import { checkBuild, fairAnswer, readCases } from './exclusive-build/check-build.ts'
import { checkPairs } from './labelling/check-pairs.ts'
import { findReportFaults, type Topic } from './media-report/check-report.ts'
import { callApart } from './stage/call-apart.ts'

const folder = import.meta.dirname
const anyHash = `0x${'12'.repeat(32)}` as const
const text = (...path: string[]) => readFile(join(folder, ...path), 'utf8')
const encode = (source: string) => new TextEncoder().encode(source)

describe('labels, checked against the secret ones', () => {
  const check = (number: number, delivery: string) =>
    checkPairs({
      batch: join(folder, 'labelling', 'task', 'data', `batch-${number}.csv`),
      gold: join(folder, 'labelling', 'qa', `gold-${number}.csv`),
      delivery: join(folder, ...delivery.split('/')),
    })

  test.each([
    [1, 'batch-1', 8, true],
    [2, 'batch-2', 7, true],
    [3, 'batch-3-first-try', 2, false],
    [3, 'batch-3', 8, true],
    [4, 'batch-4', 2, false],
  ])('batch %i as delivered in %s agrees in %i of 8', async (number, name, agreed, passed) => {
    expect(await check(number, `labelling/deliveries/${name}.csv`)).toEqual({ passed, agreed, checked: 8 })
  })

  test.each([
    ['another batch', 1, 'labelling/deliveries/batch-2.csv', 'line 2 should label p101'],
    ['no labels at all', 1, 'labelling/task/TASK.md', 'no list of pairs and labels'],
    ['fewer labels than pairs', 1, 'labelling/qa/gold-1.csv', '8 labels for 16 pairs'],
  ])('%s is a problem and not a failure', async (_what, number, delivery, problem) => {
    expect(await check(number, delivery)).toEqual({ passed: false, agreed: 0, checked: 8, problem })
  })
})

describe('media reports, checked against the feed', async () => {
  const { topics } = JSON.parse(await text('media-report', 'task', 'spec', 'topics.json')) as { topics: Topic[] }
  const editions = (await readdir(join(folder, 'media-report', 'feed'))).map((name) => name.replace('.csv', '')).sort()
  const faultsOf = async (name: string, change: (report: string) => string = (report) => report) =>
    findReportFaults({
      ...{ name, topics, feed: await text('media-report', 'feed', `${name}.csv`) },
      report: change(await text('media-report', 'deliveries', name, 'REPORT.md')),
    })

  test.each(editions)('%s has no fault', async (name) => {
    expect(await faultsOf(name)).toEqual([])
  })

  test('a report that names another edition is no report on this one', async () => {
    const faults = await faultsOf('day-1-morning', (report) => report.replaceAll('day-1-morning', 'day-1-evening'))
    expect(faults).toEqual(['the heading does not name the edition'])
  })

  test.each([
    [
      'a count',
      (report: string) => report.replace('| labour | 1 |', '| labour | 2 |'),
      /^the row of labour should have 1 /,
    ],
    ['the digest', (report: string) => report.replace('feed: 0x', 'feed: 0x0'), /^the digest of the feed /],
    [
      'an invented item',
      (report: string) => report.replace('## Summary', '- 09:09 Tagblatt: x\n\n## Summary'),
      /^invented: /,
    ],
    ['a dropped item', (report: string) => report.replace(/^- .*\n/m, ''), /^missing: /],
    ['an item twice', (report: string) => report.replace(/^(- .*\n)/m, '$1$1'), /^items are repeated /],
    ['no summary', (report: string) => report.replace('## Summary', '## Soon'), /^there is no summary$/],
    ['a number out of the air', (report: string) => `${report}Up 77 percent.\n`, /^77 in the summary /],
    [
      'another row',
      (report: string) => report.replace('\n\n## Items', '\n| weather | 1 | 1 |\n\n## Items'),
      /^the table has 5 /,
    ],
  ])('%s is found', async (_what, change, fault) => {
    expect((await faultsOf('day-1-morning', change)).join('\n')).toMatch(fault)
  })
})

describe('builds, called apart', async () => {
  const cases = await text('exclusive-build', 'task', 'acceptance', 'cases.txt')
  const check = (source: string) => checkBuild({ taskHash: anyHash, module: encode(source), cases, seed: 7 })
  const revision = (number: number) =>
    text('exclusive-build', 'deliveries', `revision-${number}`, 'src', 'fair-split.mjs')

  test('the cases of the package follow from its rules', () => {
    const list = readCases(cases)
    expect(list.length).toBe(39)
    for (const { request, answer } of list) expect(fairAnswer(request)).toBe(answer)
  })

  test('the first revision answers most requests wrongly, the second all of them right', async () => {
    expect(await check(await revision(1))).toMatchObject({ passed: false, asked: 339 })
    expect(await check(await revision(2))).toEqual({ passed: true, right: 339, asked: 339, faults: [] })
  })

  test.each([
    [
      'reads a file',
      `import { readFileSync } from 'node:fs'; export const answerLines = () => readFileSync('/etc/hosts', 'utf8')`,
    ],
    [
      'starts a process',
      `import { execSync } from 'node:child_process'; export const answerLines = () => String(execSync('ls'))`,
    ],
    [
      'asks for the environment',
      `export const answerLines = () => { if (process.env.PATH) return process.env.PATH; throw new Error('empty') }`,
    ],
    ['throws', `export const answerLines = () => { throw new Error('no') }`],
    ['has no such function', `export const other = 1`],
    ['is no module', `}`],
    ['gives back no text', `export const answerLines = () => ({})`],
    ['ends the process', `export const answerLines = () => process.exit(0)`],
  ])('a module that %s has not passed', async (_what, source) => {
    expect(await check(source)).toMatchObject({ passed: false, right: 0, faults: [expect.stringMatching(/^worker\./)] })
  })

  test('a module that never ends is stopped', async () => {
    const module = encode('export const answerLines = () => { for (;;); }')
    const call = { taskHash: anyHash, module, functionName: 'answerLines', texts: [''] }
    expect(await callApart({ ...call, limits: { timeoutMs: 1_000 } })).toMatchObject({
      ok: false,
      code: 'worker.timeout',
    })
  })

  test('the command of the second revision reads requests from standard input', async () => {
    const program = join(folder, 'exclusive-build', 'deliveries', 'revision-2', 'bin', 'fair-split.mjs')
    const running = promisify(execFile)(process.execPath, [program])
    running.child.stdin?.end('100.00 1 1 1\n7 2 3\nten 1\n')
    expect((await running).stdout).toBe('33.34 33.33 33.33\n3 4\nerror\n')
  })

  test('answers that are one too few are no answers', async () => {
    const source = `export const answerLines = (text) => text.replace('\\n', '')`
    expect(await check(source)).toMatchObject({ passed: false, right: 0, faults: ['338 answers to 339 requests'] })
  })
})

describe('opinions, checked by the script of the package', async () => {
  const task = {
    taskHash: anyHash as never,
    documents: new Map([
      [
        'acceptance/conformance.mjs',
        encode(await text('confidential-opinion', 'task', 'acceptance', 'conformance.mjs')),
      ],
      ['spec/opinion.json', encode(await text('confidential-opinion', 'revision', 'spec', 'opinion.json'))],
    ]),
  }
  const sound = await text('confidential-opinion', 'deliveries', 'sound', 'OPINION.md')
  const check = (opinion: string) => checkConformance(task, new Map([['OPINION.md', encode(opinion)]]))

  test('the sound one passes all checks, the thin one fails eighteen', async () => {
    expect(await check(sound)).toEqual({ passed: true, checks: 29, failed: [] })
    const thin = await check(await text('confidential-opinion', 'deliveries', 'thin', 'OPINION.md'))
    expect([thin.passed, thin.failed.length]).toEqual([false, 18])
  })

  test.each([
    ['an answer is dropped', (opinion: string) => opinion.replace('Answer: depends\n', ''), 'Q2 answer'],
    ['a question is dropped', (opinion: string) => opinion.replace(/## Q3[\s\S]*(?=## Assumptions)/, ''), 'sections'],
    [
      'a clause is invented',
      (opinion: string) => opinion.replace('Clauses: 5.2,', 'Clauses: 5.9,'),
      'Q2 clauses exist',
    ],
    [
      'a clause is named and not discussed',
      (opinion: string) => opinion.replace('11.2, 5.3', '11.2, 5.3, 9.4'),
      'Q3 clauses discussed',
    ],
    [
      'the counter-argument goes',
      (opinion: string) => opinion.replace('Against: If the', 'If the'),
      'Q3 counter-argument',
    ],
    ['it is of another version', (opinion: string) => opinion.replace('version: 2', 'version: 1'), 'version'],
    ['a placeholder stays', (opinion: string) => opinion.replace('Taxes,', 'TBD,'), 'no placeholders'],
    ['nothing is delivered', () => '', 'heading'],
  ])('degraded, the sound one fails: %s', async (_what, degrade, failed) => {
    const result = await check(degrade(sound))
    expect(result.passed).toBe(false)
    expect(result.failed.join('\n')).toContain(` ${failed}: `)
  })
})

describe('releases of the benchmark, recomputed', () => {
  const faultsOf = async (name: string, change: (list: string) => string = (list) => list) =>
    findReleaseFaults({
      about: await text('benchmark', 'deliveries', name, 'RELEASE.md'),
      list: change(await text('benchmark', 'deliveries', name, 'items.csv')),
    })

  test('two are right, and the draft is contaminated and has a wrong answer', async () => {
    expect(await faultsOf('release-1')).toEqual([])
    expect(await faultsOf('release-2')).toEqual([])
    expect(await faultsOf('release-2-draft')).toEqual([
      'r2-01 (test) and r2-06 (dev) have the same basis',
      'r2-10 (test) and r2-21 (dev) have the same basis',
      'r2-04: the answer is 255, not 256',
    ])
  })

  test.each([
    [
      'an answer',
      (list: string) => list.replace('metres?",8800', 'metres?",880'),
      'r1-01: the answer is 8800, not 880',
    ],
    [
      'a split',
      (list: string) => list.replace('r1-01,convert,dev', 'r1-01,convert,test'),
      'convert has 2 items in dev, not 3',
    ],
    [
      'a question',
      (list: string) => list.replace('"8.8 kilometres', '"Eight kilometres'),
      'r1-01: the question does not hold 8.8',
    ],
    [
      'a basis',
      (list: string) => list.replace('convert 8.8 kilometres metres', 'convert 8.8 miles metres'),
      'r1-01: the basis asks nothing',
    ],
    ['a date', (list: string) => list.replace('days 2028-03-03', 'days 2028-02-30'), 'r1-03: the basis asks nothing'],
    ['an id', (list: string) => list.replace('r1-02,', 'r1-01,'), 'have the same id'],
    ['the end', (list: string) => list.slice(0, -1), 'is not the list that the specification describes'],
  ])('%s that was changed is found', async (_what, change, fault) => {
    expect((await faultsOf('release-1', change)).join('\n')).toContain(fault)
  })
})
