import { formatAmount, getSubmission, simulateSettleFulfillment } from '@oikos/sdk'
import { bytesToHex, type Hex, isHex } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { readAnswer, readTree } from '../../input/receipts.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task settle`: a proof pays a delivery. */
export const settle: CommandSpec = {
  name: 'settle',
  summary: 'settle a delivery with a proof; anyone may',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [
    {
      flags: '--tree <file>',
      text: 'for a batch: what "task receipt tree" wrote; the proof is found by the result hash',
    },
    { flags: '--answer <file>', text: 'for a hash lock: the answer' },
    { flags: '--proof <hex>', text: 'for any verifier: the bytes of the proof' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task settle 7 1 --tree tree.json', 'oikos task settle 7 1 --answer answer.txt --dry-run'],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openTask(context, input.argument(0))
    const { target, tender, asset, named, connection } = view
    const submission = await getSubmission(connection.client, { ...target, submissionId })
    const proof = await readProof(context, input, submission.resultHash)
    const book = await createAddressBook(context)
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Settle submission ${submissionId} of task ${target.tokenId}`,
        functionName: 'settleFulfillment',
        effects: [
          `${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} leave the vault for ${book(submission.fulfiller)}.`,
          'The proof becomes public.',
        ],
        simulate: (account) =>
          simulateSettleFulfillment(connection.client, { ...target, submissionId, proof, account, asset }),
        event: 'FulfillmentAccepted',
      },
      { next: [`task show ${named}`] },
    )
  },
}

async function readProof(context: Context, input: Input, resultHash: Hex): Promise<Hex> {
  const { cwd } = context.terminal
  const [tree, answer, proof] = [input.text('tree'), input.text('answer'), input.text('proof')]
  if ([tree, answer, proof].filter((given) => given !== undefined).length !== 1) {
    throw new UsageError('A settlement needs one proof.', 'Give --tree <file>, --answer <file> or --proof <hex>.')
  }
  if (tree !== undefined) {
    const entry = (await readTree(cwd, tree)).receipts.find(({ leaf }) => leaf === resultHash)
    if (entry !== undefined) return entry.proof
    throw new NotFoundError(
      `${tree} has no receipt for the delivery with result hash ${resultHash}.`,
      'Check the number of the submission, and which batch it belongs to.',
    )
  }
  if (answer !== undefined) return bytesToHex(await readAnswer(cwd, answer))
  if (isHex(proof) && proof.length % 2 === 0) return proof
  throw new UsageError('--proof: expected whole bytes in hexadecimal with 0x.', 'Check its digits.')
}
