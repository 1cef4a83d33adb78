import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { openKeystoreVault } from './keystore-vault.ts'
import { type SignerServer, startSignerServer } from './signer-server.ts'

/** What a signer process is told. */
export type SignerProcessOptions = {
  /** Folder of custody. */
  readonly folder: string
  readonly socketPath: string
  /** Its first line is the passphrase of all wallets of the folder. */
  readonly input: Readable
  /** Gets one line of JSON when the signer serves, and one for each refusal: code and detail, never a secret. */
  readonly output: Writable
  readonly clockMs: () => number
}

/** Opens the vault of a folder and serves it until it is closed. Throws CustodyError or DurableStoreError. */
export async function runSignerProcess(options: SignerProcessOptions): Promise<SignerServer> {
  const { folder, socketPath, input, output, clockMs } = options
  const passphrase = await firstLine(input)
  const say = (value: unknown): void => {
    output.write(`${JSON.stringify(value)}\n`)
  }
  const vault = await openKeystoreVault(folder, { passphraseOf: async () => passphrase, clockMs, keepsKeysOpen: true })
  const server = await startSignerServer({
    vault,
    socketPath,
    onFailure: ({ code, message }) => say({ refused: code, message }),
  })
  say({ serving: server.socketPath })
  const close = async (): Promise<void> => {
    await server.close()
    vault.close()
  }
  return { socketPath: server.socketPath, close }
}

async function firstLine(input: Readable): Promise<string> {
  const lines = createInterface({ input })
  for await (const line of lines) {
    lines.close()
    return line
  }
  return ''
}
