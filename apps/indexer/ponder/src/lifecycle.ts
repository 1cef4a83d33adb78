import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import type { Hex } from 'viem'
import { boundText, MAX_URI_LENGTH, plus, toSmall } from '../../src/ledger/index.ts'
import { citeRecord, keepAction } from './actions.ts'
import { agentOf, changeAgent, sideOf } from './agent-rows.ts'
import { keepActivity, low, placeOf } from './kept.ts'
import { keepRequest, movePosition } from './positions.ts'

ponder.on('Agent:MintRequested', async ({ event, context }) => {
  const { requester: account, assets, epoch } = event.args
  const agent = await agentOf(context, event)
  const requestedAtSec = Number(event.block.timestamp)
  await movePosition(context, event, agent, { account, side: 'mint' }, { pendingIn: assets, requestedAtSec })
  await keepRequest(context, event, { account, side: 'mint', step: 'requested', assets, epoch })
  await keepActivity(context, event, { subject: 'agent', event: 'MintRequested', account, amount: assets })
})

ponder.on('Agent:RedeemRequested', async ({ event, context }) => {
  const { requester: account, shares, epoch } = event.args
  const agent = await agentOf(context, event)
  const requestedAtSec = Number(event.block.timestamp)
  await movePosition(context, event, agent, { account, side: 'redeem' }, { pendingIn: shares, requestedAtSec })
  await keepRequest(context, event, { account, side: 'redeem', step: 'requested', shares, epoch })
  await keepActivity(context, event, { subject: 'agent', event: 'RedeemRequested', account, amount: shares })
})

ponder.on('Agent:SharesMinted', async ({ event, context }) => {
  const { requester: account, assets, shares, epoch, sharePrice: rate } = event.args
  const agent = await agentOf(context, event)
  await movePosition(context, event, agent, { account, side: 'mint' }, { claimed: true })
  await keepRequest(context, event, { account, side: 'mint', step: 'claimed', assets, shares, rate, epoch })
  await keepActivity(context, event, { subject: 'agent', event: 'SharesMinted', account, amount: shares })
})

ponder.on('Agent:SharesRedeemed', async ({ event, context }) => {
  const { requester: account, assets, shares, epoch, sharePrice: rate } = event.args
  const agent = await agentOf(context, event)
  await movePosition(context, event, agent, { account, side: 'redeem' }, { claimed: true })
  await keepRequest(context, event, { account, side: 'redeem', step: 'claimed', assets, shares, rate, epoch })
  await keepActivity(context, event, { subject: 'agent', event: 'SharesRedeemed', account, amount: assets })
})

ponder.on('OwnAgent:SettlementDetail', async ({ event, context }) => {
  const { requester, kind, consumed, produced, fee, rate } = event.args
  const side = sideOf(kind)
  if (side === undefined) return
  const agent = await agentOf(context, event)
  const move = { pendingOut: consumed, claimableIn: produced, limit: null }
  await movePosition(context, event, agent, { account: requester, side }, move)
  if (fee > 0n) await changeAgent(context, event, (row) => ({ feesOwed: plus(row.feesOwed, fee) }))
  const key = { chainId: context.chain.id, agent: agent.address, account: low(requester), side }
  const values = { consumed, fee, rate, block: Number(event.block.number), logIndex: event.log.logIndex }
  await context.db
    .insert(schema.settlementDetail)
    .values({ ...placeOf(event), ...key, ...values })
    .onConflictDoUpdate(() => values)
})

