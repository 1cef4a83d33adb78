import { createInterface } from 'node:readline'
import { runSignerProcess } from '../src/custody/signer-process.ts'

/** A program that is a signer until it is killed: folder and socket as arguments, passphrase on standard input. */
export const SIGNER_PROGRAM = import.meta.filename

if (import.meta.main) {
  const [folder = '', socketPath = ''] = process.argv.slice(2).map((text) => String(JSON.parse(text)))
  for await (const passphrase of createInterface({ input: process.stdin })) {
    const server = await runSignerProcess({ folder, socketPath, passphrase, clockMs: () => Date.now() })
    process.stdout.write(`${JSON.stringify({ serving: server.socketPath })}\n`)
  }
}
