import { formatAmount, simulateSubmitFulfillment } from '@oikos/sdk'
import { isMachine, judgmentText, readJudgment, rulingSteps } from '../../chain/authority.ts'
import { openTask } from '../../chain/open-task.ts'
import { warningsOf } from '../../chain/warnings.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { momentText } from '../../output/speech.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'
import { assertOneDelivery, DELIVERY_OPTIONS, deliveryText, readDelivery } from './delivery.ts'

/** `oikos task submit`: deliver. */
export const submit: CommandSpec = {
  name: 'submit',
  summary: 'deliver work: reserve a place and a reward',
  details:
    'What goes on the chain is a hash. Name what it is of, in one of these ways; the sender is who will be paid.',
  args: [['<task>', 'its number, or chain:contract:number']],
  options: [...DELIVERY_OPTIONS, ...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: [
    'oikos task submit 7 --file report.pdf',
    'oikos task submit 7 --skill my-skill --entry run.py --entry-profile python-v1',
    'oikos task submit 7 --receipt receipt.txt --from worker --yes',
    'oikos task submit 7 --file report.pdf --uri https://example.org/report.pdf --dry-run',
  ],
  run: async (context, input) => {
    assertOneDelivery(input)
    const view = await openTask(context, input.argument(0))
    const { target, tender, asset, named, connection } = view
    const signer = await prepareSigner(context, input)
    const { resultHash, resultURI } = await readDelivery(context, input, signer.address)
    const judgment = await readJudgment(
      connection,
      target,
      tender.acceptanceAuthority,
      await connection.knownDeployment(),
    )
    const deadlineSec = tender.blockTimestampSec + tender.terms.judgmentWindowSec
    const isJudged = !isMachine(judgment)
    const performed = await performWrite(context, input, connection, signer, {
      title: `Deliver to task ${target.tokenId}`,
      contract: target.task,
      asset,
      functionName: 'submitFulfillment',
      effects: [
        `A place and ${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} are reserved for you, ${signer.address}.`,
        deliveryText({ resultHash, resultURI }),
        isJudged
          ? `The ${judgmentText(judgment)} ${judgment.address} has until about ${momentText(deadlineSec, tender.blockTimestampSec)}; silence pays you. At worst it is rejected.`
          : `The ${judgmentText(judgment)} ${judgment.address} settles it by proof; without one it is released after about ${momentText(deadlineSec, tender.blockTimestampSec)}, unpaid.`,
      ],
      warnings: [
        ...(judgment.kind === 'gate'
          ? [
              `This delivery carries no bond, so anyone can have it refused: use "oikos gate deliver ${judgment.address} ${named}".`,
            ]
          : []),
        ...warningsOf({ tender, judgment, asset }).map(({ message }) => message),
      ],
      simulate: (account) =>
        simulateSubmitFulfillment(connection.client, { ...target, resultHash, resultURI, account, asset }),
      event: 'FulfillmentSubmitted',
    })
    const submissionId = performed.sent?.event?.args['submissionId']
    return reportWrite(context, performed, {
      document: { taskRef: view.ref, submissionId, resultHash, resultURI },
      next: [
        ...(isJudged || typeof submissionId !== 'bigint'
          ? [`task show ${named}`]
          : rulingSteps(judgment, named, submissionId)),
      ],
    })
  },
}
