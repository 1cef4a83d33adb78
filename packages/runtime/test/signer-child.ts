import { runSignerProcess } from '../src/custody/signer-process.ts'

/** A signer in a process of its own, until it is killed: folder and socket as arguments, passphrase on standard input. */
const [folder, socketPath] = process.argv.slice(2).map((text) => String(JSON.parse(text)))
await runSignerProcess({
  folder: folder ?? '',
  socketPath: socketPath ?? '',
  input: process.stdin,
  output: process.stdout,
  clockMs: () => Date.now(),
})