ponder.on('Agent:Settled', async ({ event, context }) => {
  const { requester: account, kind, amount, reasoningHash, reasoningURI } = event.args
  const side = sideOf(kind)
  const agent = await agentOf(context, event)
  const record = { reasoningHash, reasoningUri: boundText(reasoningURI, MAX_URI_LENGTH) }
  await keepAction(context, event, agent, {
    kind: side === 'redeem' ? 'settle-redeem' : 'settle-mint',
    target: low(account),
    amount,
    ...record,
  })
  await citeRecord(context, event, {
    ...record,
    kind: 'settled',
    firstKind: side === 'redeem' ? 'settleRedeem' : 'settleMint',
  })
  await keepActivity(context, event, { subject: 'agent', event: 'Settled', account, amount })
  if (side === undefined) return
  // the detail of our own Agents has moved the position; a foreign Agent is asked for it
  if (agent.origin === 'foreign') {
    await movePosition(context, event, agent, { account, side }, { claimableIn: amount })
  }
  const key = {
    chainId: context.chain.id,
    agent: agent.address,
    tx: event.transaction.hash,
    account: low(account),
    side,
  }
  const detail = amount === 0n ? null : await context.db.find(schema.settlementDetail, key)
  const consumed = detail?.consumed ?? null
  await keepRequest(context, event, {
    ...{ account, side, step: 'settled', ...record, fee: detail?.fee ?? null, rate: detail?.rate ?? null },
    ...(side === 'mint' ? { assets: consumed, shares: amount } : { shares: consumed, assets: amount }),
  })
})

ponder.on('OwnAgent:SettlementSkipped', async ({ event, context }) => {
  const { requester: account, kind, outcome } = event.args
  const side = sideOf(kind)
  if (side === undefined) return
  await keepRequest(context, event, { account, side, step: 'skipped', outcome: toSmall(outcome) })
  await keepActivity(context, event, { subject: 'agent', event: 'SettlementSkipped', account })
})

ponder.on('OwnAgent:Reclaimed', async ({ event, context }) => {
  const { requester: account, kind, amount } = event.args
  const side = sideOf(kind)
  if (side === undefined) return
  const agent = await agentOf(context, event)
  await movePosition(context, event, agent, { account, side }, { pendingOut: amount, limit: null })
  const given = side === 'mint' ? { assets: amount } : { shares: amount }
  await keepRequest(context, event, { account, side, step: 'reclaimed', ...given })
  await keepActivity(context, event, { subject: 'agent', event: 'Reclaimed', account, amount })
})

ponder.on('OwnAgent:LimitSet', async ({ event, context }) => {
  const { requester: account, kind, rate } = event.args
  const side = sideOf(kind)
  if (side === undefined) return
  const agent = await agentOf(context, event)
  await movePosition(context, event, agent, { account, side }, { limit: rate === 0n ? null : rate })
  await keepRequest(context, event, { account, side, step: 'limit', rate })
  await keepActivity(context, event, { subject: 'agent', event: 'LimitSet', account })
})

ponder.on('OwnAgent:ClaimFailed', async ({ event, context }) => {
  const { user: account, tokens } = event.args
  await agentOf(context, event)
  await keepRequest(context, event, { account, side: 'redeem', step: 'claim-failed', assets: tokens })
  await keepActivity(context, event, { subject: 'agent', event: 'ClaimFailed', account, amount: tokens })
})

ponder.on('Agent:Executed', async ({ event, context }) => {
  const { executor, target, value, selector, returnData, reasoningHash, reasoningURI } = event.args
  const agent = await agentOf(context, event)
  const record = { reasoningHash, reasoningUri: boundText(reasoningURI, MAX_URI_LENGTH) }
  await keepAction(context, event, agent, {
    ...{ kind: 'execute', actor: low(executor), target: low(target), value, selector, ...record, returnData },
  })
  await citeRecord(context, event, { ...record, kind: 'executed', firstKind: 'execute' })
  await keepActivity(context, event, { subject: 'agent', event: 'Executed', account: executor, amount: value })
})

ponder.on('Agent:Reasoned', async ({ event, context }) => {
  const { actor, action, reasoningHash, reasoningURI } = event.args
  const agent = await agentOf(context, event)
  const record = { reasoningHash, reasoningUri: boundText(reasoningURI, MAX_URI_LENGTH) }
  await keepAction(context, event, agent, { kind: 'reasoned', actor: low(actor), selector: action as Hex, ...record })
  await citeRecord(context, event, { ...record, kind: 'reasoned', firstKind: 'reasoned', reasonedAction: action })
  await keepActivity(context, event, { subject: 'agent', event: 'Reasoned', account: actor })
})
