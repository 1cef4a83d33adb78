import { createSealer, type ObjectCipher } from '@oikos/core'
import type { PackFolderOptions } from '@oikos/sdk/node'
import { hexToBytes, isHex, size } from 'viem'
import type { OptionSpec } from '../command.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Input } from '../input/input.ts'

/** Which file plays which part when a folder is packed. */
export const ROLE_OPTIONS: readonly OptionSpec[] = [
  { flags: '--primary <path>', text: 'primary document (default TASK.md)' },
  { flags: '--spec <path>', text: 'specification (default: the primary document)' },
  { flags: '--spec-profile <name>', text: 'format of the specification (default llm-markdown-v1)' },
  { flags: '--acceptance <path>', text: 'criteria of judgment' },
  { flags: '--acceptance-profile <name>', text: 'how they are applied, such as x-hashlock-v1' },
  { flags: '--terms <path>', text: 'terms (default TERMS.md where there is one)' },
  { flags: '--name <name>', text: 'name in a manifest that is made (default: the name of the folder)' },
  { flags: '--hidden <path>', text: 'let a dot file in; may be repeated', many: true },
]

/** How parts of a package are kept confidential. */
export const SEAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--encrypt <path>', text: 'encrypt this file; may be repeated', many: true },
  { flags: '--recipient <key>', text: 'who can open it: public key or key name; may be repeated', many: true },
]

/** The roles that the command line gives. */
export function readRoles(input: Input): PackFolderOptions {
  const named = {
    primary: input.text('primary'),
    spec: input.text('spec'),
    specProfile: input.text('spec-profile'),
    acceptance: input.text('acceptance'),
    acceptanceProfile: input.text('acceptance-profile'),
    terms: input.text('terms'),
    name: input.text('name'),
  }
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  const hidden = input.list('hidden')
  return { ...given, ...(hidden.length === 0 ? {} : { hidden }) }
}

/** What is encrypted, and for whom. Throws UsageError when only one of both is given, or a key is none. */
export async function readSealing(
  context: Context,
  input: Input,
): Promise<{ readonly paths: readonly string[]; readonly cipher: ObjectCipher } | undefined> {
  const paths = input.list('encrypt')
  const recipients = input.list('recipient')
  if (paths.length === 0 && recipients.length === 0) return undefined
  if (paths.length === 0 || recipients.length === 0) {
    throw new UsageError(
      'Encryption needs both: what is encrypted, and who can open it.',
      'Give --encrypt <path> and --recipient <key>.',
    )
  }
  const keys = await Promise.all(recipients.map((text) => readRecipient(context, text)))
  return { paths, cipher: createSealer({ recipients: keys, entropy: context.terminal.entropy }) }
}

async function readRecipient(context: Context, text: string): Promise<Uint8Array> {
  if (/^0x/i.test(text)) {
    if (isHex(text) && size(text) === 32) return hexToBytes(text)
    throw new UsageError(`--recipient: ${JSON.stringify(text.slice(0, 80))} is no public key.`, 'Give 32 bytes in hex.')
  }
  const entry = await context.keystore.get(text)
  if (entry.kind === 'recipient') return hexToBytes(entry.publicKey)
  throw new UsageError(
    `--recipient: the key ${text} is an account; it cannot open packages.`,
    'Make a key that can: "key new <name> --recipient".',
  )
}
