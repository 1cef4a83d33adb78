import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesToHex } from '@noble/hashes/utils.js'
import { sealedKeyPairFrom } from '@oikos/core'
import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { KeyError, NotFoundError, UsageError } from '../errors.ts'
import { decryptSecret, type EncryptedSecret, encryptSecret } from './encrypted-key.ts'

/** What a key is for: an account that signs transactions, or a recipient that opens confidential packages. */
export type KeyKind = 'account' | 'recipient'

/** A key as its file describes it in clear text; nothing of it is secret. */
export type KeyEntry =
  | { readonly name: string; readonly kind: 'account'; readonly address: Address }
  | { readonly name: string; readonly kind: 'recipient'; readonly publicKey: Hex }

/** A folder of encrypted keys. */
export type Keystore = {
  readonly folder: string
  /** All keys by name; files that are no keys are passed by. */
  readonly list: () => Promise<readonly KeyEntry[]>
  /** Throws NotFoundError with the names that exist. */
  readonly get: (name: string) => Promise<KeyEntry>
  /** Encrypts and writes a new key; an existing name is refused. Throws KeyError. */
  readonly add: (name: string, kind: KeyKind, secret: Uint8Array, passphrase: string) => Promise<KeyEntry>
  /** The 32 secret bytes, after comparing them with what the file says in clear text. Throws KeyError, NotFoundError. */
  readonly open: (name: string, passphrase: string) => Promise<Uint8Array>
}

/** Names are file names on every system, so they have one case. */
const KEY_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
/** Extension of a key file. */
const EXTENSION = '.json'
/** Keys in one folder that are listed. */
const MAX_KEYS = 1_000
/** Size of a key file in bytes; one has about 600. */
const MAX_KEY_FILE_BYTES = 16_384

/** Throws UsageError for a name that no key can have. */
export function assertKeyName(name: string): void {
  if (KEY_NAME.test(name)) return
  throw new UsageError(
    `${JSON.stringify(name.slice(0, 80))} is no name for a key.`,
    'Use up to 64 lower-case letters, digits, hyphens and underscores, beginning with a letter or digit.',
  )
}

/**
 * The keystore in `folder`, which need not exist yet.
 * @param scryptCost work of a key that is written; see encryptSecret
 */
export function createKeystore(
  folder: string,
  entropy: (length: number) => Uint8Array,
  options: { readonly scryptCost?: number } = {},
): Keystore {
  const fileOf = (name: string): string => join(folder, `${name}${EXTENSION}`)

  const list = async (): Promise<readonly KeyEntry[]> => {
    const names = (await readNames(folder)).slice(0, MAX_KEYS)
    const entries = await Promise.all(names.map(async (name) => (await readKeyFile(fileOf(name), name))?.entry))
    return entries.filter((entry) => entry !== undefined)
  }

  const read = async (name: string): Promise<KeyFile> => {
    assertKeyName(name)
    const file = await readKeyFile(fileOf(name), name)
    if (file !== undefined) return file
    const names = (await list()).map((entry) => entry.name)
    throw new NotFoundError(
      `There is no key ${JSON.stringify(name)} in ${folder}.`,
      names.length === 0 ? `Make one: key new ${name}.` : `Known keys: ${names.join(', ')}.`,
    )
  }

  return {
    folder,
    list,
    get: async (name) => (await read(name)).entry,
    add: async (name, kind, secret, passphrase) => {
      assertKeyName(name)
      const entry = describe(name, kind, secret)
      const crypto = await encryptSecret(secret, passphrase, entropy, options.scryptCost)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeKeyFile(fileOf(name), encode(entry, crypto, entropy(16)), bytesToHex(entropy(8)))
      return entry
    },
    open: async (name, passphrase) => {
      const { entry, crypto } = await read(name)
      const secret = await decryptSecret(crypto, passphrase)
      const actual = describe(name, entry.kind, secret)
      if (publicPart(actual) === publicPart(entry)) return secret
      throw new KeyError(
        'malformed',
        `The key ${name} is that of ${publicPart(actual)}, but its file says ${publicPart(entry)}.`,
        'Somebody changed the file. Restore it from a copy.',
      )
    },
  }
}

