import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A child that prints one JSON value a line. */
export type LineChild = {
  readonly process: ChildProcess
  /** Every line so far. */
  readonly lines: readonly unknown[]
  /** The exit code or the signal, once all lines have been read. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Resolves when at least `count` lines have come; rejects when the child ends before. */
  readonly hasLines: (count: number) => Promise<void>
}

/** Runs a TypeScript program with arguments that travel as JSON. */
export function runChild(program: string, ...values: readonly unknown[]): LineChild {
  return follow(process.execPath, commandOf(program, values))
}

/** As {@link runChild}, but no file may grow beyond so many blocks of 512 bytes: a disk that is full. */
export function runCrampedChild(maxBlocks: number, program: string, ...values: readonly unknown[]): LineChild {
  const shell = `trap '' XFSZ; ulimit -f ${maxBlocks}; exec "$0" "$@"`
  return follow('/bin/sh', ['-c', shell, process.execPath, ...commandOf(program, values)])
}

function commandOf(program: string, values: readonly unknown[]): string[] {
  return ['--no-warnings', program, ...values.map((value) => JSON.stringify(value))]
}

function follow(command: string, args: readonly string[]): LineChild {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  // A killed child closes its input; writing to it then is not an error of the test.
  child.stdin.on('error', () => {})
  const lines: unknown[] = []
  let wake = () => {}
  let ended = false
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line))
    wake()
  })
  const exit = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => {
      ended = true
      resolve(code ?? signal ?? 'SIGKILL')
      wake()
    })
  })
  const hasLines = async (count: number): Promise<void> => {
    while (lines.length < count) {
      if (ended) throw new Error(`child: ended after ${lines.length} lines, expected ${count}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { process: child, lines, ended: exit, hasLines }
}
