import { agentAbi, scopeAbi } from '@oikos/core/abi'
import { NodeFailedError } from '../chain/node-error.ts'
import type { ContractReader } from '../chain/read-contract.ts'
import {
  type AgentBooks,
  type AgentDetail,
  agentDetailSchema,
  type Difference,
  holderPageSchema,
  positionPageSchema,
  scopeSchema,
} from '../rest/types.ts'
import type { Reconciliation } from './check-store.ts'
import type { IndexClient } from './index-client.ts'

/** Positions and holders of one Agent that one round compares; what changed last comes first with the next events. */
const MAX_ACCOUNTS = 100

/** What an index says and what a contract answers. */
export type Compared = {
  readonly subject?: string
  readonly field: string
  readonly indexed: bigint | null
  readonly onChain: bigint | undefined
}

/** The fields that differ, as differences at a block. */
export function differencesOf(
  at: { readonly chainId: number; readonly contract: string; readonly block: number; readonly atSec: number },
  compared: readonly Compared[],
): Difference[] {
  return compared
    .filter(({ indexed, onChain }) => indexed !== onChain)
    .map(({ subject = '', field, indexed, onChain }) => ({
      ...{ chainId: at.chainId, contract: at.contract, subject, field, block: at.block, checkedAtSec: at.atSec },
      indexed: indexed === null ? null : indexed.toString(),
      onChain: onChain === undefined ? null : onChain.toString(),
      kind: onChain === undefined ? 'unreadable' : 'difference',
    }))
}

/** An address, a hash or a yes as the word that it is in the contract. */
export function wordOf(value: string | boolean | null): bigint {
  return typeof value === 'string' ? BigInt(value) : value === true ? 1n : 0n
}

/** What a reconciliation works with. */
export type Reconciling = {
  readonly index: IndexClient
  readonly reader: ContractReader
  readonly nowSec: () => number
}

/**
 * Compares an Agent with what its contract answers at the block of its last event. Undefined where the index went on in
 * the meantime: then the comparison would be of two moments. Throws NodeFailedError.
 */
export async function reconcileAgent(
  { index, reader, nowSec }: Reconciling,
  chainId: number,
  contract: string,
): Promise<Reconciliation | undefined> {
  const path = `/v1/agents/${chainId}/${contract}`
  const agent = await index.ask(path, agentDetailSchema)
  const positions = await index.ask(`${path}/positions?open=true&limit=${MAX_ACCOUNTS}`, positionPageSchema)
  const holders = await index.ask(`${path}/holders?limit=${MAX_ACCOUNTS}`, holderPageSchema)
  const { block } = agent.updatedAt
  const atSec = nowSec()
  const address = contract as `0x${string}`
  const about = { address, abi: agentAbi, at: block } as const
  const { read } = reader
  const [supply, books, rate, fees, owner, paused] = await Promise.all([
    read({ ...about, functionName: 'totalSupply', args: [] }),
    read({ ...about, functionName: 'books', args: [] }),
    read({ ...about, functionName: 'exchangeRate', args: [] }),
    read({ ...about, functionName: 'feesOf', args: [] }),
    read({ ...about, functionName: 'owner', args: [] }),
    read({ ...about, functionName: 'isPaused', args: [] }),
  ])
  const compared: Compared[] = [{ field: 'totalSupply', indexed: BigInt(agent.supply), onChain: supply }]
  if (agent.origin === 'oikos') compared.push(...compareBooks(agent, { books, fees, owner, paused }))
  for (const { account, side, pending, claimable } of positions.items) {
    const functionName = side === 'mint' ? 'queryMintStatus' : 'queryRedeemStatus'
    const answer = await read({ ...about, functionName, args: [account as `0x${string}`] })
    const [fields, subject] = [side === 'mint' ? MINT_FIELDS : REDEEM_FIELDS, account]
    compared.push({ subject, field: fields[0], indexed: BigInt(pending), onChain: answer?.[0] })
    compared.push({ subject, field: fields[1], indexed: BigInt(claimable), onChain: answer?.[1] })
  }
  const shareToken = (agent.shareToken ?? contract) as `0x${string}`
  for (const { account, shares } of holders.items) {
    const args = [account as `0x${string}`] as const
    const onChain = await read({ ...about, address: shareToken, functionName: 'balanceOf', args })
    compared.push({ subject: account, field: 'balanceOf', indexed: BigInt(shares), onChain })
  }
  if (agent.scope !== null) compared.push(...(await compareScope({ index, reader }, agent, path)))
  const again = await index.ask(path, agentDetailSchema)
  if (again.updatedAt.tx !== agent.updatedAt.tx || again.updatedAt.logIndex !== agent.updatedAt.logIndex)
    return undefined
  return {
    ...{ chainId, contract, tokenId: '', block, atSec },
    books: books === undefined || fees === undefined ? null : showBooks(books, fees[3], rate, block, atSec),
    differences: differencesOf({ chainId, contract, block, atSec }, compared),
  }
}

