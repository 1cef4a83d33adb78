import { sealedKeyId } from '@oikos/core'
import { hexToBytes } from 'viem'
import { type CommandSpec, type GroupSpec, KEY_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { KeyError, UsageError } from '../../errors.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { readInputText } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import { decryptSecret } from '../../keys/encrypted-key.ts'
import { assertKeyName, type KeyEntry, type KeyKind, parseKeyFile, publicPart } from '../../keys/keystore.ts'
import { readPassphrase } from '../../keys/passphrase.ts'
import { accountOf, PRIVATE_KEY_VARIABLE } from '../../keys/signer.ts'
import { tableLines } from '../../output/layout.ts'

const NAME = ['<name>', 'lower-case letters, digits, hyphens, underscores'] as const
const RECIPIENT = { flags: '--recipient', text: 'a key that opens confidential packages, instead of an account' }

/** Bytes of a file with a key; a Web3 Secret Storage file has about 600. */
const MAX_KEY_FILE_BYTES = 16_384

const create: CommandSpec = {
  name: 'new',
  summary: 'make a key and keep it encrypted',
  details: 'The passphrase comes from a question without echo, OIKOS_PASSPHRASE or --passphrase-file; never from here.',
  args: [NAME],
  options: [RECIPIENT, ...KEY_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos key new anna', 'oikos key new worker-box --recipient --passphrase-file passphrase.txt'],
  run: async (context, input) => {
    const name = input.argument(0)
    assertKeyName(name)
    await refuseExisting(context, name)
    return keep(context, input, name, input.flag('recipient') ? 'recipient' : 'account', newSecret(context))
  },
}

const bring: CommandSpec = {
  name: 'import',
  summary: 'encrypt and keep an account that you have',
  details:
    'The private key comes from a question without echo, from OIKOS_PRIVATE_KEY, or from a file: 0x and 64 hexadecimal digits, or a Web3 Secret Storage file with the same passphrase. It is never an argument.',
  args: [NAME],
  options: [{ flags: '--file <file>', text: 'file with the key' }, ...KEY_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos key import judge', 'oikos key import judge --file UTC--2026-01-01.json'],
  run: async (context, input) => {
    const name = input.argument(0)
    assertKeyName(name)
    await refuseExisting(context, name)
    const file = input.text('file')
    if (file !== undefined) return importFile(context, input, name, file)
    return keep(context, input, name, 'account', secretOf(await askPrivateKey(context), 'The answer'))
  },
}

const list: CommandSpec = {
  name: 'list',
  summary: 'list the keys, by what is public about them',
  options: [...KEY_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos key list', 'oikos key list --json'],
  run: async ({ keystore, output }) => {
    const keys = await keystore.list()
    output.result(
      { ok: true, folder: keystore.folder, keys: keys.map(describe) },
      keys.length === 0
        ? [`No keys in ${keystore.folder}.`]
        : tableLines(
            [{ title: 'name' }, { title: 'kind' }, { title: 'address or public key' }],
            keys.map((entry) => [entry.name, entry.kind, publicPart(entry)]),
            output.paint,
          ),
    )
    if (keys.length === 0) output.next('key new <name>')
    return EXIT.done
  },
}

const address: CommandSpec = {
  name: 'address',
  summary: 'print the address of an account, or the public key of a recipient',
  args: [NAME],
  options: [...KEY_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos key address anna'],
  run: async ({ keystore, output }, input) => {
    const entry = await keystore.get(input.argument(0))
    output.result({ ok: true, ...describe(entry) }, [publicPart(entry)])
    return EXIT.done
  },
}

/** `oikos key`: encrypted keys. */
export const key: GroupSpec = {
  name: 'key',
  summary: 'keys: encrypted on disk, never shown',
  commands: [create, bring, list, address],
}

function describe(entry: KeyEntry): Readonly<Record<string, unknown>> {
  return entry.kind === 'account' ? entry : { ...entry, keyId: sealedKeyId(hexToBytes(entry.publicKey)) }
}

/** Asked before any passphrase is, so that nobody types one in vain. The write itself refuses as well. */
async function refuseExisting({ keystore }: Context, name: string): Promise<void> {
  if ((await keystore.list()).every((entry) => entry.name !== name)) return
  throw new KeyError('exists', `A key named ${name} exists in ${keystore.folder}.`, 'Choose another name.')
}

async function keep(
  context: Context,
  input: Input,
  name: string,
  kind: KeyKind,
  secret: Uint8Array,
): Promise<ExitCode> {
  const { keystore, output, terminal } = context
  const passphrase = await readPassphrase(terminal, name, { file: input.text('passphrase-file'), fresh: true })
  const entry = await keystore.add(name, kind, secret, passphrase)
  output.result({ ok: true, folder: keystore.folder, ...describe(entry) }, [publicPart(entry)])
  output.say(`Kept encrypted in ${keystore.folder}. Without the passphrase nobody can open it, you included.`)
  output.next(
    kind === 'account' ? `task mint --from ${name} --help` : `task pack <folder> --encrypt <path> --recipient ${name}`,
  )
  return EXIT.done
}

/** 32 random bytes that are a valid key; one in 2^128 draws is not and is drawn again. */
function newSecret({ terminal }: Context): Uint8Array {
  for (let attempt = 0; attempt < 3; attempt++) {
    const secret = terminal.entropy(32)
    try {
      accountOf(Buffer.from(secret).toString('hex'), 'The generator')
      return secret
    } catch {
      // out of range
    }
  }
  throw new KeyError('malformed', 'The random generator gives no usable keys.', 'Do not use this machine for keys.')
}

async function askPrivateKey({ terminal }: Context): Promise<string> {
  const given = terminal.env[PRIVATE_KEY_VARIABLE]
  if (given !== undefined && given !== '') return given
  if (terminal.interactive) return terminal.askSecret('Private key (not shown): ')
  throw new KeyError(
    'missing-secret',
    'There is no private key to import, and nobody can be asked here.',
    `Give --file, or set ${PRIVATE_KEY_VARIABLE}.`,
  )
}

async function importFile(context: Context, input: Input, name: string, file: string): Promise<ExitCode> {
  const text = await readInputText(context.terminal.cwd, file, { maxBytes: MAX_KEY_FILE_BYTES })
  if (!text.trimStart().startsWith('{')) return keep(context, input, name, 'account', secretOf(text, file))
  const parsed = parseKeyFile(text, name)
  if (parsed === undefined) {
    throw new UsageError(`${file} is no Web3 Secret Storage file of version 3.`, 'Check the file.')
  }
  const { keystore, output, terminal } = context
  const passphrase = await readPassphrase(terminal, name, { file: input.text('passphrase-file') })
  const entry = await keystore.add(name, parsed.entry.kind, await decryptSecret(parsed.crypto, passphrase), passphrase)
  if (publicPart(entry) !== publicPart(parsed.entry)) {
    output.say(`The file says ${publicPart(parsed.entry)}, but its key is that of ${publicPart(entry)}.`)
  }
  output.result({ ok: true, folder: keystore.folder, ...describe(entry) }, [publicPart(entry)])
  return EXIT.done
}

function secretOf(text: string, source: string): Uint8Array {
  accountOf(text, source)
  return hexToBytes(`0x${text.trim().replace(/^0x/i, '')}`)
}