/** What everyone may know of a key: its address, or its public key. */
export function publicPart(entry: KeyEntry): string {
  return entry.kind === 'account' ? entry.address : entry.publicKey
}

type KeyFile = { readonly entry: KeyEntry; readonly crypto: unknown }

function describe(name: string, kind: KeyKind, secret: Uint8Array): KeyEntry {
  if (kind === 'recipient') {
    return { name, kind, publicKey: `0x${bytesToHex(sealedKeyPairFrom(secret).publicKey)}` }
  }
  try {
    return { name, kind, address: privateKeyToAddress(`0x${bytesToHex(secret)}`) }
  } catch {
    // the cause could quote the key, so it is not kept
    throw new KeyError('malformed', 'The secret is no private key of an account.', 'Give 32 bytes in hexadecimal.')
  }
}

/** Version 3 of Web3 Secret Storage; a recipient key has no address, and says what it is in a member of its own. */
function encode(entry: KeyEntry, crypto: EncryptedSecret, id: Uint8Array): string {
  const identity =
    entry.kind === 'account'
      ? { address: entry.address.slice(2).toLowerCase() }
      : { oikos: { kind: 'recipient', publicKey: entry.publicKey } }
  return `${JSON.stringify({ version: 3, id: uuidOf(id), ...identity, crypto }, null, 2)}\n`
}

/** A random UUID. Source: RFC 9562, section 5.4. */
function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

async function readNames(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder)
    const names = files.filter((file) => file.endsWith(EXTENSION)).map((file) => file.slice(0, -EXTENSION.length))
    return names.filter((name) => KEY_NAME.test(name)).sort()
  } catch (cause) {
    if (isMissing(cause)) return []
    throw new KeyError('malformed', `The keystore ${folder} cannot be read.`, 'Check its permissions.', { cause })
  }
}

/** The key in a file; undefined when there is none, or something else is in it. Throws KeyError for an unreadable file. */
async function readKeyFile(file: string, name: string): Promise<KeyFile | undefined> {
  try {
    if ((await stat(file)).size > MAX_KEY_FILE_BYTES) return undefined
    return parseKeyFile(await readFile(file, 'utf8'), name)
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw new KeyError('malformed', `The key file ${file} cannot be read.`, 'Check its permissions.', { cause })
  }
}

/** Reads the clear-text part of a version 3 file; undefined for anything else. */
export function parseKeyFile(text: string, name: string): KeyFile | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  // early files spell the members with capitals
  const file = Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member as unknown]))
  if (file['version'] !== 3) return undefined
  const { address, oikos, crypto } = file
  if (typeof address === 'string') {
    const text = `0x${address.replace(/^0x/i, '').toLowerCase()}`
    return isAddress(text) ? { entry: { name, kind: 'account', address: getAddress(text) }, crypto } : undefined
  }
  const publicKey = typeof oikos === 'object' && oikos !== null && 'publicKey' in oikos ? oikos.publicKey : undefined
  if (typeof publicKey !== 'string' || !/^0x[0-9a-f]{64}$/.test(publicKey)) return undefined
  return { entry: { name, kind: 'recipient', publicKey: publicKey as Hex }, crypto }
}

/** The file appears whole and only when no other has its name: it is linked from a finished one. */
async function writeKeyFile(file: string, text: string, token: string): Promise<void> {
  const temporary = `${file}.${token}.new`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
    await handle.close()
    await link(temporary, file)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
      throw new KeyError('exists', `A key of this name exists: ${file}.`, 'Choose another name; no key is overwritten.')
    }
    throw cause
  } finally {
    await handle.close()
    await rm(temporary, { force: true })
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
}