const MINT_FIELDS = ['pendingAssets', 'claimableShares'] as const
const REDEEM_FIELDS = ['pendingShares', 'claimableTokens'] as const

type Books = readonly [balance: bigint, reserve: bigint, valued: bigint, supply: bigint, unclaimed: bigint]
type Fees = readonly [mintFeeBps: number, redeemFeeBps: number, recipient: string, owed: bigint]

function compareBooks(
  agent: AgentDetail,
  told: {
    readonly books: Books | undefined
    readonly fees: Fees | undefined
    readonly owner: string | undefined
    readonly paused: boolean | undefined
  },
): Compared[] {
  const { books, fees, owner, paused } = told
  const reserve = BigInt(agent.pendingAssets) + BigInt(agent.claimableTokens) + BigInt(agent.feesOwed)
  return [
    { field: 'reserve', indexed: reserve, onChain: books?.[1] },
    { field: 'unclaimedShares', indexed: BigInt(agent.unclaimedShares), onChain: books?.[4] },
    { field: 'feesOwed', indexed: BigInt(agent.feesOwed), onChain: fees?.[3] },
    { field: 'owner', indexed: wordOf(agent.owner), onChain: owner === undefined ? undefined : wordOf(owner) },
    { field: 'isPaused', indexed: wordOf(agent.isPaused), onChain: paused === undefined ? undefined : wordOf(paused) },
  ]
}

/**
 * The rules that the contract names and the delay of changes. A policy changes without an event of the Agent, so it is
 * read at the block of the Scope's own last event where that is later.
 */
async function compareScope(
  { index, reader }: Pick<Reconciling, 'index' | 'reader'>,
  agent: AgentDetail,
  path: string,
): Promise<Compared[]> {
  const scope = await index.ask(`${path}/scope?limit=1`, scopeSchema)
  const at = Math.max(agent.updatedAt.block, scope.history[0]?.place.block ?? 0)
  const about = {
    address: agent.scope as `0x${string}`,
    abi: scopeAbi,
    args: [agent.address as `0x${string}`],
    at,
  } as const
  const [keys, config] = await Promise.all([
    reader.read({ ...about, functionName: 'ruleKeys' }),
    reader.read({ ...about, functionName: 'configOf' }),
  ])
  const onlyIn = (some: readonly string[], others: readonly string[]): bigint =>
    BigInt(some.filter((key) => !others.includes(key)).length)
  const kept = scope.rules.map(({ key }) => key)
  return [
    { field: 'rulesUnknownToIndex', indexed: 0n, onChain: keys === undefined ? undefined : onlyIn(keys, kept) },
    { field: 'rulesUnknownToScope', indexed: keys === undefined ? null : onlyIn(kept, keys), onChain: keys && 0n },
    { field: 'scopeDelaySec', indexed: BigInt(scope.delaySec ?? 0), onChain: config && BigInt(config[0]) },
  ]
}

function showBooks(books: Books, owed: bigint, rate: bigint | undefined, block: number, readAtSec: number): AgentBooks {
  const [balance, reserve, valued, supply, unclaimed] = books
  return {
    ...{ block, readAtSec, balance: balance.toString(), reserve: reserve.toString(), valued: valued.toString() },
    ...{ supply: supply.toString(), unclaimed: unclaimed.toString(), rate: rate?.toString() ?? null },
    feesOwed: owed.toString(),
  }
}

/** Whether a node has forgotten the block: then the comparison is given up, not repeated for ever. */
export function isForgotten(error: unknown): boolean {
  return error instanceof NodeFailedError
}
