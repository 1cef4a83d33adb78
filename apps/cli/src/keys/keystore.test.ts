import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeystore, type Keystore } from './keystore.ts'

const entropy = (length: number) => new Uint8Array(randomBytes(length))
const secret = new Uint8Array(32).fill(7)

let folder: string
let keystore: Keystore

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'oikos-keys-')), 'keystore')
  keystore = createKeystore(folder, entropy, { scryptCost: 1024 })
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

describe('the keystore', () => {
  it('is empty where there is no folder', async () => {
    expect(await keystore.list()).toEqual([])
  })

  it('keeps keys so that only their owner reads them, with nothing secret in clear text', async () => {
    const entry = await keystore.add('anna', 'account', secret, 'passphrase')
    expect((await stat(join(folder, 'anna.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const text = await readFile(join(folder, 'anna.json'), 'utf8')
    expect(text).not.toContain('07'.repeat(32))
    expect(text).not.toContain('passphrase')
    expect(JSON.parse(text)).toMatchObject({ version: 3, crypto: { cipher: 'aes-128-ctr', kdf: 'scrypt' } })
    expect(await keystore.list()).toEqual([entry])
    expect(await keystore.open('anna', 'passphrase')).toEqual(secret)
  })

  it('keeps recipient keys beside accounts', async () => {
    await keystore.add('box', 'recipient', secret, 'p')
    expect(await keystore.get('box')).toMatchObject({
      kind: 'recipient',
      publicKey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(await keystore.open('box', 'p')).toEqual(secret)
  })

  it('overwrites no key and leaves no half-written file', async () => {
    await keystore.add('anna', 'account', secret, 'p')
    const before = await readFile(join(folder, 'anna.json'), 'utf8')
    await expect(keystore.add('anna', 'account', entropy(32), 'q')).rejects.toMatchObject({ fault: 'exists' })
    expect(await readFile(join(folder, 'anna.json'), 'utf8')).toBe(before)
    expect(await readdir(folder)).toEqual(['anna.json'])
  })

  it('lets one of two writers of a name win', async () => {
    const results = await Promise.allSettled([
      keystore.add('anna', 'account', secret, 'p'),
      keystore.add('anna', 'account', entropy(32), 'p'),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('refuses a file whose address is not that of its key', async () => {
    await keystore.add('anna', 'account', secret, 'p')
    const file = JSON.parse(await readFile(join(folder, 'anna.json'), 'utf8'))
    await writeFile(join(folder, 'anna.json'), JSON.stringify({ ...file, address: `${'00'.repeat(19)}01` }))
    await expect(keystore.open('anna', 'p')).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('refuses a secret that is no private key, without quoting it', async () => {
    await expect(keystore.add('zero', 'account', new Uint8Array(32), 'p')).rejects.toMatchObject({ fault: 'malformed' })
    const tooLarge = new Uint8Array(32).fill(255)
    const error = await keystore.add('large', 'account', tooLarge, 'p').catch((thrown: unknown) => thrown)
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain('ffffffff')
  })

  it('passes by files that are no keys', async () => {
    await keystore.add('anna', 'account', secret, 'p')
    await writeFile(join(folder, 'notes.json'), '{"version":3}')
    await writeFile(join(folder, 'broken.json'), '{')
    await writeFile(join(folder, 'Odd Name.json'), '{}')
    expect((await keystore.list()).map(({ name }) => name)).toEqual(['anna'])
  })

  it('names the keys there are when one is missing', async () => {
    await keystore.add('anna', 'account', secret, 'p')
    await expect(keystore.get('bert')).rejects.toThrow('Known keys: anna.')
  })

  it.each(['../anna', 'Anna', '', '.hidden', 'a/b', 'x'.repeat(65)])('refuses the name %j', async (name) => {
    await expect(keystore.add(name, 'account', secret, 'p')).rejects.toMatchObject({ name: 'UsageError' })
    await expect(keystore.get(name)).rejects.toMatchObject({ name: 'UsageError' })
  })

  it.skipIf(process.getuid?.() === 0)('says which key file cannot be read', async () => {
    await keystore.add('anna', 'account', secret, 'p')
    await chmod(join(folder, 'anna.json'), 0)
    await expect(keystore.get('anna')).rejects.toMatchObject({ fault: 'malformed' })
  })
})
