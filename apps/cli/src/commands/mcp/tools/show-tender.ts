import { listFulfillmentSubmitted, listSubmissions } from '@oikos/sdk'
import { z } from 'zod'
import { judgmentText, readJudgment } from '../../../chain/authority.ts'
import { readHistory } from '../../../chain/history.ts'
import { openTask } from '../../../chain/open-task.ts'
import { warningsOf } from '../../../chain/warnings.ts'
import { isOpen } from '../../task/list.ts'
import { amount, amountOf, asset, assetOf, decimal, decimalInput, hex, taskInput, warning } from '../schemas.ts'
import type { Tool } from '../tool.ts'
import { untrusted, untrustedText } from '../untrusted.ts'

/** Deliveries of one result. */
const PAGE_SIZE = 25

const input = z.strictObject({
  task: taskInput,
  cursor: decimalInput.optional().describe('nextCursor of the result before: more deliveries'),
})

const delivery = z.strictObject({
  submissionId: decimal,
  fulfiller: hex,
  status: z.string(),
  taskVersion: decimal,
  submittedAtSec: decimal,
  deadlineSec: decimal.describe('end of the judgment window'),
  resultHash: hex,
  resultURI: untrustedText.optional(),
})

const output = z.strictObject({
  taskRef: z.string(),
  blockNumber: decimal,
  nowSec: decimal.describe('time of the block, the clock of the tender'),
  isOpen: z.boolean(),
  isFrozen: z.boolean(),
  isCancelled: z.boolean(),
  asset,
  reward: amount,
  completions: z.strictObject({ paid: decimal, pending: decimal, most: decimal.describe('0 for unlimited') }),
  submitBySec: decimal.describe('0 for no limit'),
  settleBySec: decimal.describe('0 for no limit'),
  judgmentWindowSec: decimal,
  vault: z.strictObject({
    address: hex,
    balance: amount,
    reserved: amount,
    owedToFulfillers: amount,
    fromFunders: amount,
    fromGiftsAndRest: amount,
  }),
  judge: z.strictObject({ kind: z.string(), text: z.string(), address: hex }),
  owner: hex,
  publisher: hex,
  binding: z.strictObject({ taskHash: hex, tdHash: hex, version: decimal }),
  taskURI: untrustedText,
  deliveries: z.array(delivery),
  deliveryCount: decimal,
  nextCursor: decimal.optional(),
  warnings: z.array(warning),
})

/** `show_tender`. */
export const showTender: Tool<typeof input, typeof output> = {
  name: 'show_tender',
  title: 'Show a tender',
  description:
    'Everything that the chain says about a tender: money, terms, who decides, deliveries, and what a careful reader would want to know.',
  input,
  output,
  effects: 'reads',
  deadlineMs: 60_000,
  run: async (reach, wanted) => {
    const { connection, target, tender, asset: reward, ref } = await openTask(reach, wanted.task)
    const { terms, shares, binding } = tender
    const deployment = await connection.knownDeployment()
    const judgment = await readJudgment(connection, target, tender.acceptanceAuthority, deployment)
    const page = await listSubmissions(connection.client, {
      ...{ ...target, blockNumber: tender.blockNumber, pageSize: PAGE_SIZE },
      ...(wanted.cursor === undefined ? {} : { cursor: BigInt(wanted.cursor) }),
    })
    const { events } = await readHistory(connection, target, (fromBlock) =>
      listFulfillmentSubmitted(connection.client, { ...target, fromBlock, toBlock: tender.blockNumber }),
    )
    const uris = new Map(events.map(({ args }) => [args.submissionId, args.resultURI]))
    const inAsset = (atomic: bigint) => amountOf(atomic, reward)
    return {
      ...{ taskRef: ref, blockNumber: tender.blockNumber, nowSec: tender.blockTimestampSec },
      ...{ isOpen: isOpen(tender), isFrozen: tender.frozen, isCancelled: tender.cancelled },
      asset: assetOf(reward),
      reward: inAsset(terms.rewardPerCompletionAtomic),
      completions: { paid: tender.completions, pending: tender.pending, most: terms.maxCompletions },
      ...{ submitBySec: terms.submitBySec, settleBySec: terms.settleBySec },
      judgmentWindowSec: terms.judgmentWindowSec,
      vault: {
        address: tender.vault,
        balance: inAsset(tender.balanceAtomic),
        reserved: inAsset(tender.lockedAtomic),
        owedToFulfillers: inAsset(shares.creditsAtomic),
        fromFunders: inAsset(shares.fundersAtomic),
        fromGiftsAndRest: inAsset(shares.residualAtomic),
      },
      judge: { kind: judgment.kind, text: judgmentText(judgment), address: judgment.address },
      ...{ owner: tender.owner, publisher: tender.updateAuthority },
      binding: { taskHash: binding.taskHash, tdHash: binding.tdHash, version: binding.version },
      taskURI: untrusted('publisher of the tender', tender.taskURI),
      deliveries: page.submissions.map((submission) => {
        const { submissionId, fulfiller, status, taskVersion, submittedAtSec, resultHash } = submission
        const uri = uris.get(submissionId) ?? ''
        return {
          ...{ submissionId, fulfiller, status, taskVersion, submittedAtSec, resultHash },
          deadlineSec: submittedAtSec + terms.judgmentWindowSec,
          ...(uri === '' ? {} : { resultURI: untrusted(`fulfiller ${fulfiller}`, uri) }),
        }
      }),
      deliveryCount: tender.submissionCount,
      ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
      warnings: warningsOf({ tender, judgment, asset: reward }),
    }
  },
}
