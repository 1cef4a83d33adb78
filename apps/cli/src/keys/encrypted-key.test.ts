import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decryptSecret, encryptSecret } from './encrypted-key.ts'

const entropy = (length: number) => new Uint8Array(randomBytes(length))

describe('the secret of a key', () => {
  it('opens with its passphrase', async () => {
    const bytes = entropy(32)
    const secret = await encryptSecret(bytes, 'pass phrase ü', entropy, 1024)
    expect(await decryptSecret(secret, 'pass phrase ü')).toEqual(bytes)
  })

  it('says in the words of the command line why it does not open', async () => {
    const secret = await encryptSecret(entropy(32), 'right', entropy, 1024)
    await expect(decryptSecret(secret, 'wrong')).rejects.toMatchObject({ name: 'KeyError', fault: 'passphrase' })
    await expect(decryptSecret({ ...secret, kdf: 'argon2' }, 'right')).rejects.toMatchObject({
      name: 'KeyError',
      fault: 'malformed',
      advice: 'Restore it from a copy.',
    })
  })
})
