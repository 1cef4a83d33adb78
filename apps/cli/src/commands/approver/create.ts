import { join, resolve } from 'node:path'
import { createApproverKey } from '@oikos/runtime/approval'
import { type CommandSpec, type OptionSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { readPassphrase } from '../../keys/passphrase.ts'
import { userFolderOf } from '../../settings.ts'

/** Where the key of the approver is, and what opens it. */
export const APPROVER_KEY_OPTIONS: readonly OptionSpec[] = [
  { flags: '--key <file>', text: 'key of the approver (default approver/key.json of the user folder)' },
  { flags: '--passphrase-file <file>', text: 'first line is its passphrase (else OIKOS_PASSPHRASE, else a question)' },
]

/** The file of --key, else the default. */
export function approverKeyFile({ terminal }: Context, input: Input): string {
  const named = input.text('key')
  return named === undefined ? join(userFolderOf(terminal), 'approver', 'key.json') : resolve(terminal.cwd, named)
}

/** `oikos approver create`: the key whose answers are believed. */
export const create: CommandSpec = {
  name: 'create',
  summary: 'make the key of an approver and keep it encrypted',
  args: [['<id>', 'who approves, as every Approval records it: a-z 0-9 . _ : -']],
  options: [...APPROVER_KEY_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos approver create anna', 'oikos approver create anna --passphrase-file approver.txt'],
  run: async (context, input) => {
    const { output, terminal } = context
    const [approverId, file] = [input.argument(0), approverKeyFile(context, input)]
    const passphrase = await readPassphrase(terminal, approverId, { file: input.text('passphrase-file'), fresh: true })
    const { entropy, scryptCost } = terminal
    const work = scryptCost === undefined ? { entropy } : { entropy, scryptCost }
    const { publicKey } = await createApproverKey(file, approverId, passphrase, work)
    output.result({ ok: true, approverId, publicKey, file }, [publicKey])
    output.say(`Kept encrypted in ${file}.`)
    output.next('approver serve')
    return EXIT.done
  },
}
