import { formatAmount, getSubmission, simulateAcceptFulfillment } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task accept`: the judge pays a delivery. */
export const accept: CommandSpec = {
  name: 'accept',
  summary: 'accept a delivery and pay its reward, as the judge',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task accept 7 1', 'oikos task accept 7 1 --from judge --yes --json'],
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
        title: `Accept submission ${submissionId} of task ${target.tokenId}`,
        functionName: 'acceptFulfillment',
        effects: [
          `${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} leave the vault for ${book(submission.fulfiller)}.`,
          `You vouch for the delivery with hash ${submission.resultHash}.`,
          'This cannot be undone.',
        ],
        simulate: (account) =>
          simulateAcceptFulfillment(connection.client, { ...target, submissionId, account, asset }),
        event: 'FulfillmentAccepted',
      },
      (sent) => ({
        next: sent.events.some(({ name }) => name === 'PayoutCredited')
          ? [`task withdraw ${named} --for ${submission.fulfiller}`]
          : [`task show ${named}`],
      }),
    )
  },
}
