import {
  getSubmission,
  isAttestor,
  type OutcomeProfile,
  outcomeDigest,
  SIGNED_OUTCOME_PROFILE,
  STREAK_PROFILE,
  signOutcome,
} from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { judgmentText, readJudgment } from '../../chain/authority.ts'
import { openTask } from '../../chain/open-task.ts'
import { CHAIN_OPTIONS, type CommandSpec, type GroupSpec, KEY_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { DeclinedError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { writeSecretFile } from '../../input/receipts.ts'
import { factLines } from '../../output/layout.ts'
import { toJsonText } from '../../output/plain.ts'
import { prepareSigner } from '../../transaction/perform.ts'

const sign: CommandSpec = {
  name: 'sign',
  summary: 'sign the outcome of a delivery, as an attestor; nothing is sent',
  details:
    'Fulfiller and result are read from the chain. Look at the delivery before you sign: with enough signatures anyone can have it paid.',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [
    { flags: '--out <file>', text: 'write the signature there; must not exist' },
    { flags: '--from <key>', text: 'key that signs' },
    { flags: '--yes', text: 'sign without asking; needed where nobody can be asked' },
    ...KEY_OPTIONS,
    ...OUTPUT_OPTIONS,
    ...CHAIN_OPTIONS,
  ],
  examples: ['oikos outcome sign 7 1 --out anna.json', 'oikos outcome sign 7 1 --from anna --yes --json'],
  run: async (context, input) => {
    const { output, terminal } = context
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openTask(context, input.argument(0))
    const { connection, target, tender, named, ref } = view
    const { client, chainId } = connection
    const verifier = tender.acceptanceAuthority
    const judgment = await readJudgment(connection, target, verifier, undefined)
    if (judgment.kind !== 'signed-outcome' && judgment.kind !== 'streak') {
      throw new UsageError(
        `Task ${target.tokenId} is decided by the ${judgmentText(judgment)} ${verifier}, which takes no signatures.`,
        'Check the number of the task.',
      )
    }
    const profile: OutcomeProfile = judgment.kind === 'streak' ? STREAK_PROFILE : SIGNED_OUTCOME_PROFILE
    const signer = await prepareSigner(context, input)
    const at = { ...target, verifier }
    if (!(await isAttestor(client, { ...at, account: signer.address }))) {
      throw new UsageError(
        `${signer.address} does not attest deliveries to task ${target.tokenId}.`,
        'Sign with the key of an attestor, named by --from.',
      )
    }
    const { fulfiller, resultHash } = await getSubmission(client, { ...target, submissionId })
    const outcome = { taskContract: target.task, tokenId: target.tokenId, submissionId, fulfiller, resultHash }
    const book = await createAddressBook(context)
    for (const line of factLines(
      [
        ['you attest', `delivery ${submissionId} to task ${ref}`],
        ['by', book(fulfiller)],
        ['result', resultHash],
        ['at', `the verifier ${verifier}`],
        ['digest', outcomeDigest({ profile, chainId, verifier }, outcome)],
      ],
      output.paintError,
      '  ',
    )) {
      output.say(line)
    }
    if (!input.flag('yes') && !/^y(es)?$/i.test((await terminal.ask('Sign it? [y/N] ')).trim())) {
      throw new DeclinedError()
    }
    const account = await signer.unlock()
    const signed = await signOutcome(client, { ...at, submissionId, profile, account })
    const document = { profile, chainId, verifier, ...signed }
    const out = input.text('out')
    if (out !== undefined) await writeSecretFile(terminal.cwd, out, `${toJsonText(document)}\n`)
    output.result({ ok: true, taskRef: ref, ...document, file: out }, [signed.signature])
    output.next(`task settle ${named} ${submissionId} --signature ${out ?? '<file>'}`)
    return EXIT.done
  },
}

/** `oikos outcome`: what attestors sign. */
export const outcome: GroupSpec = {
  name: 'outcome',
  summary: 'outcomes of deliveries that attestors sign',
  commands: [sign],
}
