import { Command, Option } from 'commander'
import type { CommandSpec, GroupSpec, OptionSpec } from './command.ts'
import { agent } from './commands/agent/index.ts'
import { approver } from './commands/approver/index.ts'
import { audit } from './commands/audit/index.ts'
import { content } from './commands/content/index.ts'
import { evidence } from './commands/evidence/index.ts'
import { gate } from './commands/gate/index.ts'
import { init } from './commands/init/index.ts'
import { intent } from './commands/intent/index.ts'
import { journal } from './commands/journal/index.ts'
import { jury } from './commands/jury/index.ts'
import { key } from './commands/key/index.ts'
import { mcp } from './commands/mcp/index.ts'
import { outcome } from './commands/outcome/index.ts'
import { pay } from './commands/pay/index.ts'
import { policy } from './commands/policy/index.ts'
import { reason } from './commands/reason/index.ts'
import { router } from './commands/router/index.ts'
import { royalty } from './commands/royalty/index.ts'
import { split } from './commands/split/index.ts'
import { task } from './commands/task/index.ts'
import { transaction } from './commands/transaction/index.ts'
import { verifier } from './commands/verifier/index.ts'
import { wallet } from './commands/wallet/index.ts'
import { EXIT_MEANINGS } from './exit-codes.ts'
import { createInput, type Input } from './input/input.ts'
import type { Terminal } from './terminal.ts'

/** Every noun. */
export const GROUPS: readonly GroupSpec[] = [
  task,
  verifier,
  outcome,
  jury,
  gate,
  split,
  router,
  royalty,
  agent,
  reason,
  key,
  content,
  transaction,
  policy,
  intent,
  journal,
  evidence,
  wallet,
  pay,
  approver,
]

/** What is a command by itself. */
export const COMMANDS: readonly CommandSpec[] = [init, audit, mcp]

/** What the command line asked for. */
export type Request = { readonly command: string; readonly spec: CommandSpec; readonly input: Input }

/**
 * The parser of the command line. It runs nothing: what was asked for is handed to `onRequest`. Throws CommanderError for
 * help (exit code 0) and for what cannot be parsed.
 */
export function createProgram(terminal: Terminal, onRequest: (request: Request) => void): Command {
  const program = new Command('oikos')
  program
    .description('Agents that issue equity (ERC-8406), tasks that are tokens (ERC-8414), payments under a policy.')
    .version('0.1.0')
    .configureOutput({
      writeOut: terminal.writeOut,
      writeErr: terminal.writeError,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .allowExcessArguments(false)
    .addHelpText('after', `\n${overview()}\n`)
  for (const group of GROUPS) addGroup(program, group, onRequest)
  for (const command of COMMANDS) addCommand(program, command, onRequest)
  return program
}

function addGroup(parent: Command, group: GroupSpec, onRequest: (request: Request) => void): void {
  // A verb may have the same options as its noun alone; they belong to whom they follow.
  const command = parent.command(group.name).description(group.summary).enablePositionalOptions()
  if (group.main !== undefined) setUp(command, group.main, onRequest)
  for (const spec of group.commands) {
    if ('commands' in spec) addGroup(command, spec, onRequest)
    else addCommand(command, spec, onRequest)
  }
}

function addCommand(parent: Command, spec: CommandSpec, onRequest: (request: Request) => void): void {
  setUp(parent.command(spec.name), spec, onRequest)
}

function setUp(command: Command, spec: CommandSpec, onRequest: (request: Request) => void): void {
  const details = spec.details === undefined ? '' : `\n\n${spec.details}`
  command.summary(spec.summary).description(`${sentence(spec.summary)}${details}`)
  for (const [name, text] of spec.args ?? []) command.argument(name, text)
  for (const option of spec.options ?? []) command.addOption(toOption(option))
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}\n`)
  command.action(() => {
    const args = command.processedArgs as (string | undefined)[]
    onRequest({ command: pathOf(command), spec, input: createInput(args, command.opts()) })
  })
}

function toOption({ flags, text, many }: OptionSpec): Option {
  const option = new Option(flags, text)
  return many === true
    ? option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value])
    : option
}

/** `task reclaim escrow`. */
function pathOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function overview(): string {
  return [
    'Every command explains itself with --help, takes --json for scripts, and simulates before it sends.',
    'Results go to standard output, everything else to standard error.',
    '',
    'Exit codes:',
    ...EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`),
    '',
    'Examples:',
    '  oikos task list',
    '  oikos task show 1',
    '  oikos task verify 1',
  ].join('\n')
}
