import type { CustodyFailureListener } from './errors.ts'
import { type KeystoreVaultOptions, openKeystoreVault } from './keystore-vault.ts'
import { type SignerServer, startSignerServer } from './signer-server.ts'

/** What a signer process is told. */
export type SignerProcessOptions = Pick<KeystoreVaultOptions, 'clockMs' | 'findApproval'> & {
  /** Folder of custody. */
  readonly folder: string
  readonly socketPath: string
  /** Of all wallets of the folder. It is held in memory as long as the signer serves. */
  readonly passphrase: string
  /** Hears of each refusal: code and detail, never a secret. */
  readonly onFailure?: CustodyFailureListener
}

/** Opens the vault of a folder and serves it until it is closed. Throws CustodyError or DurableStoreError. */
export async function runSignerProcess(options: SignerProcessOptions): Promise<SignerServer> {
  const { folder, socketPath, passphrase, clockMs, findApproval, onFailure } = options
  const vault = await openKeystoreVault(folder, {
    passphraseOf: async () => passphrase,
    clockMs,
    keepsKeysOpen: true,
    ...(findApproval === undefined ? {} : { findApproval }),
  })
  try {
    const server = await startSignerServer({ vault, socketPath, ...(onFailure === undefined ? {} : { onFailure }) })
    return {
      socketPath: server.socketPath,
      close: async () => {
        await server.close()
        vault.close()
      },
    }
  } catch (cause) {
    vault.close()
    throw cause
  }
}
