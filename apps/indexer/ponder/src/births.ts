import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import { agentAbi } from '@oikos/core/abi'
import { boundText, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH } from '../../src/ledger/index.ts'
import { blankAgent, keepAgentChange, unlessForgotten } from './agent-rows.ts'
import { chainPlanOf, keepActivity, low, placeOf, readerOf } from './kept.ts'
import { rememberToken } from './known.ts'

/** Decimals of the shares of our Agents. Source: ShareToken.sol. */
const SHARE_DECIMALS = 18

ponder.on('Factory:AgentCreated', async ({ event, context }) => {
  const { db, chain } = context
  const address = low(event.args.agent)
  const { acceptToken, initialRate, fixedPrice, reclaimHorizonSec, name, symbol, owner } = event.args
  const plan = chainPlanOf(chain.id).agentFactories.find((factory) => factory.address === low(event.log.address))
  const { read } = readerOf(chain.id)
  // the only terms of a birth that no event tells
  const fees = await unlessForgotten(
    read({ address, abi: agentAbi, functionName: 'feesOf', args: [], at: Number(event.block.number) }),
  )
  const born = {
    ...{ origin: 'oikos', owner: low(owner), acceptToken: low(acceptToken), shareToken: address },
    scope: plan === undefined ? null : (plan.scope as `0x${string}`),
    ...{ name: boundText(name, MAX_NAME_LENGTH), symbol: boundText(symbol, MAX_SYMBOL_LENGTH) },
    ...{ decimals: SHARE_DECIMALS, initialRate, isFixedPrice: fixedPrice, reclaimHorizonSec },
    ...{ rate: initialRate, rateAtSec: Number(event.block.timestamp), supply: 0n },
    ...(fees === undefined ? {} : { mintFeeBps: fees[0], redeemFeeBps: fees[1], feeRecipient: low(fees[2]) }),
    ...placeOf(event),
  }
  // events of the birth itself come first, and have made a row by then
  await db
    .insert(schema.agent)
    .values({ ...blankAgent(chain.id, address, event), ...born })
    .onConflictDoUpdate(() => born)
  const share = { chainId: chain.id, address, agent: address }
  await db
    .insert(schema.shareToken)
    .values(share)
    .onConflictDoUpdate(() => ({ agent: address }))
  await db.insert(schema.agentRate).values({
    ...{ id: event.id, chainId: chain.id, ...placeOf(event), agent: address, rate: initialRate },
  })
  await rememberToken(context, acceptToken)
  await keepAgentChange(context, event, {
    kind: 'born',
    account: owner,
    agent: address,
    args: { initialRate, fixedPrice },
  })
  await keepActivity(context, event, {
    ...{ subject: 'agent', event: 'AgentCreated', contract: address, account: owner },
  })
})
