import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { IndexerFailedError } from './errors.ts'

/** How long a process may take to end by itself before it is killed, in milliseconds. */
const GRACE_MS = 10_000

/** Characters of a log that an error shows. */
const LOG_TAIL = 2_000

/** A process of the index, in a process group of its own. */
export type Child = {
  readonly pid: number
  /** Resolves with the exit code, null after a signal, when the process has ended. */
  readonly exited: Promise<number | null>
  /** Ends the process and its group and waits for it; may be called twice. */
  readonly stop: () => Promise<void>
  /** The last lines of its log. */
  readonly logTail: () => string
}

/** Starts a program of Node with its output in a file. Throws IndexerFailedError when it cannot be started. */
export async function startChild(options: {
  readonly args: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly logFile: string
}): Promise<Child> {
  const log = openSync(options.logFile, 'a', 0o600)
  const child = spawn(process.execPath, [...options.args], {
    cwd: options.folder,
    env: options.environment,
    stdio: ['ignore', log, log],
    // its own group: a signal for the terminal reaches the owner, who then ends the whole group in order
    detached: true,
  })
  closeSync(log)
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const logTail = (): string => readFileSync(options.logFile, 'utf8').slice(-LOG_TAIL)
  const { pid } = child
  if (pid === undefined) {
    const cause = await new Promise((resolve) => child.once('error', resolve))
    throw new IndexerFailedError('could not be started', logTail(), cause)
  }
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name)
    } catch {
      // the group is gone
    }
  }
  const onExit = (): void => signal('SIGTERM')
  process.once('exit', onExit)
  void exited.then(() => process.removeListener('exit', onExit))
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    signal('SIGTERM')
    const timer = setTimeout(() => signal('SIGKILL'), GRACE_MS)
    await exited
    clearTimeout(timer)
  }
  return { pid, exited, stop, logTail }
}
