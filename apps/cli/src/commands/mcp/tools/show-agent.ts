import { type AgentPosition, listAgentExecutors, listAgentRequesters } from '@oikos/sdk'
import { z } from 'zod'
import { openAgent, standingWarnings } from '../../../chain/open-agent.ts'
import { createInput } from '../../../input/input.ts'
import { brakeSentences, rateText } from '../../agent/quote-text.ts'
import { namesFor, pendingText, policySentences, readBoundary } from '../../agent/scope/boundary-text.ts'
import { agentInput, amount, amountOf, asset, assetOf, decimal, hex } from '../schemas.ts'
import type { Tool } from '../tool.ts'
import { untrusted, untrustedText } from '../untrusted.ts'

/** Requesters and Executors of one result. */
const MAX_ROWS = 50

const input = z.strictObject({ agent: agentInput })

const position = z.strictObject({
  pendingAtomic: decimal.describe('went in and waits: Accept Token of a mint, shares (18 decimals) of a redemption'),
  limitRate: decimal.describe('worst rate that is accepted; 0 for any'),
  reclaimableAtSec: decimal,
  claimableAtomic: decimal.describe('settled and not claimed: shares of a mint, Accept Token of a redemption'),
})

const output = z.strictObject({
  agentRef: z.string(),
  name: untrustedText,
  symbol: untrustedText,
  agentURI: untrustedText,
  isKnown: z.boolean().describe('whether its code is that of the factory in the deployments'),
  blockNumber: decimal,
  nowSec: decimal,
  acceptToken: asset,
  rate: z.strictObject({ text: z.string(), atomicPerShare: decimal.optional() }),
  books: z.strictObject({
    held: amount,
    reserved: amount.describe('pending deposits, payouts and fees that are owed'),
    free: amount,
    assets: amount.describe('what the shares are worth together'),
    shortfall: amount,
    feesOwed: amount,
    valuations: z.array(z.strictObject({ valuation: hex, state: z.string(), assets: amount.optional() })),
    sharesThatCount: decimal,
    sharesUnclaimed: decimal,
    sharesEscrowed: decimal,
  }),
  fees: z.strictObject({ mintFeeBps: z.number(), redeemFeeBps: z.number(), recipient: hex }),
  isPaused: z.boolean(),
  reclaimHorizonSec: decimal,
  roles: z.strictObject({ owner: hex, pendingOwner: hex, guardian: hex, executors: z.array(hex) }),
  scope: z.strictObject({
    revision: hex,
    delaySec: z.number(),
    sentences: z.array(z.string()),
    announced: z.array(z.string()).describe('changes that are proposed and not in effect yet'),
  }),
  requests: z.array(z.strictObject({ user: hex, mint: position, redeem: position })),
  requestCount: z.number(),
  isComplete: z.boolean().describe('false where requests, Executors or caps may be missing'),
  warnings: z.array(z.string()),
})

/** `show_agent`. */
export const showAgent: Tool<typeof input, typeof output> = {
  name: 'show_agent',
  title: 'Show an Agent',
  description:
    'Books, rate, requests, boundary in sentences, and roles of an Agent, from the chain at one block. Names and the URI of metadata are claims of its creator.',
  input,
  output,
  effects: 'reads',
  deadlineMs: 60_000,
  run: async (reach, wanted) => {
    const view = await openAgent(reach, createInput([], {}), wanted.agent)
    const { agent, connection, snapshot, asset: acceptToken, fromBlock, ref } = view
    const { books } = snapshot
    const at = { agent, blockNumber: snapshot.blockNumber, fromBlock }
    const [boundary, executors, requesters] = await Promise.all([
      readBoundary(view),
      listAgentExecutors(connection.client, at),
      listAgentRequesters(connection.client, at),
    ])
    const inAsset = (atomic: bigint) => amountOf(atomic, acceptToken)
    const { fees } = books
    return {
      agentRef: ref,
      name: untrusted('creator of the Agent', snapshot.name),
      symbol: untrusted('creator of the Agent', snapshot.symbol),
      agentURI: untrusted('Owner of the Agent', snapshot.agentURI),
      ...{ isKnown: view.isKnown, blockNumber: snapshot.blockNumber, nowSec: snapshot.blockTimestampSec },
      acceptToken: assetOf(acceptToken),
      rate: {
        text: rateText(books, acceptToken),
        ...(books.rate === undefined ? {} : { atomicPerShare: books.rate }),
      },
      books: {
        held: inAsset(books.balanceAtomic),
        reserved: inAsset(books.reserveAtomic),
        free: inAsset(books.freeAtomic),
        assets: inAsset(books.assetsAtomic),
        shortfall: inAsset(books.shortfallAtomic),
        feesOwed: inAsset(fees.owedAtomic),
        valuations: books.valuations.map((entry) => ({
          ...{ valuation: entry.valuation, state: entry.state },
          ...(entry.state === 'unreadable' ? {} : { assets: inAsset(entry.assetsAtomic) }),
        })),
        sharesThatCount: books.effectiveSupplyAtomic,
        sharesUnclaimed: books.unclaimedAtomic,
        sharesEscrowed: books.escrowedAtomic,
      },
      fees: { mintFeeBps: fees.mintFeeBps, redeemFeeBps: fees.redeemFeeBps, recipient: fees.recipient },
      ...{ isPaused: books.isPaused, reclaimHorizonSec: snapshot.reclaimHorizonSec },
      roles: {
        ...{ owner: snapshot.owner, pendingOwner: snapshot.pendingOwner, guardian: snapshot.guardian },
        executors: executors.accounts.slice(0, MAX_ROWS),
      },
      scope: {
        ...{ revision: boundary.revision, delaySec: snapshot.scopeDelaySec },
        sentences: policySentences(boundary.state, namesFor(view)),
        announced: boundary.pending.map((change) => pendingText(change, snapshot.blockTimestampSec)),
      },
      requests: requesters.accounts
        .slice(0, MAX_ROWS)
        .map(({ user, mint, redeem }) => ({ user, mint: positionOf(mint), redeem: positionOf(redeem) })),
      requestCount: requesters.accounts.length,
      isComplete: boundary.isComplete && executors.isComplete && requesters.isComplete,
      warnings: [...standingWarnings(view), ...brakeSentences(books, acceptToken)],
    }
  },
}

function positionOf({ pendingAtomic, limitRate, reclaimableAtSec, claimableAtomic }: AgentPosition) {
  return { pendingAtomic, limitRate, reclaimableAtSec, claimableAtomic }
}
