import { MAX_OBJECT_BYTES, parseSha256Digest, rawCidOf } from '@oikos/core'
import { batchReceiptLeaf, formatAmount, hashlockResultHash, simulateSubmitFulfillment } from '@oikos/sdk'
import { nodeSha256 } from '@oikos/sdk/node'
import type { Address, Hex } from 'viem'
import { judgmentText, readJudgment, settleStep } from '../../chain/authority.ts'
import { openTask } from '../../chain/open-task.ts'
import { warningsOf } from '../../chain/warnings.ts'
import { type CommandSpec, OUTPUT_OPTIONS, STORE_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { readInputFile } from '../../input/file.ts'
import type { Input } from '../../input/input.ts'
import { readAnswer, readReceipt } from '../../input/receipts.ts'
import { plain } from '../../output/plain.ts'
import { momentText } from '../../output/speech.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'

/** `oikos task submit`: deliver. */
export const submit: CommandSpec = {
  name: 'submit',
  summary: 'deliver work: reserve a place and a reward',
  details: 'What goes on the chain is a hash. Name what it is of, in one of four ways; the sender is who will be paid.',
  args: [['<task>', 'its number, or chain:contract:number']],
  options: [
    { flags: '--file <file>', text: 'for a judge: the work; it is hashed and put into the content store' },
    { flags: '--answer <file>', text: 'for a hash lock: the answer' },
    { flags: '--receipt <file>', text: 'for a batch: the receipt that you were given' },
    { flags: '--result-hash <hash>', text: '32 bytes that you computed yourself' },
    { flags: '--uri <uri>', text: 'where the work can be found (default with --file: ipfs: and its CID)' },
    ...STORE_OPTIONS,
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: [
    'oikos task submit 7 --file report.pdf',
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
    const isJudged = judgment.kind === 'person'
    const performed = await performWrite(context, input, connection, signer, {
      title: `Deliver to task ${target.tokenId}`,
      contract: target.task,
      asset,
      functionName: 'submitFulfillment',
      effects: [
        `A place and ${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} are reserved for you, ${signer.address}.`,
        `The delivery has hash ${resultHash}${resultURI === '' ? ' and no URI' : ` and is said to be at ${plain(resultURI)}`}.`,
        isJudged
          ? `The ${judgmentText(judgment)} ${judgment.address} has until about ${momentText(deadlineSec, tender.blockTimestampSec)}; silence pays you. At worst it is rejected.`
          : `The ${judgmentText(judgment)} ${judgment.address} settles it by proof; without one it is released after about ${momentText(deadlineSec, tender.blockTimestampSec)}, unpaid.`,
      ],
      warnings: warningsOf({ tender, judgment, asset }).map(({ message }) => message),
      simulate: (account) =>
        simulateSubmitFulfillment(connection.client, { ...target, resultHash, resultURI, account, asset }),
      event: 'FulfillmentSubmitted',
    })
    const submissionId = performed.sent?.event?.args['submissionId']
    return reportWrite(context, performed, {
      document: { taskRef: view.ref, submissionId, resultHash, resultURI },
      next: [
        isJudged || typeof submissionId !== 'bigint' ? `task show ${named}` : settleStep(judgment, named, submissionId),
      ],
    })
  },
}

const WAYS = ['file', 'answer', 'receipt', 'result-hash'] as const

function assertOneDelivery(input: Input): void {
  const given = WAYS.filter((way) => input.text(way) !== undefined)
  if (given.length === 1) return
  throw new UsageError(
    given.length === 0 ? 'Nothing is delivered.' : `Several things are delivered: --${given.join(', --')}.`,
    `Give one of --${WAYS.join(', --')}.`,
  )
}

async function readDelivery(
  context: Context,
  input: Input,
  fulfiller: Address,
): Promise<{ resultHash: Hex; resultURI: string }> {
  const { cwd } = context.terminal
  const [file, answer, receipt] = [input.text('file'), input.text('answer'), input.text('receipt')]
  const uri = input.text('uri')
  if (file !== undefined) {
    const bytes = await readInputFile(cwd, file, { maxBytes: MAX_OBJECT_BYTES })
    if (!input.flag('dry-run')) await (await context.store()).put(bytes)
    return { resultHash: nodeSha256(bytes), resultURI: uri ?? `ipfs://${rawCidOf(bytes)}` }
  }
  const resultURI = uri ?? ''
  if (answer !== undefined) {
    return { resultHash: hashlockResultHash(await readAnswer(cwd, answer), fulfiller), resultURI }
  }
  if (receipt !== undefined) {
    return { resultHash: batchReceiptLeaf(await readReceipt(cwd, receipt), fulfiller), resultURI }
  }
  return { resultHash: parseSha256Digest(input.text('result-hash') ?? ''), resultURI }
}
