import {
  formatAmount,
  getAssetMetadata,
  getJury,
  getJuryCase,
  getJuryPromise,
  getKeptVerdictCount,
  type Jury,
  type JuryCase,
} from '@oikos/sdk'
import { type Client, isAddress } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { openCompanion } from '../../chain/open-companion.ts'
import { CHAIN_OPTIONS, type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { type Fact, factLines } from '../../output/layout.ts'
import { type AddressBook, countOf, exactDuration, momentText } from '../../output/speech.ts'
import { type JuryView, openJury } from './find.ts'

/** `oikos jury show`: who judges, and how the votes on a delivery stand. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'show a jury, what its jurors are promised for a task, or the votes on a delivery',
  args: [
    ['<jury>', 'address of the jury, or a task that it judges'],
    ['[submission]', 'number of the delivery'],
  ],
  options: [...OUTPUT_OPTIONS, ...CHAIN_OPTIONS],
  examples: ['oikos jury show 0x5FbDB2315678afecb367f032d93F642f64180aa3', 'oikos jury show 7', 'oikos jury show 7 1'],
  run: async (context, input) => {
    const [text, submission] = [input.argument(0), input.optionalArgument(1)]
    if (isAddress(text)) return showJury(context, text)
    const view = await openJury(context, text)
    return submission === undefined ? showTask(context, view) : showCase(context, view, parseSubmissionId(submission))
  },
}

function juryFacts({ jurors, quorum, voteWindowSec, leastJudgmentWindowSec }: Jury, book: AddressBook): Fact[] {
  return [
    ['jurors', jurors.map((juror) => book(juror))],
    ['quorum', `${quorum} of ${jurors.length}`],
    ['votes for', `${exactDuration(voteWindowSec)} after the first one`],
    ['shortest window', `${exactDuration(leastJudgmentWindowSec)}: a task with less cannot be judged`],
  ]
}

async function showJury(context: Context, text: string): Promise<ExitCode> {
  const { connection, address } = await openCompanion(context, text, 'jury-panel')
  const jury = await getJury(connection.client, { jury: address })
  const book = await createAddressBook(context)
  context.output.result({ ok: true, address, jury }, [
    context.output.paint('bold', `Jury ${address}`),
    ...factLines(juryFacts(jury, book), context.output.paint, '  '),
  ])
  return EXIT.done
}

async function promiseFacts(client: Client, view: JuryView): Promise<[Fact[], unknown]> {
  const [promise, kept] = await Promise.all([getJuryPromise(client, view.at), getKeptVerdictCount(client, view.at)])
  const waiting: Fact = ['waiting', `${countOf(kept, 'acceptance')} for room or money`]
  if (promise === undefined) return [[['fee', 'none promised'], waiting], { promise, kept }]
  const asset = await getAssetMetadata(client, { asset: promise.feeAsset })
  const fee = `${formatAmount(promise.feeAtomic, asset)} for each acceptance; ${formatAmount(promise.escrowAtomic, asset)} are there`
  return [[['fee', fee], waiting], { promise, kept }]
}

async function showTask(context: Context, view: JuryView): Promise<ExitCode> {
  const { output } = context
  const book = await createAddressBook(context)
  const [facts, document] = await promiseFacts(view.connection.client, view)
  output.result({ ok: true, taskRef: view.ref, address: view.address, jury: view.jury, ...(document as object) }, [
    output.paint('bold', `Jury ${view.address} of task ${view.target.tokenId}`),
    ...factLines([...juryFacts(view.jury, book), ...facts], output.paint, '  '),
  ])
  output.next(`task show ${view.named}`)
  return EXIT.done
}

async function showCase(context: Context, view: JuryView, submissionId: bigint): Promise<ExitCode> {
  const { output } = context
  const found = await getJuryCase(view.connection.client, { ...view.at, submissionId })
  const book = await createAddressBook(context)
  const votes = found === undefined ? [] : votesOf(view.jury, found)
  output.result({ ok: true, taskRef: view.ref, address: view.address, submissionId, case: found, votes }, [
    output.paint('bold', `Delivery ${submissionId} of task ${view.target.tokenId} before jury ${view.address}`),
    ...factLines(
      found === undefined
        ? [['case', 'no vote was cast yet']]
        : [
            ['votes until', momentText(found.deadlineSec, view.tender.blockTimestampSec)],
            ['votes', votes.map(({ juror, approve }) => `${approve ? 'yes' : 'no '} ${book(juror)}`)],
            ['verdict', verdictText(found)],
          ],
      output.paint,
      '  ',
    ),
  ])
  output.next(...nextSteps(view, submissionId, found))
  return EXIT.done
}

function votesOf(jury: Jury, { ayes, noes }: JuryCase) {
  return jury.jurors.flatMap((juror, index) => {
    const bit = 2 ** index // 32 jurors: beyond what a bitwise operator keeps positive
    const has = (bits: number): boolean => Math.floor(bits / bit) % 2 === 1
    return has(ayes) || has(noes) ? [{ juror, approve: has(ayes) }] : []
  })
}

function verdictText({ verdict, isKept, isClosed }: JuryCase): string {
  if (verdict === 'none') return 'none yet'
  const word = verdict === 'accept' ? 'accepted' : 'refused'
  return isClosed || !isKept ? word : `${word}, waiting for room in the epoch or money in the vault`
}

function nextSteps(view: JuryView, submissionId: bigint, found: JuryCase | undefined): string[] {
  const delivery = `${view.named} ${submissionId}`
  if (found?.isKept) return [`jury execute ${delivery}`]
  if (found !== undefined && found.verdict !== 'none') return [`task show ${view.named}`]
  if (found !== undefined && view.tender.blockTimestampSec > found.deadlineSec) return [`jury finalise ${delivery}`]
  return [`jury vote ${delivery} yes`, `jury vote ${delivery} no`]
}
