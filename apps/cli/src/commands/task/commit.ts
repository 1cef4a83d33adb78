import { parseSha256Digest } from '@oikos/core'
import { hashlockAnswerHash, simulateCommitAnswer, simulateCommitBatchRoot } from '@oikos/sdk'
import { judgmentText, readJudgment } from '../../chain/authority.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { parseDuration } from '../../input/duration.ts'
import type { Input } from '../../input/input.ts'
import { readAnswer, readTree } from '../../input/receipts.ts'
import { exactDuration } from '../../output/speech.ts'
import { runTaskWrite } from '../../transaction/report.ts'

const TASK = ['<task>', 'its number, or chain:contract:number'] as const

const hashlock: CommandSpec = {
  name: 'hashlock',
  summary: 'commit to the answer of a hash lock, once, as the update authority',
  args: [TASK],
  options: [
    { flags: '--answer <file>', text: 'the answer; every byte counts, a line end as well' },
    { flags: '--answer-hash <hash>', text: 'its SHA-256 instead' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task commit hashlock 7 --answer answer.txt'],
  run: async (context, input) => {
    const answerHash = await readAnswerHash(context, input)
    const view = await openTask(context, input.argument(0))
    const verifier = await stockVerifier(view, 'hashlock')
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Commit task ${view.target.tokenId} to an answer`,
        contract: verifier,
        functionName: 'commitAnswer',
        effects: [
          `Whoever shows bytes with SHA-256 ${answerHash} is paid.`,
          'The commitment can never be changed or taken back.',
        ],
        simulate: (account) =>
          simulateCommitAnswer(view.connection.client, { ...view.target, verifier, answerHash, account }),
        event: 'AnswerCommitted',
      },
      { document: { answerHash }, next: [`task freeze ${view.named}`, `task fund ${view.named} "<amount>"`] },
    )
  },
}

const batch: CommandSpec = {
  name: 'batch',
  summary: 'commit to the root of a batch of receipts, once, as the update authority',
  args: [TASK],
  options: [
    { flags: '--tree <file>', text: 'what "task receipt tree" wrote' },
    { flags: '--root <hash>', text: 'the root instead' },
    { flags: '--min-age <time>', text: 'how old a delivery must be before it settles: "10m"' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task commit batch 7 --tree tree.json --min-age 10m'],
  run: async (context, input) => {
    const minAge = input.text('min-age')
    if (minAge === undefined) {
      throw new UsageError('A minimum age keeps others from copying a receipt.', 'Give it with --min-age, such as 10m.')
    }
    const minAgeSec = parseDuration(minAge, '--min-age')
    const [file, named] = [input.text('tree'), input.text('root')]
    if ((file === undefined) === (named === undefined)) {
      throw new UsageError('The commitment needs one root.', 'Give --tree <file> or --root <hash>.')
    }
    const root = file === undefined ? parseSha256Digest(named ?? '') : (await readTree(context.terminal.cwd, file)).root
    const view = await openTask(context, input.argument(0))
    const verifier = await stockVerifier(view, 'batch')
    const { judgmentWindowSec } = view.tender.terms
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Commit task ${view.target.tokenId} to a batch of receipts`,
        contract: verifier,
        functionName: 'commitBatchRoot',
        effects: [
          `Whoever shows a receipt under root ${root}, made out to them, is paid, ${exactDuration(minAgeSec)} after delivering at the earliest.`,
          'The commitment can never be changed or taken back.',
        ],
        warnings:
          minAgeSec <= judgmentWindowSec
            ? []
            : [
                'A delivery can be released before it is old enough to settle: the window is shorter than the minimum age.',
              ],
        simulate: (account) =>
          simulateCommitBatchRoot(view.connection.client, { ...view.target, verifier, root, minAgeSec, account }),
        event: 'BatchRootCommitted',
      },
      { document: { root, minAgeSec }, next: [`task freeze ${view.named}`, `task fund ${view.named} "<amount>"`] },
    )
  },
}

async function readAnswerHash(context: Context, input: Input) {
  const [file, named] = [input.text('answer'), input.text('answer-hash')]
  if ((file === undefined) === (named === undefined)) {
    throw new UsageError('The commitment needs one answer.', 'Give --answer <file> or --answer-hash <hash>.')
  }
  return file === undefined
    ? parseSha256Digest(named ?? '')
    : hashlockAnswerHash(await readAnswer(context.terminal.cwd, file))
}

async function stockVerifier({ connection, target, tender }: TaskView, kind: 'hashlock' | 'batch') {
  const deployment = await connection.deployment()
  const judgment = await readJudgment(connection, target, tender.acceptanceAuthority, deployment)
  if (judgment.kind === kind) return judgment.address
  throw new UsageError(
    `Task ${target.tokenId} is decided by the ${judgmentText(judgment)} ${judgment.address}, so this commitment would mean nothing.`,
    'Check the number of the task.',
  )
}

/** `oikos task commit`: what a stock verifier will check. */
export const commit: GroupSpec = {
  name: 'commit',
  summary: 'commit a stock verifier to what it will check',
  commands: [hashlock, batch],
}
