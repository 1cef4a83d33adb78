import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../apps/cli/src/program.ts'
import { marketNames } from './play.ts'

/** What the parser of the command line asks of a terminal. */
const terminal = { writeOut: () => {}, writeError: () => {}, columns: 80 } as unknown as Parameters<
  typeof createProgram
>[0]

/** The commands of a README: indented lines, as Markdown has code. */
async function commandsOf(market: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, market, 'README.md'), 'utf8')
  return [...text.matchAll(/^ {4}(oikos .*)$/gm)].map(([, line = '']) => line)
}

describe.each(marketNames)('the README of %s', async (market) => {
  test.each(await commandsOf(market))('%s', (line) => {
    const requests: string[] = []
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
    createProgram(terminal, ({ command }) => requests.push(command)).parse(words.slice(1), { from: 'user' })
    expect(requests).toHaveLength(1)
  })

  test('ends with an audit', async () => {
    expect((await commandsOf(market)).at(-1)).toBe('oikos audit 7')
  })
})
