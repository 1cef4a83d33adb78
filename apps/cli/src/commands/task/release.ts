import { formatAmount, getSubmission, simulateReleaseExpired } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task release`: a delivery to a verifier that never settled gives its place back. */
export const release: CommandSpec = {
  name: 'release',
  summary: 'free the place of a delivery that no proof settled in time',
  details: 'Anyone may release. For a delivery to a judge use "task claim": there, silence pays.',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task release 7 2'],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, asset, connection } = view
    const submission = await getSubmission(connection.client, { ...target, submissionId })
    const book = await createAddressBook(context)
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Release submission ${submissionId} of task ${target.tokenId}`,
        functionName: 'releaseExpired',
        effects: [
          `The delivery of ${book(submission.fulfiller)} is rejected without payment; it can be delivered anew.`,
          `${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} are free for another delivery.`,
        ],
        simulate: (account) => simulateReleaseExpired(connection.client, { ...target, submissionId, account, asset }),
        event: 'SubmissionReleased',
      },
      { next: [`task show ${named}`] },
    )
  },
}
