#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { EXIT } from './exit-codes.ts'
import { createPrompt } from './prompt.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

const { stdin, stdout, stderr, env } = process
const colours = env['NO_COLOR'] === undefined || env['NO_COLOR'] === ''
const interruption = new AbortController()
// the first Ctrl-C ends in order and says what is known; a second one ends at once
process.once('SIGINT', () => {
  process.once('SIGINT', () => process.exit(EXIT.interrupted))
  interruption.abort()
})
// a service manager ends a program like this
process.once('SIGTERM', () => interruption.abort())
// a reader that has seen enough, such as head, is no failure
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.unexpected))

const terminal: Terminal = {
  writeOut: (text) => {
    stdout.write(text)
  },
  writeError: (text) => {
    stderr.write(text)
  },
  colourOut: colours && stdout.isTTY === true,
  colourError: colours && stderr.isTTY === true,
  interactive: stdin.isTTY === true && stderr.isTTY === true,
  columns: stdout.columns ?? 80,
  env,
  cwd: process.cwd(),
  userHome: homedir(),
  checkout: join(import.meta.dirname, '..', '..', '..'),
  ...createPrompt(stdin, stderr),
  entropy: (length) => new Uint8Array(randomBytes(length)),
  signal: interruption.signal,
}

process.exitCode = await run(process.argv.slice(2), terminal)
// requests of an interrupted command would keep the process alive
if (interruption.signal.aborted) process.exit()
