import type { Terminal } from '../terminal.ts'
import { createPaint, type Paint } from './paint.ts'
import { toJsonText } from './plain.ts'

/** First member of every JSON document that a command prints. */
const CLI_SCHEMA = 'oikos-cli/1'

/** Where a command says things: results to standard output, everything else to standard error. */
export type Output = {
  readonly json: boolean
  readonly verbose: boolean
  /** For text that goes to standard output. */
  readonly paint: Paint
  /** For text that goes to standard error. */
  readonly paintError: Paint
  /** The result of the command, once: the document with --json, else the lines. */
  readonly result: (document: Readonly<Record<string, unknown>>, lines: readonly string[]) => void
  /** A line for the person, on standard error. */
  readonly say: (line: string) => void
  /** The next sensible commands, without the program's name. */
  readonly next: (...commands: readonly string[]) => void
}

/** The output of one command. */
export function createOutput(
  terminal: Terminal,
  command: string,
  invocation: string,
  mode: { readonly json: boolean; readonly verbose: boolean },
): Output {
  const paintError = createPaint(terminal.colourError)
  const say = (line: string): void => terminal.writeError(`${line}\n`)
  return {
    ...mode,
    paint: createPaint(terminal.colourOut),
    paintError,
    result: (document, lines) => {
      if (mode.json) terminal.writeOut(`${toJsonText({ schema: CLI_SCHEMA, command, ...document })}\n`)
      else if (lines.length > 0) terminal.writeOut(`${lines.join('\n')}\n`)
    },
    say,
    next: (...commands) => {
      if (commands.length === 0) return
      say(paintError('dim', 'Next:'))
      for (const line of commands) say(`  ${invocation} ${line}`)
    },
  }
}

/** How the user starts this program again: through npm in a checkout, else by its name. */
export function invocationOf(env: Terminal['env']): string {
  return env['npm_lifecycle_event'] === 'oikos' ? 'npm run oikos --' : 'oikos'
}
