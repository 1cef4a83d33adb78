import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { foundryProgram } from './toolchain.ts'

/** A local chain of this process. */
export type LocalChain = { url: string; stop: () => Promise<void> }

/** Chain id of the embedded chain: Sepolia's, so that everything that is bound to a test network fits it. */
export const localChainId = 11155111

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** Starts anvil on loopback and resolves when it answers. `stop` ends that very process. */
export async function startChain(extra: readonly string[] = []): Promise<LocalChain> {
  const port = await freePort()
  const flags = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(localChainId),
    '--hardfork',
    'cancun',
  ]
  const child = spawn(foundryProgram('anvil'), [...flags, ...extra], { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString('utf8').includes('Listening on')) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`anvil stopped before it listened (exit code ${code})`)))
  })
  child.stderr.resume()
  await ready
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
