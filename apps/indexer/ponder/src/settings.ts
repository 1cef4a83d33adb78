import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import { zeroAddress } from 'viem'
import { boundText, MAX_URI_LENGTH, toSmall } from '../../src/ledger/index.ts'
import { agentOf, changeAgent, keepAgentChange } from './agent-rows.ts'
import { keepActivity, low, placeOf } from './kept.ts'

const orNull = (address: `0x${string}`) => (low(address) === zeroAddress ? null : low(address))

ponder.on('Agent:AgentURIUpdated', async ({ event, context }) => {
  await agentOf(context, event)
  const uri = boundText(event.args.newURI, MAX_URI_LENGTH)
  await changeAgent(context, event, () => ({ uri }))
  await keepAgentChange(context, event, { kind: 'uri', args: { uri } })
  await keepActivity(context, event, { subject: 'agent', event: 'AgentURIUpdated' })
})

ponder.on('Agent:ExecutorUpdated', async ({ event, context }) => {
  const { executor: account, enabled } = event.args
  const agent = await agentOf(context, event)
  const key = { chainId: context.chain.id, agent: agent.address, account: low(account) }
  // read out before the write, which changes the row that was found in place
  const wasEnabled = (await context.db.find(schema.executor, key))?.isEnabled ?? false
  const change = { isEnabled: enabled, ...placeOf(event) }
  await context.db
    .insert(schema.executor)
    .values({ ...key, ...change, actionCount: 0 })
    .onConflictDoUpdate(() => change)
  const step = Number(enabled) - Number(wasEnabled)
  await changeAgent(context, event, (row) => ({ executorCount: Math.max(0, row.executorCount + step) }))
  await keepAgentChange(context, event, { kind: 'executor', account, args: { enabled } })
  await keepActivity(context, event, { subject: 'agent', event: 'ExecutorUpdated', account })
})

ponder.on('Agent:ExchangeRateUpdated', async ({ event, context }) => {
  const rate = event.args.newRate
  const agent = await agentOf(context, event)
  await changeAgent(context, event, () => ({ rate, rateAtSec: Number(event.block.timestamp) }))
  const row = { id: event.id, chainId: context.chain.id, ...placeOf(event), agent: agent.address, rate }
  await context.db.insert(schema.agentRate).values(row)
  await keepActivity(context, event, { subject: 'agent', event: 'ExchangeRateUpdated', amount: rate })
})

ponder.on('OwnAgent:OwnershipTransferred', async ({ event, context }) => {
  const { newOwner } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ owner: orNull(newOwner), pendingOwner: null }))
  await keepAgentChange(context, event, { kind: 'owner', account: newOwner, args: event.args })
  await keepActivity(context, event, { subject: 'agent', event: 'OwnershipTransferred', account: newOwner })
})

ponder.on('OwnAgent:OwnershipTransferStarted', async ({ event, context }) => {
  const { newOwner } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ pendingOwner: orNull(newOwner) }))
  await keepAgentChange(context, event, { kind: 'owner-proposed', account: newOwner, args: event.args })
  await keepActivity(context, event, { subject: 'agent', event: 'OwnershipTransferStarted', account: newOwner })
})

ponder.on('OwnAgent:GuardianUpdated', async ({ event, context }) => {
  const { guardian } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ guardian: orNull(guardian) }))
  await keepAgentChange(context, event, { kind: 'guardian', account: guardian })
  await keepActivity(context, event, { subject: 'agent', event: 'GuardianUpdated', account: guardian })
})

ponder.on('OwnAgent:Paused', async ({ event, context }) => {
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ isPaused: true }))
  await keepAgentChange(context, event, { kind: 'paused', account: event.args.by })
  await keepActivity(context, event, { subject: 'agent', event: 'Paused', account: event.args.by })
})

ponder.on('OwnAgent:Unpaused', async ({ event, context }) => {
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ isPaused: false }))
  await keepAgentChange(context, event, { kind: 'unpaused', account: event.args.by })
  await keepActivity(context, event, { subject: 'agent', event: 'Unpaused', account: event.args.by })
})

