import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../../scripts/toolchain.ts'
import { marketNames } from './play.ts'

const run = (...args: string[]) => runProgram(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args])

describe('npm run examples', () => {
  test('--help explains itself and names every market', async () => {
    const { exitCode, output } = await run('--help')
    expect(exitCode).toBe(0)
    for (const name of marketNames) expect(output).toContain(name)
  })

  test.each([[['bazaar']], [['--loud']]])('%j is a wrong command line', async (args) => {
    const { exitCode, output } = await run(...args)
    expect(exitCode).toBe(2)
    expect(output).toContain('See npm run examples -- --help.')
  })

  test('plays the markets that are named, and tells of the money as people read it', async () => {
    const { exitCode, output } = await run('benchmark', 'labelling')
    expect(exitCode, output).toBe(0)
    expect(output).toContain('money        jonas +40 USDC')
    expect(output).toContain('money        mora +0.500000000000000001 ETH')
    expect(output).toContain('2 markets played, accounted for and audited.')
    expect(output).not.toContain('Media report')
  })

  test('--json prints one document, with every amount as exact decimal text, and tells the story elsewhere', async () => {
    const program = join(import.meta.dirname, 'run.ts')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, '--json', 'exclusive-build'])
    const { schema, markets } = JSON.parse(stdout) as {
      schema: string
      markets: {
        market: string
        deliveries: { status: string }[]
        money: { lines: { who: string; movedAtomic: string; gasWei: string }[] }
        audit: { status: string }
      }[]
    }
    expect([schema, markets.map(({ market }) => market)]).toEqual(['oikos-markets/1', ['exclusive-build']])
    const [played] = markets
    expect(played?.deliveries.map(({ status }) => status)).toEqual(['rejected', 'accepted'])
    expect(played?.audit.status).toBe('verified')
    const moved = played?.money.lines.map(({ who, movedAtomic }) => `${who} ${movedAtomic}`)
    expect(moved).toContain('guild -355555555555555556')
    expect(stderr).toContain('Exclusive build: refused once, then paid by silence')
  })
})
