import { runSignerProcess } from '../src/custody/signer-process.ts'

/** A program that is a signer until it is killed: folder and socket as arguments, passphrase on standard input. */
export const SIGNER_PROGRAM = import.meta.filename

if (import.meta.main) {
  const [folder, socketPath] = process.argv.slice(2).map((text) => String(JSON.parse(text)))
  await runSignerProcess({
    folder: folder ?? '',
    socketPath: socketPath ?? '',
    input: process.stdin,
    output: process.stdout,
    clockMs: () => Date.now(),
  })
}
