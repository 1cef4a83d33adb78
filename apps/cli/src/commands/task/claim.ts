import { formatAmount, getSubmission, simulateClaimShortfall, simulateClaimUnjudged } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task claim`: silence has accepted. */
export const claim: CommandSpec = {
  name: 'claim',
  summary: 'pay a judged delivery on which nobody ruled in time',
  details: 'Anyone may claim; the reward goes to the fulfiller. For a delivery to a verifier use "task release".',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [
    { flags: '--shortfall', text: 'take what is left of a vault that can no longer pay the full reward' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task claim 7 1', 'oikos task claim 7 1 --shortfall --dry-run'],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, asset, connection } = view
    const submission = await getSubmission(connection.client, { ...target, submissionId })
    const reward = tender.terms.rewardPerCompletionAtomic
    const available = tender.shares.fundersAtomic + tender.shares.residualAtomic
    const shortfall = input.flag('shortfall')
    const payee = (await createAddressBook(context))(submission.fulfiller)
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Claim submission ${submissionId} of task ${target.tokenId}${shortfall ? ' for less than its reward' : ''}`,
        functionName: shortfall ? 'claimShortfall' : 'claimUnjudged',
        effects: shortfall
          ? [
              `${formatAmount(available, asset)} instead of ${formatAmount(reward, asset)} leave the vault for ${payee}.`,
              'The rest of the reward is given up. This cannot be undone.',
            ]
          : [`${formatAmount(reward, asset)} leave the vault for ${payee}.`, 'This cannot be undone.'],
        simulate: (account) => {
          const parameters = { ...target, submissionId, account, asset }
          return shortfall
            ? simulateClaimShortfall(connection.client, parameters)
            : simulateClaimUnjudged(connection.client, parameters)
        },
        event: 'FulfillmentAccepted',
      },
      { next: [`task show ${named}`] },
    )
  },
}
