import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { getTender, listSubmissions } from '@oikos/sdk'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalChain, startChain } from '../scripts/chain.ts'
import { root } from '../scripts/toolchain.ts'
import { checkBatch } from './labelling/check-batch.ts'
import { playLabelling } from './labelling/play.ts'
import { createNarrator } from './market/narrator.ts'
import { type Stage, setStage } from './market/stage.ts'
import { playSiteReport } from './site-report/play.ts'

const folder = import.meta.dirname

describe('the worked tenders', () => {
  let chain: LocalChain
  let stage: Stage
  let home: string
  const told: string[] = []

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'oikos-examples-'))
    chain = await startChain()
    const sink = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        told.push(text)
        done()
      },
    })
    stage = await setStage({ url: chain.url, contentFolder: join(home, 'content'), say: createNarrator(sink) })
  })
  afterAll(async () => {
    await chain.stop()
    await rm(home, { recursive: true, force: true })
  })

  test('labelling: three receipts pay three rewards, the gift is spent first, the rest goes back to its funder', async () => {
    const { paid, refunded, vaultLeft, target } = await playLabelling(stage)
    expect(paid).toEqual([parseEther('0.25'), parseEther('0.25'), parseEther('0.25')])
    expect(refunded).toBe(parseEther('0.1'))
    expect(vaultLeft).toBe(0n)
    const { submissions } = await listSubmissions(stage.client.stranger, { ...target, order: 'oldest' })
    expect(submissions.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'rejected', 'accepted'])
    expect(submissions.every(({ machineSettled }) => machineSettled)).toBe(true)
    const tender = await getTender(stage.client.stranger, target)
    expect([tender.completions, tender.pending, tender.cancelled, tender.frozen]).toEqual([3n, 0n, true, true])
  })

  test('site report: one refusal, one default, refunds in proportion to what was put in', async () => {
    const outcome = await playSiteReport(stage)
    expect(outcome.paid).toBe(parseEther('1.2'))
    expect(outcome.refundedToDemander).toBe(parseEther('0.2'))
    expect(outcome.refundedToPatron).toBe(parseEther('0.1'))
    expect(outcome.vaultLeft).toBe(0n)
    const { submissions } = await listSubmissions(stage.client.stranger, { ...outcome.target, order: 'oldest' })
    expect(submissions.map(({ status }) => status)).toEqual(['rejected', 'accepted'])
    expect(submissions.map(({ taskVersion }) => taskVersion)).toEqual([2n, 2n])
  })

  test('every step names a transaction or a reason, and how to check it', () => {
    const text = told.join('')
    expect(text.match(/0x[0-9a-f]{64} in block \d+/g)?.length).toBeGreaterThan(20)
    expect(text).toContain('npm run oikos -- task verify 2')
    expect(text).toMatch(/A late refusal is refused: /)
    expect(text).toMatch(/Settling at once is refused: /)
  })
})

describe('the files of the examples', () => {
  test.each([
    ['batch-1', 6],
    ['batch-2', 5],
    ['batch-3', 6],
  ])('%s passes the check with %i of 6 secret labels', async (name, agreed) => {
    const number = name.at(-1)
    const files = {
      batch: join(folder, 'labelling', 'task', 'data', `${name}.jsonl`),
      gold: join(folder, 'labelling', 'qa', `gold-${number}.jsonl`),
      delivery: join(folder, 'labelling', 'deliveries', `${name}.jsonl`),
    }
    expect(await checkBatch(files)).toEqual({ passed: true, agreed, checked: 6 })
  })

  test('the report that was paid has exactly the numbers of the readings', async () => {
    const csv = await readFile(join(folder, 'site-report', 'task', 'data', 'readings.csv'), 'utf8')
    const totals = new Map<string, { total: number; night: number; highest: [number, string] }>()
    for (const line of csv.trim().split('\n').slice(1)) {
      const [site = '', month = '', day = '', night = ''] = line.split(',')
      const entry = totals.get(site) ?? { total: 0, night: 0, highest: [0, ''] }
      const sum = Number(day) + Number(night)
      const highest: [number, string] = sum > entry.highest[0] ? [sum, month] : entry.highest
      totals.set(site, { total: entry.total + sum, night: entry.night + Number(night), highest })
    }
    const rows = [...totals].map(
      ([site, { total, night, highest }]) => `| ${site} | ${total} | ${highest[1]} | ${night} |`,
    )
    const report = await readFile(join(folder, 'site-report', 'deliveries', 'second', 'REPORT.md'), 'utf8')
    expect(rows).toHaveLength(4)
    for (const row of rows) expect(report).toContain(row)
  })
})

describe('npm start', () => {
  test('with --once plays, stops its chain, and exits with 0', async () => {
    const child = spawn(process.execPath, [join(root, 'examples', 'start.ts'), '--once'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    const exitCode = await new Promise((resolve) => child.once('close', resolve))
    expect(exitCode, output).toBe(0)
    const url = /Chain +(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
    expect(url).toBeDefined()
    await expect(fetch(url ?? '', { method: 'POST', body: '{}' })).rejects.toThrow()
    expect(output).toContain('Stopped')
  })

  test('interrupted while it waits, it stops its chain and exits with 0', async () => {
    const arguments_ = [join(root, 'examples', 'start.ts'), '--port', '0']
    const home = await mkdtemp(join(tmpdir(), 'oikos-start-'))
    const env = { ...process.env, OIKOS_HOME: home }
    const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    const waiting = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8')
        if (output.includes('Press Ctrl-C')) resolve()
      })
    })
    await waiting
    child.kill('SIGINT')
    const exitCode = await new Promise((resolve) => child.once('close', resolve))
    expect(exitCode, output).toBe(0)
    expect(await readdir(home)).toEqual(['content'])
    await rm(home, { recursive: true })
    const url = /Chain +(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1] ?? ''
    await expect(fetch(url, { method: 'POST', body: '{}' })).rejects.toThrow()
  })
})
