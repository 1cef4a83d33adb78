import { hexToBytes } from 'viem'
import type { CommandSpec } from '../../command.ts'
import type { Context } from '../../context.ts'
import { KeyError } from '../../errors.ts'
import { readInputText } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import { PRIVATE_KEY_VARIABLE } from '../../keys/signer.ts'
import { keepWallet, NEW_WALLET_OPTIONS } from './create.ts'

/** Bytes of a file with a secret of 64 digits. */
const MAX_SECRET_FILE_BYTES = 1_024
const SECRET = /^(?:0x)?[0-9a-fA-F]{64}$/

/** `oikos wallet import`: a key that exists, into an encrypted file. */
export const bring: CommandSpec = {
  name: 'import',
  summary: 'encrypt and keep the key of a wallet that you have',
  details:
    'The secret is 32 bytes in 64 hexadecimal digits: a secp256k1 key (evm, bitcoin) or the seed of an ed25519 key (solana). It comes from a question without echo, from OIKOS_PRIVATE_KEY or from --file; it is never an argument. Never import a key that holds value on a main network.',
  args: [['<wallet>', 'wallet id, as a policy names it: a-z 0-9 . _ : -']],
  options: [{ flags: '--file <file>', text: 'file with the secret' }, ...NEW_WALLET_OPTIONS],
  examples: ['oikos wallet import buyer', 'oikos wallet import buyer --rail solana --file seed.hex'],
  run: async (context, input) => keepWallet(context, input, () => readSecret(context, input)),
}

async function readSecret(context: Context, input: Input): Promise<Uint8Array> {
  const text = (await secretText(context, input.text('file'))).trim()
  // What was given is never repeated: it may be a key with a slip in it.
  if (!SECRET.test(text))
    throw new KeyError('malformed', 'The secret is not 32 bytes.', 'Give 64 hexadecimal digits, with or without 0x.')
  return hexToBytes(`0x${text.replace(/^0x/, '')}`)
}

async function secretText({ terminal }: Context, file: string | undefined): Promise<string> {
  if (file !== undefined) return readInputText(terminal.cwd, file, { maxBytes: MAX_SECRET_FILE_BYTES })
  const given = terminal.env[PRIVATE_KEY_VARIABLE]
  if (given !== undefined && given !== '') return given
  if (terminal.interactive) return terminal.askSecret('Secret of the wallet, 64 digits (not shown): ')
  throw new KeyError(
    'missing-secret',
    'There is no secret to import, and nobody can be asked here.',
    `Give --file, or set ${PRIVATE_KEY_VARIABLE}.`,
  )
}
