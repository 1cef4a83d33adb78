import { spawn } from 'node:child_process'
import { foundryProgram } from './toolchain.ts'

/** A local chain that belongs to this process. */
export type LocalChain = { url: string; stop: () => Promise<void> }

/** Chain id of the embedded chain: Sepolia's, so that everything that is bound to a test network fits it. */
export const localChainId = 11155111

/** How long anvil may take to listen, in milliseconds. */
const startTimeoutMs = 30_000

/**
 * Starts anvil on loopback and resolves when it listens. Port 0, the default, takes a free one. `stop` ends that very
 * process and waits for its end. Rejects with the reason when the port is taken or anvil cannot start.
 */
export async function startChain(options: { port?: number; flags?: readonly string[] } = {}): Promise<LocalChain> {
  const flags = ['--host', '127.0.0.1', '--port', String(options.port ?? 0)]
  const chain = ['--chain-id', String(localChainId), '--hardfork', 'cancun', ...(options.flags ?? [])]
  // its own process group, so that Ctrl-C reaches the owner first and the chain ends in order
  const child = spawn(foundryProgram('anvil'), [...flags, ...chain], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2_000)
  })
  // a process that ends without stop() must not leave its chain behind
  const onExit = (): void => {
    child.kill('SIGTERM')
  }
  process.once('exit', onExit)
  child.once('exit', () => process.removeListener('exit', onExit))
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('anvil did not listen within 30 seconds')), startTimeoutMs)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length > 20_000) return
      output += chunk.toString('utf8')
      const address = /Listening on (127\.0\.0\.1:\d+)/.exec(output)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(`http://${address}`)
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      const port = options.port === undefined || options.port === 0 ? 'a free port' : `port ${options.port}`
      reject(
        new Error(
          `The local chain did not start on ${port} (exit code ${code}). Is the port in use? ${complaint.trim()}`,
        ),
      )
    })
  })
  return { url, stop }
}
