import schema from 'ponder:schema'
import { agentAbi } from '@oikos/core/abi'
import type { Address, Hex } from 'viem'
import { NodeFailedError } from '../../src/chain/node-error.ts'
import { boundText, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH, MAX_URI_LENGTH, toDetails } from '../../src/ledger/index.ts'
import { birthOf, type Indexing, type Logged, low, placeOf, readerOf } from './kept.ts'
import { rememberToken } from './known.ts'

/** A row of the table of Agents. */
export type AgentRow = typeof schema.agent.$inferSelect
/** Deposits or redemptions; the contract's kinds 0 and 1. */
export type Side = 'mint' | 'redeem'

/** Side of the contract's kind; undefined for a number that a foreign contract made up. */
export function sideOf(kind: number): Side | undefined {
  return kind === 0 ? 'mint' : kind === 1 ? 'redeem' : undefined
}

/** The empty Agent: what is not known is null, what is counted begins at nothing. */
export function blankAgent(chainId: number, address: Address, event: Logged): typeof schema.agent.$inferInsert {
  return {
    ...{ chainId, address, ...placeOf(event), ...birthOf(event), origin: 'foreign' },
    ...{ isPaused: false, isHalted: false, feesOwed: 0n, supply: 0n, unclaimedShares: 0n },
    ...{ pendingAssets: 0n, pendingShares: 0n, claimableTokens: 0n },
    ...{ holderCount: 0, executorCount: 0, actionCount: 0 },
  }
}

/** A read at a past block; what a node has forgotten is as unknown as what a contract does not say. */
export async function unlessForgotten<value>(reading: Promise<value | undefined>): Promise<value | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof NodeFailedError) return undefined
    throw error
  }
}

/**
 * The Agent that emitted an event. One that no factory of ours gave birth to is foreign: it is asked what the standard
 * says that it answers, and nothing of it is believed beyond that.
 */
export async function agentOf(context: Indexing, event: Logged): Promise<AgentRow> {
  const { db, chain } = context
  const address = low(event.log.address)
  const known = await db.find(schema.agent, { chainId: chain.id, address })
  if (known !== null) return known
  const { read } = readerOf(chain.id)
  const about = { address, abi: agentAbi, args: [] } as const
  const at = Number(event.block.number)
  const [acceptToken, shareToken, name, symbol, decimals, owner, uri, rate, supply] = await Promise.all([
    read({ ...about, functionName: 'acceptToken', at: 'latest' }),
    read({ ...about, functionName: 'shareToken', at: 'latest' }),
    read({ ...about, functionName: 'name', at: 'latest' }),
    read({ ...about, functionName: 'symbol', at: 'latest' }),
    read({ ...about, functionName: 'decimals', at: 'latest' }),
    unlessForgotten(read({ ...about, functionName: 'owner', at })),
    unlessForgotten(read({ ...about, functionName: 'agentURI', at })),
    unlessForgotten(read({ ...about, functionName: 'exchangeRate', at })),
    unlessForgotten(read({ ...about, functionName: 'totalSupply', at })),
  ])
  const row = await db.insert(schema.agent).values({
    ...blankAgent(chain.id, address, event),
    acceptToken: acceptToken === undefined ? null : low(acceptToken),
    shareToken: shareToken === undefined ? null : low(shareToken),
    name: name === undefined ? null : boundText(name, MAX_NAME_LENGTH),
    symbol: symbol === undefined ? null : boundText(symbol, MAX_SYMBOL_LENGTH),
    decimals: decimals ?? null,
    owner: owner === undefined ? null : low(owner),
    uri: uri === undefined ? null : boundText(uri, MAX_URI_LENGTH),
    rate: rate ?? null,
    rateAtSec: rate === undefined ? null : Number(event.block.timestamp),
    supply: supply ?? 0n,
  })
  if (acceptToken !== undefined) await rememberToken(context, acceptToken)
  // what a contract calls its share token may be anybody's: the first Agent to name it keeps it, and births go before
  if (shareToken !== undefined) {
    const share = { chainId: chain.id, address: low(shareToken), agent: address }
    await db.insert(schema.shareToken).values(share).onConflictDoNothing()
  }
  return row
}

/** Changes an Agent and notes where. */
export async function changeAgent(
  { db, chain }: Indexing,
  event: Logged,
  change: (row: AgentRow) => Partial<Omit<AgentRow, 'chainId' | 'address'>>,
  agent: Hex = event.log.address,
): Promise<void> {
  const key = { chainId: chain.id, address: low(agent) }
  await db.update(schema.agent, key).set((row) => ({ ...change(row), ...placeOf(event) }))
}

/** Keeps a step in the history of an Agent's settings. */
export async function keepAgentChange(
  { db, chain }: Indexing,
  event: Logged,
  change: { kind: string; account?: Hex; args?: Readonly<Record<string, unknown>>; agent?: Hex },
): Promise<void> {
  await db.insert(schema.agentChange).values({
    ...{ id: event.id, chainId: chain.id, ...placeOf(event), agent: low(change.agent ?? event.log.address) },
    ...{ kind: change.kind, account: change.account === undefined ? null : low(change.account) },
    details: toDetails(change.args ?? {}),
  })
}