ponder.on('OwnAgent:FeesUpdated', async ({ event, context }) => {
  const { mintFeeBps, redeemFeeBps } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ mintFeeBps: toSmall(mintFeeBps), redeemFeeBps: toSmall(redeemFeeBps) }))
  await keepAgentChange(context, event, { kind: 'fees', args: event.args })
  await keepActivity(context, event, { subject: 'agent', event: 'FeesUpdated' })
})

ponder.on('OwnAgent:FeeRecipientUpdated', async ({ event, context }) => {
  const { recipient } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ feeRecipient: orNull(recipient) }))
  await keepAgentChange(context, event, { kind: 'fee-recipient', account: recipient })
  await keepActivity(context, event, { subject: 'agent', event: 'FeeRecipientUpdated', account: recipient })
})

ponder.on('OwnAgent:FeesClaimed', async ({ event, context }) => {
  const { recipient, amount } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, (row) => ({ feesOwed: row.feesOwed > amount ? row.feesOwed - amount : 0n }))
  await keepAgentChange(context, event, { kind: 'fees-claimed', account: recipient, args: { amount } })
  await keepActivity(context, event, { subject: 'agent', event: 'FeesClaimed', account: recipient, amount })
})

ponder.on('OwnAgent:GuardUpdated', async ({ event, context }) => {
  const { corridorBpsPerDay, minRequestAgeSec } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ corridorBpsPerDay, minRequestAgeSec: toSmall(minRequestAgeSec) }))
  await keepAgentChange(context, event, { kind: 'guard', args: event.args })
  await keepActivity(context, event, { subject: 'agent', event: 'GuardUpdated' })
})

ponder.on('OwnAgent:SettlementStopped', async ({ event, context }) => {
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ isHalted: true }))
  await keepAgentChange(context, event, { kind: 'settlement-stopped', args: event.args })
  await keepActivity(context, event, { subject: 'agent', event: 'SettlementStopped', amount: event.args.rate })
})

ponder.on('OwnAgent:RateConfirmed', async ({ event, context }) => {
  const { rate, by } = event.args
  await agentOf(context, event)
  await changeAgent(context, event, () => ({ isHalted: false }))
  await keepAgentChange(context, event, { kind: 'rate-confirmed', account: by, args: { rate } })
  await keepActivity(context, event, { subject: 'agent', event: 'RateConfirmed', account: by, amount: rate })
})

ponder.on('OwnAgent:Received', async ({ event, context }) => {
  const { from, amount } = event.args
  await agentOf(context, event)
  await keepAgentChange(context, event, { kind: 'received', account: from, args: { amount } })
  await keepActivity(context, event, { subject: 'agent', event: 'Received', account: from, amount })
})

ponder.on('OwnAgent:ValuationAdded', async ({ event, context }) => {
  const agent = await agentOf(context, event)
  const address = low(event.args.valuation)
  const key = { chainId: context.chain.id, agent: agent.address, address }
  const change = { isListed: true, ...placeOf(event) }
  await context.db
    .insert(schema.valuation)
    .values({ ...key, ...change })
    .onConflictDoUpdate(() => change)
  await keepAgentChange(context, event, { kind: 'valuation-added', account: address })
  await keepActivity(context, event, { subject: 'agent', event: 'ValuationAdded', account: address })
})

ponder.on('OwnAgent:ValuationRemoved', async ({ event, context }) => {
  const agent = await agentOf(context, event)
  const address = low(event.args.valuation)
  const key = { chainId: context.chain.id, agent: agent.address, address }
  const change = { isListed: false, ...placeOf(event) }
  await context.db
    .insert(schema.valuation)
    .values({ ...key, ...change })
    .onConflictDoUpdate(() => change)
  await keepAgentChange(context, event, { kind: 'valuation-removed', account: address })
  await keepActivity(context, event, { subject: 'agent', event: 'ValuationRemoved', account: address })
})
