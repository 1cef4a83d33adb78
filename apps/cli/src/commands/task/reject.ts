import { formatAmount, getSubmission, simulateRejectFulfillment } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { momentText } from '../../output/speech.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task reject`: the judge refuses a delivery in time. */
export const reject: CommandSpec = {
  name: 'reject',
  summary: 'refuse a delivery within its judgment window, as the judge',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task reject 7 1', 'oikos task reject 7 1 --from judge --yes'],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, asset, connection } = view
    const submission = await getSubmission(connection.client, { ...target, submissionId })
    const deadlineSec = submission.submittedAtSec + tender.terms.judgmentWindowSec
    const book = await createAddressBook(context)
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Reject submission ${submissionId} of task ${target.tokenId}`,
        functionName: 'rejectFulfillment',
        effects: [
          `${book(submission.fulfiller)} is not paid; ${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} are free for another delivery.`,
          `The window to refuse it ends ${momentText(deadlineSec, tender.blockTimestampSec)}.`,
          'This cannot be undone; the work can be delivered anew.',
        ],
        simulate: (account) =>
          simulateRejectFulfillment(connection.client, { ...target, submissionId, account, asset }),
        event: 'FulfillmentRejected',
      },
      { next: [`task show ${named}`] },
    )
  },
}
