import { bytesToHex } from '@noble/hashes/utils.js'
import { type Address, getAddress, isAddress, type PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { KeyError, UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import type { Keystore } from './keystore.ts'
import { readPassphrase } from './passphrase.ts'

/** Environment variable that holds a private key: 0x and 64 hexadecimal digits. */
export const PRIVATE_KEY_VARIABLE = 'OIKOS_PRIVATE_KEY'

/** Who a transaction is from. The key is opened only when it is really needed. */
export type Signer = {
  readonly address: Address
  /** How the reader knows it: a key name, the variable, or nothing for a bare address. */
  readonly label: string
  /** Whether it can sign, or only be looked at in a dry run. */
  readonly canSign: boolean
  /** Throws KeyError. */
  readonly unlock: () => Promise<PrivateKeyAccount>
}

/** How a signer is chosen. */
export type SignerOptions = {
  /** Name of a key, or an address for a dry run. */
  readonly from?: string | undefined
  readonly passphraseFile?: string | undefined
}

/**
 * Chooses the signer: --from, else OIKOS_PRIVATE_KEY, else the configured name, else the only account in the keystore.
 * @throws UsageError when none or several fit, NotFoundError for an unknown name, KeyError
 */
export async function chooseSigner(
  terminal: Terminal,
  keystore: Keystore,
  options: SignerOptions & { readonly configured?: string | undefined },
): Promise<Signer> {
  const { from } = options
  const fromEnvironment = environmentAccount(terminal)
  if (from !== undefined && isAddress(from, { strict: false })) {
    const address = getAddress(from)
    if (fromEnvironment?.address === address) return environmentSigner(fromEnvironment)
    const named = (await keystore.list()).find((entry) => entry.kind === 'account' && entry.address === address)
    return named === undefined ? watchedAddress(address) : storedSigner(terminal, keystore, named.name, options)
  }
  if (from !== undefined) return storedSigner(terminal, keystore, from, options)
  if (fromEnvironment !== undefined) return environmentSigner(fromEnvironment)
  if (options.configured !== undefined) return storedSigner(terminal, keystore, options.configured, options)
  const accounts = (await keystore.list()).filter(({ kind }) => kind === 'account')
  const [only, ...others] = accounts
  if (only !== undefined && others.length === 0) return storedSigner(terminal, keystore, only.name, options)
  if (only === undefined) {
    throw new UsageError(
      `There is no key to send this from: ${keystore.folder} has no accounts.`,
      `Make one with "key new <name>", bring one with "key import <name>", or set ${PRIVATE_KEY_VARIABLE}.`,
    )
  }
  throw new UsageError(
    'Several keys could send this.',
    `Choose one with --from: ${accounts.map(({ name }) => name).join(', ')}.`,
  )
}

function environmentAccount(terminal: Terminal): PrivateKeyAccount | undefined {
  const text = terminal.env[PRIVATE_KEY_VARIABLE]
  return text === undefined || text === '' ? undefined : accountOf(text, PRIVATE_KEY_VARIABLE)
}

/** Reads a private key. Throws KeyError, which does not quote it. */
export function accountOf(text: string, source: string): PrivateKeyAccount {
  const digits = text.trim().replace(/^0x/i, '')
  if (/^[0-9a-fA-F]{64}$/.test(digits)) {
    try {
      return privateKeyToAccount(`0x${digits.toLowerCase()}`)
    } catch {
      // the number is out of range; viem's own message would quote the key
    }
  }
  throw new KeyError('malformed', `${source} holds no private key.`, 'Give 0x and 64 hexadecimal digits.')
}

function environmentSigner(account: PrivateKeyAccount): Signer {
  return { address: account.address, label: PRIVATE_KEY_VARIABLE, canSign: true, unlock: async () => account }
}

function watchedAddress(address: Address): Signer {
  return {
    address,
    label: '',
    canSign: false,
    unlock: async () => {
      throw new KeyError(
        'missing-secret',
        `There is no key for ${address}, so nothing can be sent from it.`,
        'Add --dry-run to look only, or import its key.',
      )
    },
  }
}

async function storedSigner(
  terminal: Terminal,
  keystore: Keystore,
  name: string,
  options: SignerOptions,
): Promise<Signer> {
  const entry = await keystore.get(name)
  if (entry.kind !== 'account') {
    throw new KeyError('kind', `The key ${name} opens packages; it is no account.`, 'Choose an account with --from.')
  }
  return {
    address: entry.address,
    label: name,
    canSign: true,
    unlock: async () => {
      const passphrase = await readPassphrase(terminal, name, { file: options.passphraseFile })
      return accountOf(bytesToHex(await keystore.open(name, passphrase)), `The key ${name}`)
    },
  }
}
