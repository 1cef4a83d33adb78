import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Root folder of the workspace. */
export const root = dirname(import.meta.dirname)

/**
 * Path of a Foundry program. The npm launchers are passed by: `forge`'s exits 0 when tests fail, and `anvil`'s leaves
 * its child alive when it is killed.
 */
export function foundryProgram(name: 'forge' | 'anvil'): string {
  const require = createRequire(import.meta.url)
  const platform = `${process.platform === 'win32' ? 'win32' : process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const manifest = require.resolve(`@foundry-rs/${name}-${platform}/package.json`)
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

/** What a finished program left behind. */
export type ProgramResult = { exitCode: number; output: string }

/** Runs a program to its end. `echo` passes its output through while it runs; it is collected in any case. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd?: string; echo?: boolean; env?: Record<string, string> } = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    const collect = (sink: NodeJS.WriteStream) => (chunk: Buffer) => {
      chunks.push(chunk)
      if (options.echo === true) sink.write(chunk)
    }
    child.stdout.on('data', collect(process.stdout))
    child.stderr.on('data', collect(process.stderr))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const exitCode = code ?? (signal === null ? 1 : 128)
      resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}
