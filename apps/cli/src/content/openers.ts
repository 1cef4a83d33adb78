import { createSealedOpener, type ObjectOpener } from '@oikos/core'
import type { Context } from '../context.ts'
import { KeyError } from '../errors.ts'
import type { Input } from '../input/input.ts'
import { readPassphrase } from '../keys/passphrase.ts'

/** What --open gives to a verification: the opener of a recipient key, or nothing. Throws KeyError, NotFoundError. */
export async function readOpeners(context: Context, input: Input): Promise<{ openers?: readonly ObjectOpener[] }> {
  const name = input.text('open')
  if (name === undefined) return {}
  if ((await context.keystore.get(name)).kind !== 'recipient') {
    throw new KeyError('kind', `The key ${name} is an account; it opens no packages.`, 'Name a recipient key.')
  }
  const passphrase = await readPassphrase(context.terminal, name, { file: input.text('passphrase-file') })
  return { openers: [createSealedOpener({ secretKey: await context.keystore.open(name, passphrase) })] }
}
