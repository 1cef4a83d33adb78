import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isIdentifier,
  isRail,
  isRailAddress,
  type Network,
  RAIL_NETWORKS,
  type Rail,
  type RailAddress,
} from '@oikos/core/economic'
import { decryptSecret, type EncryptedSecret, EncryptedSecretError, encryptSecret } from './encrypted-secret.ts'
import { CustodyError } from './errors.ts'
import { assertPrivateFolder, preparePrivateFolder, readPrivateFile, writePrivateFile } from './private-files.ts'
import { openRailKey, type RailKey } from './rail-key.ts'

/** What everyone may know of a wallet on one rail. A wallet id may have a key on each of the three rails. */
export type WalletDescription = {
  readonly walletId: string
  readonly rail: Rail
  /** Sepolia, devnet or regtest; there is no other. */
  readonly network: Network
  readonly address: RailAddress
}

/** A wallet to be made. Without a secret, a fresh key is. */
export type NewWallet = {
  readonly walletId: string
  readonly rail: Rail
  /** Any other than the one of the rail is refused. */
  readonly network: string
  readonly passphrase: string
  /** 32 bytes: a secp256k1 key (EVM, Bitcoin) or an ed25519 seed (Solana). */
  readonly secret?: Uint8Array
}

/** Wallets in a folder, one encrypted file each. */
export type WalletFolder = {
  readonly folder: string
  /** Writes a new wallet; a name that is taken is refused. Throws {@link CustodyError}. */
  readonly add: (wallet: NewWallet) => Promise<WalletDescription>
  /** All wallets, in the order of their names. Throws {@link CustodyError}. */
  readonly list: () => Promise<readonly WalletDescription[]>
  /** A wallet, or undefined. Throws {@link CustodyError}. */
  readonly find: (walletId: string, rail: Rail) => Promise<WalletDescription | undefined>
  /** Decrypts the key of a wallet. Throws {@link CustodyError}. */
  readonly open: (walletId: string, rail: Rail, passphrase: string) => Promise<RailKey>
}

/** Wallets that one folder may hold. */
const MAX_WALLETS = 1_000
const EXTENSION = '.wallet.json'
/** Random bytes in the name of an unfinished file. */
const TOKEN_BYTES = 8

/** How a folder of wallets is worked with. */
export type WalletFolderOptions = {
  readonly entropy?: (length: number) => Uint8Array
  /** Work of scrypt for a wallet that is written, a power of two. Default 262,144. */
  readonly scryptCost?: number
}

/**
 * The wallets in a folder, which need not exist yet. A file is Web3 Secret Storage, version 3, whose member `oikos` says in
 * clear text which wallet it is. Folder and files must be closed to everybody but their owner, and are checked each time.
 */
export function openWalletFolder(folder: string, options: WalletFolderOptions = {}): WalletFolder {
  const { entropy = (length: number) => new Uint8Array(randomBytes(length)), scryptCost } = options
  const pathOf = (walletId: string, rail: Rail): string => join(folder, fileName(walletId, rail))

  const read = async (walletId: string, rail: Rail): Promise<WalletFile | undefined> => {
    await assertPrivateFolder(folder)
    const path = pathOf(walletId, rail)
    const text = await readPrivateFile(path)
    return text === undefined ? undefined : parseWalletFile(text, path, { walletId, rail })
  }

  return {
    folder,
    add: async ({ walletId, rail, network, passphrase, secret = entropy(32) }) => {
      assertWallet(walletId, rail, network)
      if (passphrase === '') throw new CustodyError('passphrase', 'it is empty; it is all that protects the key')
      const { address } = openRailKey(rail, secret)
      const description = { walletId, rail, network: RAIL_NETWORKS[rail].network, address }
      const crypto = await encryptSecret(secret, passphrase, entropy, scryptCost)
      await preparePrivateFolder(folder)
      const token = Buffer.from(entropy(TOKEN_BYTES)).toString('hex')
      await writePrivateFile(pathOf(walletId, rail), renderWalletFile(description, crypto), { token, mode: 'new' })
      return description
    },
    list: async () => {
      await assertPrivateFolder(folder)
      const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort()
      if (names.length > MAX_WALLETS)
        throw new CustodyError('file_malformed', `${folder} holds ${names.length} wallets`)
      const wallets = names.map(walletOf).filter((wallet) => wallet !== undefined)
      const files = await Promise.all(wallets.map(({ walletId, rail }) => read(walletId, rail)))
      return files.filter((file) => file !== undefined).map(({ description }) => description)
    },
    find: async (walletId, rail) => (isIdentifier(walletId) ? (await read(walletId, rail))?.description : undefined),
    open: async (walletId, rail, passphrase) => {
      const file = isIdentifier(walletId) ? await read(walletId, rail) : undefined
      if (file === undefined) throw new CustodyError('wallet_unknown', `${walletId} on ${rail}`)
      const key = openRailKey(rail, await decrypt(file.crypto, passphrase))
      if (key.address === file.description.address) return key
      throw new CustodyError(
        'file_malformed',
        `the key is that of ${key.address}, the file says ${file.description.address}`,
      )
    },
  }
}

