import { KeyError } from '../errors.ts'
import { readInputText } from '../input/file.ts'
import type { Terminal } from '../terminal.ts'

/** Bytes of a passphrase file; a passphrase is not a document. */
const MAX_PASSPHRASE_FILE_BYTES = 1_024

/** Environment variable that holds a passphrase. */
const PASSPHRASE_VARIABLE = 'OIKOS_PASSPHRASE'

/**
 * The passphrase of a key: from the file of --passphrase-file (its first line), from OIKOS_PASSPHRASE, or from a question
 * without echo. Never from an argument.
 * @param options.fresh asks twice, since nobody could open a key after a slip of the finger
 * @throws KeyError where none is given and nobody can be asked, for an empty one, and for two that differ
 */
export async function readPassphrase(
  terminal: Terminal,
  keyName: string,
  options: { readonly file?: string | undefined; readonly fresh?: boolean },
): Promise<string> {
  const given = await givenPassphrase(terminal, options.file)
  if (given !== undefined) return assertFilled(given)
  if (!terminal.interactive) {
    throw new KeyError(
      'missing-secret',
      `The key ${keyName} needs its passphrase, and nobody can be asked here.`,
      `Pass --passphrase-file, or set ${PASSPHRASE_VARIABLE}.`,
    )
  }
  const first = assertFilled(await terminal.askSecret(`Passphrase for the key ${keyName}: `))
  if (options.fresh === true && (await terminal.askSecret('The same passphrase again: ')) !== first) {
    throw new KeyError('passphrase', 'The two passphrases differ.', 'Run the command again; nothing was written.')
  }
  return first
}

async function givenPassphrase(terminal: Terminal, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return terminal.env[PASSPHRASE_VARIABLE]
  const text = await readInputText(terminal.cwd, file, { maxBytes: MAX_PASSPHRASE_FILE_BYTES })
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function assertFilled(passphrase: string): string {
  if (passphrase !== '') return passphrase
  throw new KeyError('passphrase', 'The passphrase is empty.', 'Give one; it is all that protects the key on disk.')
}
