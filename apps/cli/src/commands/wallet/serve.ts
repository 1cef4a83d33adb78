import { join, resolve } from 'node:path'
import { approvedIn, openApprovalLog } from '@oikos/runtime/approval'
import { runSignerProcess } from '@oikos/runtime/custody'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { NotFoundError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { readPassphrase } from '../../keys/passphrase.ts'
import { plain } from '../../output/plain.ts'
import { userFolderOf } from '../../settings.ts'
import { untilInterrupted } from '../../until-interrupted.ts'
import { CUSTODY_OPTIONS, custodyFolder, PASSPHRASE_OPTION, walletsOf } from './folder.ts'

/** `oikos wallet serve`: a process of its own that signs, so that the one that pays holds no key. */
export const serve: CommandSpec = {
  name: 'serve',
  summary: 'serve the wallets of a folder to payers on this machine, until Ctrl-C',
  details:
    'Signs for --signer of pay, over a Unix socket that only you can reach: what the allow list has, for approvals that the log of the approver holds, once each. Keys and passphrase never leave this process; all wallets of the folder have one passphrase.',
  options: [
    { flags: '--socket <path>', text: 'where it is reached (default signer/socket in the folder of custody)' },
    { flags: '--approvals <file>', text: "the approver's log (default approvals.sqlite of the user folder)" },
    ...CUSTODY_OPTIONS,
    PASSPHRASE_OPTION,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos wallet serve',
    'oikos wallet serve --socket /run/user/1000/oikos/signer --passphrase-file passphrase.txt',
  ],
  endsInOrder: true,
  run: async (context, input) => {
    const { output, terminal } = context
    const folder = custodyFolder(context, input)
    const path = (name: string, otherwise: string) => resolve(terminal.cwd, input.text(name) ?? otherwise)
    const socketPath = path('socket', join(folder, 'signer', 'socket'))
    const [first, ...rest] = await walletsOf(context, input).list()
    if (first === undefined) throw new NotFoundError(`There is no wallet in ${folder}.`, 'See wallet create.')
    const passphrase = await readPassphrase(terminal, 'of the wallets', { file: input.text('passphrase-file') })
    // A slip of the finger is found now, not at the first payment.
    const wallets = [first, ...rest]
    for (const { walletId, rail } of wallets) await walletsOf(context, input).open(walletId, rail, passphrase)
    const log = await openApprovalLog(path('approvals', join(userFolderOf(terminal), 'approvals.sqlite')))
    try {
      const server = await runSignerProcess({
        ...{ folder, socketPath, passphrase },
        clockMs: () => Date.now(),
        findApproval: approvedIn(log),
        onFailure: ({ code, message }) => output.say(`refused  ${code}: ${plain(message)}`),
      })
      try {
        output.result({ ok: true, socket: socketPath, wallets }, [
          socketPath,
          ...wallets.map(({ walletId, rail, address }) => `${walletId} on ${rail}: ${address}`),
        ])
        output.next(`pay --policy <file> --intent <file> --signer ${socketPath}`)
        await untilInterrupted(terminal)
      } finally {
        await server.close()
      }
    } finally {
      log.close()
    }
    return EXIT.done
  },
}
