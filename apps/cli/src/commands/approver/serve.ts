import { rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isIdentifier } from '@oikos/core/economic'
import { createApprovalDesk, openApproverKey, startDeskServer } from '@oikos/runtime/approval'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseWhole } from '../../input/number.ts'
import { readPassphrase } from '../../keys/passphrase.ts'
import { untilInterrupted } from '../../until-interrupted.ts'
import { APPROVER_KEY_OPTIONS, approverKeyFile } from './create.ts'
import { writeDesk } from './desk-file.ts'

/** `oikos approver serve`: a page on this machine where a person decides about payments. */
export const serve: CommandSpec = {
  name: 'serve',
  summary: 'serve a page on this machine where a person approves or refuses payments, until Ctrl-C',
  details:
    'Prints a link that works once; the browser that opens it is the only one that may decide. What a payer needs to ask is written into a file for --approver of pay. Asking never decides.',
  options: [
    ...APPROVER_KEY_OPTIONS,
    { flags: '--port <number>', text: 'port of 127.0.0.1 (default: a free one)' },
    { flags: '--desk <file>', text: 'file for those who ask (default desk.json beside the key)' },
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos approver serve', 'oikos approver serve --port 8433 --desk /tmp/desk.json'],
  endsInOrder: true,
  run: async (context, input) => {
    const { output, terminal } = context
    const keyFile = approverKeyFile(context, input)
    const named = input.text('desk')
    const deskFile = named === undefined ? join(dirname(keyFile), 'desk.json') : resolve(terminal.cwd, named)
    const port = Number(parseWhole(input.text('port') ?? '0', '--port', { min: 0n, max: 65_535n }))
    const passphrase = await readPassphrase(terminal, 'of the approver', { file: input.text('passphrase-file') })
    const key = await openApproverKey(keyFile, passphrase)
    const { approverId, publicKey } = key
    if (!isIdentifier(approverId))
      throw new UsageError(`${keyFile} names no approver.`, 'Make it with approver create.')
    const clockMs = () => Date.now()
    const desk = createApprovalDesk({ key, clockMs })
    const server = await startDeskServer({ desk, clockMs, port })
    try {
      const { questionsUrl, askToken } = server
      await writeDesk(deskFile, { questionsUrl, askToken, approverId, publicKey })
      const personUrl = server.createPersonUrl()
      output.result({ ok: true, approverId, publicKey, personUrl, questionsUrl, desk: deskFile }, [personUrl])
      output.say('Open this link in your browser, once; it decides. Show it to nobody.')
      output.next(`pay --policy <file> --intent <file> --approver ${deskFile}`)
      await untilInterrupted(terminal)
    } finally {
      await server.close()
      await rm(deskFile, { force: true })
    }
    return EXIT.done
  },
}
