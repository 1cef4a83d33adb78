import { formatAmount, listFulfillmentSubmitted, listSubmissions, type Submission } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { type Judgment, judgmentText, readJudgment, rulingSteps } from '../../chain/authority.ts'
import { readHistory } from '../../chain/history.ts'
import { judgmentFacts } from '../../chain/judgment-facts.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import { warningsOf } from '../../chain/warnings.ts'
import { CHAIN_OPTIONS, type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { MAX_UINT256, parseWhole } from '../../input/number.ts'
import { type Fact, factLines } from '../../output/layout.ts'
import type { Paint } from '../../output/paint.ts'
import { plain } from '../../output/plain.ts'
import {
  type AddressBook,
  absoluteTime,
  assetText,
  countOf,
  exactDuration,
  limitText,
  momentText,
} from '../../output/speech.ts'

/** Submissions on one page. */
const PAGE_SIZE = 50

/** `oikos task show`: everything that the chain says about a task. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'show what the chain says about a task: money, terms, powers, deliveries',
  args: [['<task>', 'its number, or chain:contract:number']],
  options: [
    { flags: '--cursor <number>', text: 'first submission of the page, as the page before named it' },
    ...OUTPUT_OPTIONS,
    ...CHAIN_OPTIONS,
  ],
  examples: ['oikos task show 7', 'oikos task show 7 --json'],
  run: async (context, input) => {
    const { output } = context
    const cursor = input.text('cursor')
    const from = cursor === undefined ? {} : { cursor: parseWhole(cursor, '--cursor', { min: 1n, max: MAX_UINT256 }) }
    const view = await openTask(context, input.argument(0))
    const { connection, target, tender, asset, named } = view
    const at = { blockNumber: tender.blockNumber }
    const deployment = await connection.knownDeployment()
    const judgment = await readJudgment(connection, target, tender.acceptanceAuthority, deployment)
    const page = await listSubmissions(connection.client, { ...target, ...at, ...from, pageSize: PAGE_SIZE })
    const uris = await readUris(view)
    const submissions = page.submissions.map((submission) => ({
      ...submission,
      deadlineSec: submission.submittedAtSec + tender.terms.judgmentWindowSec,
      resultURI: uris.get(submission.submissionId),
    }))
    const warnings = warningsOf({ tender, judgment, asset })
    const book = await createAddressBook(context)
    const rules = await judgmentFacts(connection.client, judgment, book)
    output.result(
      { ok: true, taskRef: view.ref, tender, asset, judgment, submissions, nextCursor: page.nextCursor, warnings },
      [
        ...headLines(view, judgment, rules, book, output.paint),
        ...submissionLines(view, submissions, book, output.paint),
        ...(page.nextCursor === undefined ? [] : [`  more: task show ${named} --cursor ${page.nextCursor}`]),
        ...warnings.map(({ message }) => `${output.paint('warning', 'warning')}  ${message}`),
      ],
    )
    output.next(...nextSteps(view, judgment, submissions))
    return EXIT.done
  },
}

type ShownSubmission = Submission & { readonly deadlineSec: bigint; readonly resultURI: string | undefined }

/** The URIs of deliveries are in events only. */
async function readUris({ connection, target, tender }: TaskView): Promise<ReadonlyMap<bigint, string>> {
  if (tender.submissionCount === 0n) return new Map()
  const { events } = await readHistory(connection, target, (fromBlock) =>
    listFulfillmentSubmitted(connection.client, { ...target, fromBlock, toBlock: tender.blockNumber }),
  )
  return new Map(events.map(({ args }) => [args.submissionId, args.resultURI]))
}

function headLines(
  view: TaskView,
  judgment: Judgment,
  rules: readonly Fact[],
  book: AddressBook,
  paint: Paint,
): string[] {
  const { target, tender, asset, ref } = view
  const { terms, binding, shares, blockTimestampSec: nowSec } = tender
  const amount = (amountAtomic: bigint) => formatAmount(amountAtomic, asset)
  const state = tender.cancelled ? 'cancelled' : tender.frozen ? 'open, content frozen' : 'open, content not frozen'
  const most = terms.maxCompletions === 0n ? 'unlimited' : String(terms.maxCompletions)
  const facts: Fact[] = [
    ['reference', ref],
    ['state', state],
    ['reward', `${amount(terms.rewardPerCompletionAtomic)} a completion, ${assetText(asset)}`],
    ['completions', `${tender.completions} of ${most} paid, ${tender.pending} pending`],
    ['deliver until', limitText(terms.submitBySec, nowSec)],
    ['rulings until', limitText(terms.settleBySec, nowSec)],
    ['judgment window', exactDuration(terms.judgmentWindowSec)],
    ...(terms.epochLengthSec === 0n
      ? []
      : ([['pace', `at most ${terms.maxCompletionsPerEpoch} in ${exactDuration(terms.epochLengthSec)}`]] as const)),
    [`decided by`, `${judgmentText(judgment)} ${book(tender.acceptanceAuthority)}`],
    ...rules,
    ['published by', book(tender.updateAuthority)],
    ['owner', book(tender.owner)],
    ['vault', tender.vault],
    [
      'in the vault',
      [
        `${amount(tender.balanceAtomic)}, of which`,
        `${amount(tender.lockedAtomic)} are reserved for pending deliveries,`,
        `${amount(shares.creditsAtomic)} are owed to fulfillers,`,
        `${amount(shares.fundersAtomic)} are from funders, ${amount(shares.residualAtomic)} from gifts and rest`,
      ],
    ],
    ['version', String(binding.version)],
    ['taskHash', binding.taskHash],
    ['tdHash', binding.tdHash],
    ['document', tender.hasDocument ? 'on the chain' : 'in the package only'],
    ['URI (a claim)', plain(tender.taskURI)],
  ]
  return [
    paint(
      'bold',
      `Task ${target.tokenId}, read from the chain at block ${tender.blockNumber}, ${absoluteTime(nowSec)}`,
    ),
    ...factLines(facts, paint, '  '),
  ]
}

function submissionLines(
  { tender, asset }: TaskView,
  submissions: readonly ShownSubmission[],
  book: AddressBook,
  paint: Paint,
): string[] {
  if (submissions.length === 0) return [paint('bold', 'No deliveries yet')]
  const nowSec = tender.blockTimestampSec
  return [
    paint('bold', countOf(tender.submissionCount, 'delivery', 'deliveries')),
    ...submissions.flatMap((submission) => [
      `  ${submission.submissionId}  ${statusText(submission, nowSec, formatAmount(tender.terms.rewardPerCompletionAtomic, asset))}`,
      `     by ${book(submission.fulfiller)}, for version ${submission.taskVersion}, ${momentText(submission.submittedAtSec, nowSec)}`,
      `     result ${submission.resultHash}`,
      ...(submission.resultURI ? [`     URI (a claim) ${plain(submission.resultURI)}`] : []),
    ]),
  ]
}

function statusText(submission: ShownSubmission, nowSec: bigint, reward: string): string {
  const { status, machineSettled, deadlineSec } = submission
  if (status !== 'pending') return status
  const clock = momentText(deadlineSec, nowSec)
  if (nowSec <= deadlineSec) {
    const silence = machineSettled ? 'then it can be released unpaid' : `then silence pays ${reward}`
    return `pending until ${clock}; ${silence}`
  }
  return machineSettled
    ? `pending, window over ${clock}; can be released`
    : `pending, window over ${clock}; ${reward} can be claimed`
}

function nextSteps(
  { tender, named }: TaskView,
  judgment: Judgment,
  submissions: readonly ShownSubmission[],
): readonly string[] {
  const pending = submissions.find(({ status }) => status === 'pending')
  if (pending !== undefined) {
    const { submissionId } = pending
    const isOver = tender.blockTimestampSec > pending.deadlineSec
    if (isOver) return [`task ${pending.machineSettled ? 'release' : 'claim'} ${named} ${submissionId}`]
    return rulingSteps(judgment, named, submissionId)
  }
  return tender.cancelled && tender.shares.fundersAtomic > 0n
    ? [`task reclaim escrow ${named}`]
    : [`task verify ${named}`]
}
