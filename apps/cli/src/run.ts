import { TransactionPendingError } from '@oikos/sdk'
import { CommanderError } from 'commander'
import { type Context, createContext } from './context.ts'
import { InterruptedError } from './errors.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { reportFailure } from './failure.ts'
import { createOutput, invocationOf } from './output/output.ts'
import { createProgram, type Request } from './program.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs one command line and returns its exit code. Nothing is global and the process is left alone, so it can run many
 * times in one process.
 * @param args without the names of interpreter and program
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const request = parse(args, terminal)
  if (typeof request === 'number') return request
  const { command, spec, input } = request
  const mode = { json: input.flag('json'), verbose: input.flag('verbose') }
  let context: Context | undefined
  try {
    context = await createContext(terminal, command, input)
    if (spec.endsInOrder) return await spec.run(context, input)
    return await Promise.race([spec.run(context, input), interruption(terminal.signal)])
  } catch (error) {
    const shown = terminal.signal.aborted && spec.endsInOrder !== true ? interruptionOf(context) : error
    return reportFailure(createOutput(terminal, command, invocationOf(terminal.env), mode), shown)
  }
}

function parse(args: readonly string[], terminal: Terminal): Request | ExitCode {
  const requests: Request[] = []
  const program = createProgram(terminal, (request) => requests.push(request))
  try {
    program.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return EXIT.done
    // the sentence is on standard error already; a script reads the document
    if (args.includes('--json')) {
      const failure = { name: 'UsageError', message: error.message, advice: 'See --help.', retryable: false }
      const output = createOutput(terminal, 'oikos', invocationOf(terminal.env), { json: true, verbose: false })
      output.result({ ok: false, exitCode: EXIT.usage, error: failure }, [])
    }
    return EXIT.usage
  }
  return requests[0] ?? EXIT.usage
}

/** What an interruption has left: nothing, or a transaction that may still come through. */
function interruptionOf(context: Context | undefined): Error {
  const [hash] = context?.pending ?? []
  return hash === undefined ? new InterruptedError() : new TransactionPendingError(hash, 0)
}

/** Rejects on Ctrl-C, for a command that waits for something that does not. */
function interruption(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(new InterruptedError())
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