function assertWallet(walletId: string, rail: Rail, network: string): void {
  if (!isIdentifier(walletId))
    throw new CustodyError('request_malformed', 'a wallet id is 1 to 128 characters of a-z 0-9 . _ : -')
  const allowed = RAIL_NETWORKS[rail].network
  if (network !== allowed)
    throw new CustodyError('network_refused', `got ${network.slice(0, 40)}; a wallet on ${rail} is one of ${allowed}`)
}

async function decrypt(crypto: unknown, passphrase: string): Promise<Uint8Array> {
  try {
    return await decryptSecret(crypto, passphrase)
  } catch (cause) {
    if (!(cause instanceof EncryptedSecretError)) throw cause
    throw new CustodyError(cause.fault === 'passphrase' ? 'passphrase' : 'file_malformed', cause.message)
  }
}

/** Wallet ids may hold a colon, which not every file system takes; `=` is in none. */
function fileName(walletId: string, rail: Rail): string {
  return `${walletId.replaceAll(':', '=')}.${rail}${EXTENSION}`
}

function walletOf(name: string): { walletId: string; rail: Rail } | undefined {
  const stem = name.slice(0, -EXTENSION.length)
  const dot = stem.lastIndexOf('.')
  const [walletId, rail] = [stem.slice(0, Math.max(dot, 0)).replaceAll('=', ':'), stem.slice(dot + 1)]
  return isIdentifier(walletId) && isRail(rail) ? { walletId, rail } : undefined
}

type WalletFile = { readonly description: WalletDescription; readonly crypto: unknown }

function renderWalletFile(description: WalletDescription, crypto: EncryptedSecret): string {
  const { walletId, rail, network, address } = description
  const oikos = { kind: 'wallet', wallet: walletId, rail, network, address }
  return `${JSON.stringify({ version: 3, oikos, crypto }, null, 2)}\n`
}

function parseWalletFile(text: string, path: string, named: { walletId: string; rail: Rail }): WalletFile {
  const malformed = (problem: string) => new CustodyError('file_malformed', `${path}: ${problem}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('not JSON')
  }
  if (!isRecord(value) || value['version'] !== 3 || !isRecord(value['oikos'])) throw malformed('not a wallet')
  const { kind, wallet, rail, network, address } = value['oikos']
  if (kind !== 'wallet' || wallet !== named.walletId || rail !== named.rail) throw malformed('another wallet')
  if (typeof network !== 'string' || typeof address !== 'string') throw malformed('network or address is missing')
  assertWallet(named.walletId, named.rail, network)
  if (!isRailAddress(named.rail, address)) throw malformed(`no address of ${named.rail}`)
  const description = { ...named, network: RAIL_NETWORKS[named.rail].network, address }
  return { description, crypto: value['crypto'] }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
