import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RAIL_NETWORKS, RAILS } from '@oikos/core/economic'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeCustodyFolder, PASSPHRASE, payeeOf, SCRYPT_COST, WALLET } from '../../test/custody-folder.ts'
import { keyOf } from '../../test/payer.ts'
import { openAllowList } from './allow-list.ts'
import { walletsFolder } from './keystore-vault.ts'
import { openWalletFolder, type WalletFolder } from './wallets.ts'

let folder: string
let remove: () => Promise<void>
let wallets: WalletFolder

beforeEach(async () => {
  const made = await makeCustodyFolder(RAILS)
  folder = made.folder
  remove = made.remove
  wallets = openWalletFolder(walletsFolder(folder), { scryptCost: SCRYPT_COST })
})
afterEach(() => remove())

const evmFile = () => join(wallets.folder, `${WALLET}.evm.wallet.json`)
const fresh = { walletId: 'new.wallet', rail: 'evm', network: 'sepolia', passphrase: 'p' } as const

describe('a folder of wallets', () => {
  test('holds a key on each rail, and says whose it is without opening it', async () => {
    const expected = RAILS.map((rail) => ({
      walletId: WALLET,
      rail,
      network: RAIL_NETWORKS[rail].network,
      address: keyOf(rail, 5).address,
    }))
    expect(await wallets.list()).toEqual(expected)
    for (const rail of RAILS) {
      expect((await wallets.open(WALLET, rail, PASSPHRASE)).address).toBe(keyOf(rail, 5).address)
      expect((await wallets.find(WALLET, rail))?.address).toBe(keyOf(rail, 5).address)
    }
  })

  test('keeps files that only their owner reads, with nothing secret in clear text', async () => {
    const text = await readFile(evmFile(), 'utf8')
    expect((await stat(evmFile())).mode & 0o777).toBe(0o600)
    expect((await stat(wallets.folder)).mode & 0o777).toBe(0o700)
    expect(text).not.toContain('05'.repeat(32))
    expect(text).not.toContain(PASSPHRASE)
    expect(JSON.parse(text)).toMatchObject({ version: 3, crypto: { cipher: 'aes-128-ctr', kdf: 'scrypt' } })
    expect(await readdir(wallets.folder)).toHaveLength(3)
  })

  test('makes fresh keys, no two the same', async () => {
    const one = await wallets.add(fresh)
    const two = await wallets.add({ ...fresh, walletId: 'newer:wallet' })
    expect(one.address).not.toBe(two.address)
    expect((await wallets.find('newer:wallet', 'evm'))?.address).toBe(two.address)
    expect((await wallets.list()).map(({ walletId }) => walletId)).toContain('newer:wallet')
  })

  test.each(['mainnet', 'Sepolia', '', 'testnet', 'devnet', 'bitcoin', 'eip155:1'])(
    'refuses a wallet on network "%s"',
    async (network) => {
      await expect(wallets.add({ ...fresh, network })).rejects.toMatchObject({ code: 'network_refused' })
    },
  )

  test('refuses a file that says another network, whoever wrote it', async () => {
    const text = (await readFile(evmFile(), 'utf8')).replace('"sepolia"', '"mainnet"')
    await writeFile(evmFile(), text)
    await expect(wallets.open(WALLET, 'evm', PASSPHRASE)).rejects.toMatchObject({ code: 'network_refused' })
    await expect(wallets.list()).rejects.toMatchObject({ code: 'network_refused' })
  })

  test('overwrites no wallet, also when two are made at once', async () => {
    const before = await readFile(evmFile(), 'utf8')
    await expect(wallets.add({ ...fresh, walletId: WALLET })).rejects.toMatchObject({ code: 'wallet_exists' })
    expect(await readFile(evmFile(), 'utf8')).toBe(before)
    const results = await Promise.allSettled([wallets.add(fresh), wallets.add(fresh)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await readdir(wallets.folder)).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  test.each(['../x', 'A', '', 'a/b', 'x'.repeat(129)])('refuses the wallet id "%s"', async (walletId) => {
    await expect(wallets.add({ ...fresh, walletId })).rejects.toMatchObject({ code: 'request_malformed' })
    expect(await wallets.find(walletId, 'evm')).toBeUndefined()
  })

  test('a wrong passphrase opens nothing, and an empty one protects nothing', async () => {
    await expect(wallets.open(WALLET, 'evm', 'wrong')).rejects.toMatchObject({ code: 'passphrase', retryable: true })
    await expect(wallets.add({ ...fresh, passphrase: '' })).rejects.toMatchObject({ code: 'passphrase' })
  })

  test.each([
    ['zero', new Uint8Array(32)],
    ['above the order of the curve', new Uint8Array(32).fill(255)],
    ['too short', new Uint8Array(31).fill(1)],
  ])('a secret that is %s is no key, and is not quoted', async (_what, secret) => {
    const error: unknown = await wallets.add({ ...fresh, secret }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'secret_malformed' })
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain('ffff')
  })

  test('a file whose key is that of another address is refused', async () => {
    const text = (await readFile(evmFile(), 'utf8')).replace(keyOf('evm', 5).address, keyOf('evm', 6).address)
    await writeFile(evmFile(), text)
    await expect(wallets.open(WALLET, 'evm', PASSPHRASE)).rejects.toMatchObject({ code: 'file_malformed' })
  })

  test('a wallet that was renamed is not taken for another', async () => {
    await rename(evmFile(), join(wallets.folder, 'other.wallet.evm.wallet.json'))
    await expect(wallets.find('other.wallet', 'evm')).rejects.toMatchObject({ code: 'file_malformed' })
  })

  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"version":3}',
    '{"version":2,"oikos":{}}',
    '{"version":3,"oikos":{"kind":"recipient"}}',
  ])('a file of "%s" is no wallet', async (text) => {
    await writeFile(evmFile(), text)
    await expect(wallets.find(WALLET, 'evm')).rejects.toMatchObject({ code: 'file_malformed' })
  })

  test('a file that is too large is not read', async () => {
    await writeFile(evmFile(), ' '.repeat(300_000))
    await expect(wallets.find(WALLET, 'evm')).rejects.toMatchObject({ code: 'file_malformed' })
  })
})

