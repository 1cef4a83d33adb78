import { join } from 'node:path'
import type { Rail } from '@oikos/core/economic'
import { openAllowList } from './allow-list.ts'
import { preparePrivateFolder } from './private-files.ts'
import type { RailKey } from './rail-key.ts'
import { openSignatureRecord } from './signature-record.ts'
import { createVault, type Vault, type VaultOptions } from './vault.ts'
import { openWalletFolder, type WalletFolderOptions } from './wallets.ts'

/** How a vault over files is opened. */
export type KeystoreVaultOptions = Pick<VaultOptions, 'clockMs' | 'findApproval'> &
  WalletFolderOptions & {
    /** The passphrase of a wallet, asked for whenever its key is opened. */
    readonly passphraseOf: (walletId: string, rail: Rail) => Promise<string>
    /**
     * Keeps keys in memory once they are open, as a process does that signs and does nothing else. Otherwise a key is
     * opened for one signature and forgotten, which costs the work of scrypt each time.
     */
    readonly keepsKeysOpen?: boolean
  }

/** The folder of wallets inside a folder of custody. */
export function walletsFolder(folder: string): string {
  return join(folder, 'wallets')
}

/**
 * A vault over one folder: encrypted wallets, the allow list and the record of signatures, all closed to everybody but
 * their owner. Throws CustodyError or DurableStoreError.
 */
export async function openKeystoreVault(
  folder: string,
  options: KeystoreVaultOptions,
): Promise<Vault & { readonly close: () => void }> {
  await preparePrivateFolder(folder)
  const wallets = openWalletFolder(walletsFolder(folder), options)
  const record = await openSignatureRecord(folder)
  const { clockMs, findApproval, passphraseOf, keepsKeysOpen = false } = options
  const openKeys = new Map<string, RailKey>()
  const open = async (walletId: string, rail: Rail): Promise<RailKey> => {
    const name = `${walletId} ${rail}`
    const known = openKeys.get(name)
    if (known !== undefined) return known
    const key = await wallets.open(walletId, rail, await passphraseOf(walletId, rail))
    if (keepsKeysOpen) openKeys.set(name, key)
    return key
  }
  const vault = createVault({
    find: wallets.find,
    open,
    allowList: openAllowList(folder),
    record,
    clockMs,
    ...(findApproval === undefined ? {} : { findApproval }),
  })
  return { ...vault, close: () => record.close() }
}
