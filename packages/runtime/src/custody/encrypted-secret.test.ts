import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decryptSecret, encryptSecret } from './encrypted-secret.ts'

const entropy = (length: number) => new Uint8Array(randomBytes(length))
const secret = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'

/** Source: Ethereum wiki, Web3 Secret Storage Definition, test vectors. */
const published = {
  pbkdf2: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  scrypt: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262_144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
}

describe('Web3 Secret Storage, version 3', () => {
  it.each(Object.entries(published))('opens the published %s vector', async (_kdf, crypto) => {
    expect(Buffer.from(await decryptSecret(crypto, 'testpassword')).toString('hex')).toBe(secret)
  })

  it('opens what it encrypts, and nothing of it twice the same', async () => {
    const bytes = entropy(32)
    const [one, two] = await Promise.all([
      encryptSecret(bytes, 'pass phrase ü', entropy, 1024),
      encryptSecret(bytes, 'pass phrase ü', entropy, 1024),
    ])
    expect(await decryptSecret(one, 'pass phrase ü')).toEqual(bytes)
    expect(one.ciphertext).not.toBe(two.ciphertext)
    expect(one.kdfparams['salt']).not.toBe(two.kdfparams['salt'])
  })

  it('refuses another passphrase and a changed ciphertext by its MAC', async () => {
    const crypto = await encryptSecret(entropy(32), 'right', entropy, 1024)
    await expect(decryptSecret(crypto, 'wrong')).rejects.toMatchObject({
      name: 'EncryptedSecretError',
      fault: 'passphrase',
    })
    const flipped = (Number.parseInt(crypto.ciphertext.slice(0, 2), 16) ^ 1).toString(16).padStart(2, '0')
    const changed = { ...crypto, ciphertext: flipped + crypto.ciphertext.slice(2) }
    await expect(decryptSecret(changed, 'right')).rejects.toMatchObject({ fault: 'passphrase' })
  })

  it.each([
    ['no object', 7],
    ['another cipher', { ...published.scrypt, cipher: 'aes-256-cbc' }],
    ['another kdf', { ...published.scrypt, kdf: 'argon2' }],
    ['scrypt that takes all memory', { ...published.scrypt, kdfparams: { ...published.scrypt.kdfparams, n: 2 ** 40 } }],
    ['scrypt with an odd cost', { ...published.scrypt, kdfparams: { ...published.scrypt.kdfparams, n: 1000 } }],
    ['pbkdf2 that takes for ever', { ...published.pbkdf2, kdfparams: { ...published.pbkdf2.kdfparams, c: 1e12 } }],
    ['a short initial vector', { ...published.scrypt, cipherparams: { iv: '00' } }],
    ['a mac that is no hex', { ...published.scrypt, mac: 'zz' }],
    ['another length of key', { ...published.scrypt, kdfparams: { ...published.scrypt.kdfparams, dklen: 64 } }],
  ])('refuses %s', async (_what, crypto) => {
    await expect(decryptSecret(crypto, 'testpassword')).rejects.toMatchObject({
      name: 'EncryptedSecretError',
      fault: 'malformed',
    })
  })
})
