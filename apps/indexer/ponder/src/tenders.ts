import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import { boundText, MAX_URI_LENGTH, minusSigned, plus } from '../../src/ledger/index.ts'
import { chainPlanOf, ignore, keepActivity, low, placeOf } from './kept.ts'
import { rememberJudge } from './known.ts'
import { changeTender, keepMovement, keepTenderChange, tenderKey, tenderOf } from './tender-rows.ts'

ponder.on('TaskTransfer:Transfer', async ({ event, context }) => {
  const { db, chain } = context
  const { from, to, tokenId } = event.args
  const key = tenderKey(context, event, tokenId)
  const owner = low(to)
  const known = await db.find(schema.tender, key)
  const isOurs = chainPlanOf(chain.id).taskContracts.includes(key.contract)
  if (known === null) {
    // the transfer of a mint comes before the task itself
    if (!isOurs) return ignore(context, 'transfer-of-other-token')
    await db
      .insert(schema.taskOwner)
      .values({ ...key, owner })
      .onConflictDoUpdate(() => ({ owner }))
    return
  }
  await changeTender(context, event, tokenId, () => ({ owner }))
  await keepTenderChange(context, event, tokenId, { kind: 'owner', from: low(from), to: owner })
  await keepActivity(context, event, { subject: 'tender', event: 'Transfer', tokenId, account: to })
})

ponder.on('Task:TaskUpdated', async ({ event, context }) => {
  const { tokenId, tdHash, taskHash, version } = event.args
  const { taskUri } = await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, () => ({ tdHash, taskHash, version }))
  const values = { tdHash, taskHash, taskUri, ...placeOf(event) }
  await context.db
    .insert(schema.binding)
    .values({ ...tenderKey(context, event, tokenId), version, ...values })
    .onConflictDoUpdate(() => values)
  await keepActivity(context, event, { subject: 'tender', event: 'TaskUpdated', tokenId })
})

ponder.on('Task:TaskURIUpdated', async ({ event, context }) => {
  const { tokenId } = event.args
  const taskUri = boundText(event.args.taskURI, MAX_URI_LENGTH)
  const { taskUri: from, version } = await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, () => ({ taskUri }))
  const current = { ...tenderKey(context, event, tokenId), version }
  if ((await context.db.find(schema.binding, current)) !== null) {
    await context.db.update(schema.binding, current).set({ taskUri })
  }
  await keepTenderChange(context, event, tokenId, { kind: 'uri', from, to: taskUri })
  await keepActivity(context, event, { subject: 'tender', event: 'TaskURIUpdated', tokenId })
})

ponder.on('Task:TaskFrozen', async ({ event, context }) => {
  const { tokenId } = event.args
  await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, () => ({ isFrozen: true }))
  await keepTenderChange(context, event, tokenId, { kind: 'freeze' })
  await keepActivity(context, event, { subject: 'tender', event: 'TaskFrozen', tokenId })
})

ponder.on('Task:TaskDocumentPublished', async ({ event, context }) => {
  const { tokenId, tdHash } = event.args
  await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, () => ({ hasOnchainDocument: true }))
  await keepTenderChange(context, event, tokenId, { kind: 'document', to: tdHash })
  await keepActivity(context, event, { subject: 'tender', event: 'TaskDocumentPublished', tokenId })
})

ponder.on('Task:TaskUpdateAuthorityChanged', async ({ event, context }) => {
  const { tokenId, previousAuthority, newAuthority } = event.args
  await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, () => ({ updateAuthority: low(newAuthority) }))
  const change = { kind: 'update-authority', from: low(previousAuthority), to: low(newAuthority) }
  await keepTenderChange(context, event, tokenId, change)
  const activity = { subject: 'tender', event: 'TaskUpdateAuthorityChanged', tokenId, account: newAuthority } as const
  await keepActivity(context, event, activity)
})

ponder.on('Task:AcceptanceAuthorityChanged', async ({ event, context }) => {
  const { tokenId, previousAuthority, newAuthority } = event.args
  await tenderOf(context, event, tokenId)
  await rememberJudge(context, newAuthority)
  await changeTender(context, event, tokenId, () => ({ acceptanceAuthority: low(newAuthority) }))
  const change = { kind: 'acceptance-authority', from: low(previousAuthority), to: low(newAuthority) }
  await keepTenderChange(context, event, tokenId, change)
  const activity = { subject: 'tender', event: 'AcceptanceAuthorityChanged', tokenId, account: newAuthority } as const
  await keepActivity(context, event, activity)
})

ponder.on('Task:TenderCancelled', async ({ event, context }) => {
  const { tokenId } = event.args
  await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, () => ({ isCancelled: true }))
  await keepTenderChange(context, event, tokenId, { kind: 'cancel' })
  await keepActivity(context, event, { subject: 'tender', event: 'TenderCancelled', tokenId })
})

ponder.on('Task:TenderFunded', async ({ event, context }) => {
  const { tokenId, funder: account, amount } = event.args
  await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, (row) => ({
    contributed: plus(row.contributed, amount),
    escrow: plus(row.escrow, amount),
  }))
  const place = placeOf(event)
  await context.db
    .insert(schema.funder)
    .values({
      ...{ ...tenderKey(context, event, tokenId), account: low(account), ...place },
      ...{ contributed: amount, refunded: 0n, hasReclaimed: false },
    })
    .onConflictDoUpdate((row) => ({ contributed: plus(row.contributed, amount), ...place }))
  await keepMovement(context, event, tokenId, { kind: 'funded', account, amount })
  await keepActivity(context, event, { subject: 'tender', event: 'TenderFunded', tokenId, account, amount })
})

ponder.on('Task:EscrowReclaimed', async ({ event, context }) => {
  const { tokenId, funder: account, amount } = event.args
  await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, (row) => ({ escrow: minusSigned(row.escrow, amount) }))
  const place = placeOf(event)
  await context.db
    .insert(schema.funder)
    .values({
      ...{ ...tenderKey(context, event, tokenId), account: low(account), ...place },
      ...{ contributed: 0n, refunded: amount, hasReclaimed: true },
    })
    .onConflictDoUpdate((row) => ({ refunded: plus(row.refunded, amount), hasReclaimed: true, ...place }))
  await keepMovement(context, event, tokenId, { kind: 'refund', account, amount })
  await keepActivity(context, event, { subject: 'tender', event: 'EscrowReclaimed', tokenId, account, amount })
})

ponder.on('Task:ResidualReclaimed', async ({ event, context }) => {
  const { tokenId, owner: account, amount } = event.args
  await tenderOf(context, event, tokenId)
  await changeTender(context, event, tokenId, (row) => ({ escrow: minusSigned(row.escrow, amount) }))
  await keepMovement(context, event, tokenId, { kind: 'residual', account, amount })
  await keepActivity(context, event, { subject: 'tender', event: 'ResidualReclaimed', tokenId, account, amount })
})

ponder.on('Task:ForeignReclaimed', async ({ event, context }) => {
  const { tokenId, owner: account, asset, amount } = event.args
  await tenderOf(context, event, tokenId)
  await keepMovement(context, event, tokenId, { kind: 'foreign', account, amount, asset })
  await keepActivity(context, event, { subject: 'tender', event: 'ForeignReclaimed', tokenId, account, amount })
})
