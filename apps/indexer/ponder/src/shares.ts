import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import { agentAbi } from '@oikos/core/abi'
import { type Address, type Hex, zeroAddress } from 'viem'
import { minus, plus } from '../../src/ledger/index.ts'
import { type AgentRow, changeAgent, unlessForgotten } from './agent-rows.ts'
import { type Indexing, ignore, keepActivity, type Logged, low, placeOf, readerOf } from './kept.ts'

ponder.on('Share:Transfer', async ({ event, context }) => {
  const { db, chain } = context
  const address = low(event.log.address)
  const share = await db.find(schema.shareToken, { chainId: chain.id, address })
  // the first transfer of a birth comes after the birth; anything else is a token that nobody here issues
  if (share === null) return ignore(context, 'transfer-of-other-token')
  const agent = await db.find(schema.agent, { chainId: chain.id, address: share.agent })
  if (agent === null) return ignore(context, 'transfer-of-other-token')
  const { from, to, value } = event.args
  const isForeign = agent.origin === 'foreign'
  await moveShares(context, event, agent, { token: address, account: from, isForeign }, (shares) =>
    minus(shares, value),
  )
  await moveShares(context, event, agent, { token: address, account: to, isForeign }, (shares) => plus(shares, value))
  const supply = isForeign ? await askSupply(context, event, address) : undefined
  await changeAgent(
    context,
    event,
    (row) => ({
      supply: supply ?? minus(plus(row.supply, isZero(from) ? value : 0n), isZero(to) ? value : 0n),
    }),
    agent.address,
  )
  const activity = { subject: 'agent', event: 'Transfer', contract: agent.address, account: to, amount: value } as const
  await keepActivity(context, event, activity)
})

const isZero = (address: Hex): boolean => low(address) === zeroAddress

/** Of a foreign token, whose past may be unknown, the balance at the block is asked for. */
async function moveShares(
  context: Indexing,
  event: Logged,
  agent: AgentRow,
  { token, account, isForeign }: { readonly token: Address; readonly account: Hex; readonly isForeign: boolean },
  move: (shares: bigint) => bigint,
): Promise<void> {
  if (isZero(account)) return
  const { db, chain } = context
  const key = { chainId: chain.id, agent: agent.address, account: low(account) }
  const before = (await db.find(schema.holder, key))?.shares ?? 0n
  const question = { address: token, abi: agentAbi, functionName: 'balanceOf', args: [account] } as const
  const told = isForeign
    ? await unlessForgotten(readerOf(chain.id).read({ ...question, at: Number(event.block.number) }))
    : undefined
  const shares = told ?? move(before)
  const values = { shares, ...placeOf(event) }
  await db
    .insert(schema.holder)
    .values({ ...key, ...values })
    .onConflictDoUpdate(() => values)
  const step = Number(shares > 0n) - Number(before > 0n)
  if (step === 0) return
  await changeAgent(context, event, (row) => ({ holderCount: Math.max(0, row.holderCount + step) }), agent.address)
}

function askSupply({ chain }: Indexing, event: Logged, token: Address): Promise<bigint | undefined> {
  const question = { address: token, abi: agentAbi, functionName: 'totalSupply', args: [] } as const
  return unlessForgotten(readerOf(chain.id).read({ ...question, at: Number(event.block.number) }))
}
