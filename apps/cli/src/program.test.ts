import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandSpec, GroupSpec } from './command.ts'
import { EXIT_MEANINGS } from './exit-codes.ts'
import { COMMANDS, createProgram, GROUPS, type Request } from './program.ts'
import type { Terminal } from './terminal.ts'
import { createWorkbench } from './test/harness.ts'

type Leaf = { path: string; spec: CommandSpec }

function leaves(group: GroupSpec, prefix = ''): Leaf[] {
  const path = `${prefix}${group.name} `
  const main = group.main === undefined ? [] : [{ path: path.trimEnd(), spec: group.main }]
  const verbs = group.commands.flatMap((spec) =>
    'commands' in spec ? leaves(spec, path) : [{ path: `${path}${spec.name}`, spec }],
  )
  return [...main, ...verbs]
}

const commands = [...GROUPS.flatMap((group) => leaves(group)), ...COMMANDS.map((spec) => ({ path: spec.name, spec }))]
const examples = commands.flatMap(({ path, spec }) => spec.examples.map((line) => [line, path] as const))

/** Splits a command line as a shell does, for the quotes that examples use. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}

const silent = { writeOut: () => {}, writeError: () => {}, columns: 80 } as unknown as Terminal

describe('help', () => {
  it('has examples for every command', () => {
    expect(commands.filter(({ spec }) => spec.examples.length === 0)).toEqual([])
    expect(commands.length).toBeGreaterThan(30)
  })

  it.each(examples)('has an example that parses: %s', (line, path) => {
    const requests: Request[] = []
    const [program, ...args] = words(line)
    expect(program).toBe('oikos')
    createProgram(silent, (request) => requests.push(request)).parse(args, { from: 'user' })
    expect(requests.map(({ command }) => command)).toEqual([path])
  })

  it('describes every argument and option', () => {
    for (const { spec } of commands) {
      for (const [name, text] of spec.args ?? []) expect(text, `${spec.name} ${name}`).not.toBe('')
      const flags = (spec.options ?? []).map((option) => option.flags.split(' ')[0])
      expect(new Set(flags).size, spec.name).toBe(flags.length)
      expect(flags).toContain('--json')
    }
  })

  it('prints to standard output and ends with 0', async () => {
    const bench = await createWorkbench()
    const { code, out, err } = await bench.run(['task', 'mint', '--help'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Examples:\n  oikos task mint my-task')
    await bench.stop()
  })
})

describe('mistakes in the command line', () => {
  it.each([
    [['tsk', 'show', '7'], 'Did you mean task?'],
    [['task', 'shwo', '7'], 'Did you mean show?'],
    [['task', 'show', '7', '--jsn'], 'Did you mean --json?'],
    [['task', 'show'], "missing required argument 'task'"],
    [['task', 'show', '7', '8'], 'too many arguments'],
    [['task', 'fund', '7', '1 ETH', '--from'], 'argument missing'],
  ])('%j ends with 2 and says "%s"', async (args, sentence) => {
    const bench = await createWorkbench()
    const { code, out, err } = await bench.run(args)
    expect(code).toBe(2)
    expect(err).toContain(sentence)
    expect(out).toBe('')
    await bench.stop()
  })

  it('are a document as well with --json', async () => {
    const bench = await createWorkbench()
    const { code, json } = await bench.run(['task', 'show', '--json'])
    expect(code).toBe(2)
    expect(json).toMatchObject({ schema: 'oikos-cli/1', ok: false, exitCode: 2, error: { name: 'UsageError' } })
    await bench.stop()
  })
})

describe('docs/cli.md', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'cli.md'), 'utf8')

  it.each(commands)('has $path', ({ path, spec }) => {
    expect(text).toContain(`\`${path}`)
    for (const { flags } of spec.options ?? []) expect(text, path).toContain(flags.split(' ')[0])
  })

  it.each(EXIT_MEANINGS)('has exit code %i', (code, meaning) => {
    expect(text).toContain(`| ${code} | ${meaning} |`)
  })
})
