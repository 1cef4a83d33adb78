import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import { taskTokenAbi } from '@oikos/core/abi'
import { boundText, MAX_URI_LENGTH, minus, minusSigned, plus } from '../../src/ledger/index.ts'
import { type Indexing, keepActivity, type Logged, low, placeOf, readerOf } from './kept.ts'
import { rememberJudge } from './known.ts'
import { changeTender, keepMovement, type TenderRow, tenderKey, tenderOf } from './tender-rows.ts'

type SubmissionRow = typeof schema.submission.$inferSelect
type SubmissionChange = Partial<Omit<SubmissionRow, 'chainId' | 'contract' | 'tokenId' | 'submissionId'>>

ponder.on('Task:FulfillmentSubmitted', async ({ event, context }) => {
  const { tokenId, submissionId, fulfiller, resultHash, resultURI, taskVersion } = event.args
  const tender = await tenderOf(context, event, tokenId)
  const submittedAtSec = event.block.timestamp
  const { judgmentWindow } = tender
  const values = {
    ...{ fulfiller: low(fulfiller), resultHash, resultUri: boundText(resultURI, MAX_URI_LENGTH), taskVersion },
    ...{ submittedAtSec, deadlineSec: judgmentWindow === null ? null : plus(submittedAtSec, judgmentWindow) },
    ...{ machineSettled: await isMachineSettled(context, tender, submissionId), status: 'pending', ...placeOf(event) },
  }
  await context.db
    .insert(schema.submission)
    .values({ ...tenderKey(context, event, tokenId), submissionId, ...values })
    .onConflictDoUpdate(() => values)
  await changeTender(context, event, tokenId, (row) => ({
    pending: plus(row.pending, 1n),
    submissions: plus(row.submissions, 1n),
  }))
  await keepActivity(context, event, { subject: 'tender', event: 'FulfillmentSubmitted', tokenId, account: fulfiller })
})

/** The mode is a snapshot of the slot. Our kernel takes it as we probe; a foreign one is asked, as it never changes. */
async function isMachineSettled(context: Indexing, tender: TenderRow, submissionId: bigint): Promise<boolean | null> {
  const { chainId, contract: address, tokenId, acceptanceAuthority } = tender
  if (tender.origin === 'oikos' && acceptanceAuthority !== null) return rememberJudge(context, acceptanceAuthority)
  const question = { address, abi: taskTokenAbi, functionName: 'submissionOf', args: [tokenId, submissionId] } as const
  const answer = await readerOf(chainId).read({ ...question, at: 'latest' })
  return answer?.machineSettled ?? null
}

async function changeSubmission(
  context: Indexing,
  event: Logged,
  at: { readonly tokenId: bigint; readonly submissionId: bigint },
  change: (row: SubmissionRow) => SubmissionChange,
): Promise<SubmissionRow | null> {
  const key = { ...tenderKey(context, event, at.tokenId), submissionId: at.submissionId }
  const known = await context.db.find(schema.submission, key)
  // a foreign contract may decide what it never announced
  if (known === null) return null
  return context.db.update(schema.submission, key).set(change)
}

function decidedAt(event: Logged): SubmissionChange {
  const { block, timeSec, tx, logIndex } = placeOf(event)
  return { decidedBlock: block, decidedTimeSec: timeSec, decidedTx: tx, decidedLogIndex: logIndex }
}

ponder.on('Task:FulfillmentAccepted', async ({ event, context }) => {
  const { tokenId, submissionId, fulfiller, reward } = event.args
  const { acceptanceAuthority } = await tenderOf(context, event, tokenId)
  const proves = acceptanceAuthority !== null && (await rememberJudge(context, acceptanceAuthority))
  await changeSubmission(context, event, { tokenId, submissionId }, (row) => ({
    ...{ status: 'accepted', reward, decidedBy: row.decidedBy ?? (proves ? 'proof' : 'judge'), ...decidedAt(event) },
  }))
  await changeTender(context, event, tokenId, (row) => ({
    pending: minus(row.pending, 1n),
    completions: plus(row.completions, 1n),
    escrow: minusSigned(row.escrow, reward),
  }))
  await keepMovement(context, event, tokenId, { kind: 'reward', account: fulfiller, amount: reward, submissionId })
  const activity = {
    subject: 'tender',
    event: 'FulfillmentAccepted',
    tokenId,
    account: fulfiller,
    amount: reward,
  } as const
  await keepActivity(context, event, activity)
})

ponder.on('Task:FulfillmentRejected', async ({ event, context }) => {
  const { tokenId, submissionId } = event.args
  await tenderOf(context, event, tokenId)
  await changeSubmission(context, event, { tokenId, submissionId }, (row) => ({
    ...{ status: 'rejected', decidedBy: row.decidedBy ?? 'judge', ...decidedAt(event) },
  }))
  await changeTender(context, event, tokenId, (row) => ({ pending: minus(row.pending, 1n) }))
  await keepActivity(context, event, { subject: 'tender', event: 'FulfillmentRejected', tokenId })
})

ponder.on('Task:FulfillmentClaimedUnjudged', async ({ event, context }) => {
  const { tokenId, submissionId, fulfiller } = event.args
  await tenderOf(context, event, tokenId)
  await changeSubmission(context, event, { tokenId, submissionId }, () => ({ decidedBy: 'clock' }))
  const activity = { subject: 'tender', event: 'FulfillmentClaimedUnjudged', tokenId, account: fulfiller } as const
  await keepActivity(context, event, activity)
})

ponder.on('Task:SubmissionReleased', async ({ event, context }) => {
  const { tokenId, submissionId } = event.args
  await tenderOf(context, event, tokenId)
  await changeSubmission(context, event, { tokenId, submissionId }, () => ({ decidedBy: 'clock' }))
  await keepActivity(context, event, { subject: 'tender', event: 'SubmissionReleased', tokenId })
})

ponder.on('Task:PayoutCredited', async ({ event, context }) => {
  const { tokenId, submissionId, fulfiller: account, amount } = event.args
  await tenderOf(context, event, tokenId)
  const place = placeOf(event)
  await changeSubmission(context, event, { tokenId, submissionId }, () => ({ credited: amount }))
  await changeTender(context, event, tokenId, (row) => ({ credited: plus(row.credited, amount) }))
  await context.db
    .insert(schema.credit)
    .values({ ...tenderKey(context, event, tokenId), account: low(account), amount, ...place })
    .onConflictDoUpdate((row) => ({ amount: plus(row.amount, amount), ...place }))
  await keepMovement(context, event, tokenId, { kind: 'credited', account, amount, submissionId })
  await keepActivity(context, event, { subject: 'tender', event: 'PayoutCredited', tokenId, account, amount })
})

ponder.on('Task:PayoutWithdrawn', async ({ event, context }) => {
  const { tokenId, account, amount } = event.args
  await tenderOf(context, event, tokenId)
  const place = placeOf(event)
  await changeTender(context, event, tokenId, (row) => ({ credited: minus(row.credited, amount) }))
  const key = { ...tenderKey(context, event, tokenId), account: low(account) }
  if ((await context.db.find(schema.credit, key)) !== null) {
    await context.db.update(schema.credit, key).set((row) => ({ amount: minus(row.amount, amount), ...place }))
  }
  await keepMovement(context, event, tokenId, { kind: 'withdrawn', account, amount })
  await keepActivity(context, event, { subject: 'tender', event: 'PayoutWithdrawn', tokenId, account, amount })
})
