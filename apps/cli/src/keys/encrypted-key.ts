import {
  decryptSecret as decrypt,
  type EncryptedSecret,
  EncryptedSecretError,
  encryptSecret,
} from '@oikos/runtime/custody'
import { KeyError } from '../errors.ts'

export { type EncryptedSecret, encryptSecret }

/**
 * Decrypts a secret of 32 bytes.
 * @param value the `crypto` member of a file, not trusted
 * @throws KeyError `malformed`, and `passphrase` when the MAC does not fit
 */
export async function decryptSecret(value: unknown, passphrase: string): Promise<Uint8Array> {
  try {
    return await decrypt(value, passphrase)
  } catch (cause) {
    if (!(cause instanceof EncryptedSecretError)) throw cause
    if (cause.fault === 'passphrase')
      throw new KeyError('passphrase', 'The passphrase does not open this key.', 'Check it and try again.')
    throw new KeyError('malformed', `The key file cannot be used: ${cause.message}.`, 'Restore it from a copy.')
  }
}
