import schema from 'ponder:schema'
import { agentAbi } from '@oikos/core/abi'
import type { Hex } from 'viem'
import { minus, plus, shifted } from '../../src/ledger/index.ts'
import { type AgentRow, changeAgent, type Side, unlessForgotten } from './agent-rows.ts'
import { type Indexing, type Logged, low, placeOf, readerOf } from './kept.ts'

/** What changes in a position: amounts that come and go, or what ends with it. */
export type PositionMove = {
  readonly pendingIn?: bigint
  readonly pendingOut?: bigint
  readonly claimableIn?: bigint
  /** The whole claimable balance was claimed. */
  readonly claimed?: true
  /** A new request restarts the clock. */
  readonly requestedAtSec?: number
  readonly limit?: bigint | null
}

type Balance = { readonly pending: bigint; readonly claimable: bigint }

/**
 * Moves a position and the sums of its Agent with it. Of a foreign Agent, whose events do not tell what a settlement
 * consumed, the contract's own answer at the block is taken where it gives one.
 */
export async function movePosition(
  context: Indexing,
  event: Logged,
  agent: AgentRow,
  at: { readonly account: Hex; readonly side: Side },
  move: PositionMove,
): Promise<void> {
  const { db, chain } = context
  const key = { chainId: chain.id, agent: agent.address, account: low(at.account), side: at.side }
  const known = await db.find(schema.position, key)
  // a copy: the row that was found is changed in place by the write below
  const before: Balance = { pending: known?.pending ?? 0n, claimable: known?.claimable ?? 0n }
  const moved: Balance = {
    pending: minus(plus(before.pending, move.pendingIn ?? 0n), move.pendingOut ?? 0n),
    claimable: move.claimed ? 0n : plus(before.claimable, move.claimableIn ?? 0n),
  }
  const after = (agent.origin === 'foreign' ? await askPosition(context, event, agent, at) : undefined) ?? moved
  const limit = move.limit === undefined ? (after.pending === 0n ? null : known?.limit) : move.limit
  const values = {
    ...after,
    limit: limit ?? null,
    requestedAtSec: move.requestedAtSec ?? known?.requestedAtSec ?? null,
    ...placeOf(event),
  }
  await db
    .insert(schema.position)
    .values({ ...key, ...values })
    .onConflictDoUpdate(() => values)
  await changeAgent(
    context,
    event,
    (row) =>
      at.side === 'mint'
        ? {
            pendingAssets: shifted(row.pendingAssets, before.pending, after.pending),
            unclaimedShares: shifted(row.unclaimedShares, before.claimable, after.claimable),
          }
        : {
            pendingShares: shifted(row.pendingShares, before.pending, after.pending),
            claimableTokens: shifted(row.claimableTokens, before.claimable, after.claimable),
          },
    agent.address,
  )
}

async function askPosition(
  { chain }: Indexing,
  event: Logged,
  agent: AgentRow,
  { account, side }: { readonly account: Hex; readonly side: Side },
): Promise<Balance | undefined> {
  const functionName = side === 'mint' ? 'queryMintStatus' : 'queryRedeemStatus'
  const question = { address: agent.address, abi: agentAbi, functionName, args: [account] } as const
  const answer = await unlessForgotten(readerOf(chain.id).read({ ...question, at: Number(event.block.number) }))
  return answer === undefined ? undefined : { pending: answer[0], claimable: answer[1] }
}

/** Keeps a step in the life of a request. */
export async function keepRequest(
  { db, chain }: Indexing,
  event: Logged,
  step: Omit<typeof schema.request.$inferInsert, 'id' | 'chainId' | 'agent' | 'block' | 'timeSec' | 'tx' | 'logIndex'>,
): Promise<void> {
  const agent = low(event.log.address)
  await db.insert(schema.request).values({
    ...{ id: event.id, chainId: chain.id, ...placeOf(event), agent },
    ...step,
    account: low(step.account),
  })
}
