import { agentAbi } from '@oikos/core/abi'
import { toFunctionSelector } from 'viem'
import type { KeptVerdict } from '../checks/check-store.ts'
import type { Agent, AgentAction, AgentPosition, AgentRequest, CitedRecord } from '../rest/types.ts'
import {
  type AgentRow,
  birthOf,
  type PositionRow,
  placeOf,
  type TokenRow,
  type tables,
  tokenOf,
  whole,
  wholeOrNull,
} from './rows.ts'
import { chainKey, verdictOf } from './tender-view.ts'

export type ActionRow = typeof tables.action.$inferSelect
export type RequestRow = typeof tables.request.$inferSelect

/** Scale of a rate. Source: ERC-8406, exchangeRate. */
const RATE_SCALE = 10n ** 18n

const MAX_WHOLE = 10n ** 78n - 1n

/** Names of our functions by selector. */
const FUNCTION_NAMES: ReadonlyMap<string, string> = new Map(
  agentAbi.filter((item) => item.type === 'function').map((item) => [toFunctionSelector(item), item.name]),
)

/** Name of an agent action of ours; null for a selector that our Agents do not have. */
export function actionName(selector: string | null): string | null {
  return selector === null ? null : (FUNCTION_NAMES.get(selector) ?? null)
}

/** Shares at a rate in Accept Token smallest units, rounded down; null without a rate. */
export function valueAtRate(shares: bigint, rate: bigint | null): string | null {
  if (rate === null) return null
  const value = (shares * rate) / RATE_SCALE
  return whole(value > MAX_WHOLE ? MAX_WHOLE : value)
}

/** A row of the list of Agents. */
export function showAgent(row: AgentRow, tokens: ReadonlyMap<string, TokenRow>, rate30dAgo: bigint | null): Agent {
  return {
    ...{ chainId: row.chainId, address: row.address, origin: row.origin === 'oikos' ? 'oikos' : 'foreign' },
    ...{ name: row.name, symbol: row.symbol, uri: row.uri, owner: row.owner, guardian: row.guardian },
    acceptToken: tokenOf(row.acceptToken, tokens.get(chainKey(row.chainId, row.acceptToken ?? ''))),
    ...{ decimals: row.decimals, rate: wholeOrNull(row.rate), rateAtSec: row.rateAtSec },
    ...{ rate30dAgo: wholeOrNull(rate30dAgo), initialRate: wholeOrNull(row.initialRate) },
    ...{ isFixedPrice: row.isFixedPrice, isPaused: row.isPaused, isHalted: row.isHalted },
    ...{ supply: whole(row.supply), unclaimedShares: whole(row.unclaimedShares) },
    ...{ pendingAssets: whole(row.pendingAssets), pendingShares: whole(row.pendingShares) },
    claimableTokens: whole(row.claimableTokens),
    capitalAtRate: valueAtRate(row.supply + row.unclaimedShares, row.rate),
    ...{ holderCount: row.holderCount, executorCount: row.executorCount, actionCount: row.actionCount },
    reclaimHorizonSec: wholeOrNull(row.reclaimHorizonSec),
    ...{ createdAt: birthOf(row), updatedAt: placeOf(row) },
  }
}

/** A record with its verdict. */
export function showRecord(hash: string, uri: string, kept: KeptVerdict): CitedRecord {
  return { hash, uri, verdict: verdictOf(kept) }
}

/** What an Agent did. */
export function showAction(row: ActionRow, kept: KeptVerdict, isReplayed: boolean): AgentAction {
  const isReasoned = row.kind === 'reasoned'
  const settled = row.kind === 'settle-redeem' ? 'settleRedeem' : 'settleMint'
  return {
    ...{ chainId: row.chainId, agent: row.agent },
    kind: isReasoned || row.kind === 'settle-mint' || row.kind === 'settle-redeem' ? row.kind : 'execute',
    ...{ actor: row.actor, sender: row.sender, target: row.target, value: wholeOrNull(row.value) },
    selector: row.selector,
    action: isReasoned ? actionName(row.selector) : row.kind === 'execute' ? 'execute' : settled,
    ...{ callData: row.callData, returnData: row.returnData, returnBytes: row.returnBytes },
    amount: wholeOrNull(row.amount),
    record: showRecord(row.reasoningHash, row.reasoningUri, kept),
    ...{ isReplayed, place: placeOf(row) },
  } as AgentAction
}

/** A step in the life of a request. */
export function showRequest(row: RequestRow, kept: KeptVerdict): AgentRequest {
  const { reasoningHash, reasoningUri } = row
  const record = reasoningHash === null || reasoningUri === null ? null : showRecord(reasoningHash, reasoningUri, kept)
  return {
    ...{
      account: row.account,
      side: row.side === 'redeem' ? 'redeem' : 'mint',
      step: row.step as AgentRequest['step'],
    },
    ...{ assets: wholeOrNull(row.assets), shares: wholeOrNull(row.shares), fee: wholeOrNull(row.fee) },
    ...{ rate: wholeOrNull(row.rate), epoch: wholeOrNull(row.epoch), outcome: row.outcome, record },
    place: placeOf(row),
  }
}

/** What an account has at an Agent. */
export function showPosition(row: PositionRow, horizonSec: bigint | null): AgentPosition {
  const since = row.requestedAtSec
  const isReclaimable = row.pending > 0n && since !== null && horizonSec !== null
  return {
    ...{
      chainId: row.chainId,
      agent: row.agent,
      account: row.account,
      side: row.side === 'redeem' ? 'redeem' : 'mint',
    },
    ...{ pending: whole(row.pending), claimable: whole(row.claimable), limit: wholeOrNull(row.limit) },
    requestedAtSec: since,
    reclaimableAtSec: isReclaimable ? whole(BigInt(since) + horizonSec) : null,
    updatedAt: placeOf(row),
  }
}