describe('permissions', () => {
  test.each([0o640, 0o604, 0o660, 0o601, 0o777])('a file of mode %o is refused', async (mode) => {
    await chmod(evmFile(), mode)
    await expect(wallets.open(WALLET, 'evm', PASSPHRASE)).rejects.toMatchObject({ code: 'permissions' })
  })

  test.each([0o750, 0o705, 0o711])('a folder of mode %o is refused', async (mode) => {
    await chmod(wallets.folder, mode)
    await expect(wallets.open(WALLET, 'evm', PASSPHRASE)).rejects.toMatchObject({ code: 'permissions' })
    await expect(wallets.add(fresh)).rejects.toMatchObject({ code: 'permissions' })
  })

  test('a file that may only be read by its owner is fine', async () => {
    await chmod(evmFile(), 0o400)
    expect((await wallets.open(WALLET, 'evm', PASSPHRASE)).rail).toBe('evm')
  })

  test('a link in the place of a file or a folder is refused', async () => {
    const elsewhere = join(folder, 'elsewhere.json')
    await rename(evmFile(), elsewhere)
    await symlink(elsewhere, evmFile())
    await expect(wallets.open(WALLET, 'evm', PASSPHRASE)).rejects.toMatchObject({ code: 'file_malformed' })
    const moved = join(folder, 'moved')
    await rename(wallets.folder, moved)
    await symlink(moved, wallets.folder)
    await expect(wallets.list()).rejects.toMatchObject({ code: 'file_malformed' })
  })

  test('a folder that is missing, or is a file, is refused', async () => {
    await rm(wallets.folder, { recursive: true })
    await expect(wallets.list()).rejects.toMatchObject({ code: 'file_malformed' })
    await writeFile(wallets.folder, '')
    await expect(wallets.list()).rejects.toMatchObject({ code: 'file_malformed' })
  })

  test('a pipe in the place of a file is refused, not waited for', async () => {
    await rm(evmFile())
    await mkdir(evmFile())
    await expect(wallets.find(WALLET, 'evm')).rejects.toMatchObject({ code: 'file_malformed' })
  })
})

describe('the allow list', () => {
  const row = () => ({
    walletId: WALLET,
    rail: 'evm' as const,
    destination: payeeOf('evm'),
    maxAmountAtomic: 1n,
    maxFeeAtomic: 2n,
  })

  test('replaces a row of the same destination, and keeps the others', async () => {
    const list = openAllowList(folder)
    await list.put(row())
    const rows = await list.list()
    expect(rows).toHaveLength(3)
    expect(rows.find(({ rail }) => rail === 'evm')).toEqual(row())
    await list.remove(row())
    expect((await list.list()).map(({ rail }) => rail)).toEqual(['bitcoin', 'solana'])
  })

  test('is empty where there is no file, so that nothing is signed', async () => {
    await rm(join(folder, 'allow-list.json'))
    expect(await openAllowList(folder).list()).toEqual([])
  })

  test('that others could change is refused', async () => {
    await chmod(join(folder, 'allow-list.json'), 0o620)
    await expect(openAllowList(folder).list()).rejects.toMatchObject({ code: 'permissions' })
  })

  test.each([
    ['another rail', { rail: 'solana' as const }],
    ['a checksummed address', { destination: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B' as never }],
    ['a negative amount', { maxAmountAtomic: -1n }],
    ['more than 64 bits', { maxFeeAtomic: 2n ** 64n }],
    ['a wallet that is none', { walletId: 'A' }],
  ])('takes no row with %s', async (_what, fields) => {
    await expect(openAllowList(folder).put({ ...row(), ...fields })).rejects.toMatchObject({
      code: 'request_malformed',
    })
  })

  test.each(['{', '{}', '{"schema":"oikos.custody-allow-list.v1","rows":[{}]}', '{"schema":"x","rows":[]}'])(
    'of the text %s is refused as a whole',
    async (text) => {
      await writeFile(join(folder, 'allow-list.json'), text)
      await expect(openAllowList(folder).list()).rejects.toMatchObject({ code: 'file_malformed' })
    },
  )
})
