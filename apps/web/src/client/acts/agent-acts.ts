import type { AgentDetail } from '@oikos/indexer/rest'
import {
  type AgentBooks,
  type Asset,
  claimSharesAndWait,
  claimTokensAndWait,
  getAgentBooks,
  getAssetBalance,
  getShareBalance,
  quoteSettlement,
  reclaimAndWait,
  requestMintAndWait,
  requestMintAtMostAndWait,
  requestRedeemAndWait,
  requestRedeemAtLeastAndWait,
  type SettlementQuote,
  setRequestLimitAndWait,
  simulateClaimShares,
  simulateClaimTokens,
  simulateReclaim,
  simulateRequestMint,
  simulateRequestMintAtMost,
  simulateRequestRedeem,
  simulateRequestRedeemAtLeast,
  simulateSetRequestLimit,
} from '@oikos/sdk'
import { type Address, getAddress, type Hash, zeroAddress } from 'viem'
import { planAllowance } from './allowance.ts'
import { assetOf, inWords, readAmount, readOptionalAmount } from './amounts.ts'
import { type Done, FieldError, type Plan } from './plan.ts'

type Sent = { readonly hash: Hash; readonly receipt: { readonly blockNumber: bigint } }

const done = ({ hash, receipt }: Sent, happened: string): Done => ({ hash, block: receipt.blockNumber, happened })

const targetOf = (agent: AgentDetail): { agent: Address; chainId: number } => ({
  agent: getAddress(agent.address),
  chainId: agent.chainId,
})

/** The asset that shares are bought with. */
const acceptOf = (agent: AgentDetail): Asset =>
  assetOf(agent.acceptToken ?? { address: zeroAddress, symbol: null, name: null, decimals: null })

/** The shares as an asset, to read and write amounts of them. */
const sharesOf = (agent: AgentDetail): Asset => ({
  address: getAddress(agent.shareToken ?? agent.address),
  symbol: 'shares',
  decimals: agent.decimals ?? 18,
  warnings: [],
})

function quoteInWords(quote: SettlementQuote, books: AgentBooks, gives: Asset, rateIn: Asset): string {
  if (quote.outcome === 'settled')
    return `At the books of block ${books.blockNumber} this would give ${inWords(quote.amountAtomic, gives)}, at ${inWords(quote.effectiveRate, rateIn)} a share with all fees. The price is fixed when the operator settles, not now.`
  const why: Record<Exclude<SettlementQuote['outcome'], 'settled'>, string> = {
    'no-price': 'the Agent has no price now (a valuation is stale, or its reserve is short)',
    'too-small': 'it is too small for one settlement',
    'limit-breached': 'your limit is worse than the price of now',
    illiquid: 'the Agent has too little free money now',
  }
  return `At the books of block ${books.blockNumber} it would not be settled: ${why[quote.outcome]}. It waits then.`
}

const horizon = (agent: AgentDetail): string =>
  agent.reclaimHorizonSec === null
    ? 'You can take it back after the reclaim horizon.'
    : `If nobody settles it, you can take it back ${Math.round(Number(agent.reclaimHorizonSec) / 3600)} hours after the request, without anybody's help.`

/** Asks for shares. */
export function planDeposit(agent: AgentDetail): Plan {
  return async (client, values) => {
    const target = targetOf(agent)
    const asset = acceptOf(agent)
    const amountAtomic = readAmount(values['amount'], asset)
    const maxRate = readOptionalAmount(values['limit'], asset)
    const balance = await getAssetBalance(client, { asset: asset.address, account: client.account.address })
    if (balance < amountAtomic)
      throw new FieldError(`You have ${inWords(balance, asset)}; that is less than ${inWords(amountAtomic, asset)}.`)
    const books = await getAgentBooks(client, target)
    const quote = quoteSettlement({ books, kind: 'mint', pendingAtomic: amountAtomic, limitRate: maxRate ?? 0n })
    const allowance = await planAllowance(client, { asset, spender: target.agent, amountAtomic })
    const parameters = { ...target, asset, amountAtomic }
    if (allowance === undefined) {
      if (maxRate === undefined) await simulateRequestMint(client, parameters)
      else await simulateRequestMintAtMost(client, { ...parameters, maxRate })
    }
    return {
      sentences: [
        `${inWords(amountAtomic, asset)} go from your account into the Agent and wait there for the operator to settle.`,
        quoteInWords(quote, books, sharesOf(agent), asset),
        maxRate === undefined
          ? 'You set no limit: it is settled at whatever price the books have then.'
          : `It is settled at no more than ${inWords(maxRate, asset)} a share, or not at all.`,
        horizon(agent),
        ...(allowance?.sentences ?? []),
      ],
      send: async (onSent) => {
        await allowance?.approve(onSent)
        const sent =
          maxRate === undefined
            ? await requestMintAndWait(client, { ...parameters, onSent })
            : await requestMintAtMostAndWait(client, { ...parameters, maxRate, onSent })
        return done(sent, 'Your request waits for settlement.')
      },
    }
  }
}

/** Asks for money back for shares. */
export function planRedemption(agent: AgentDetail): Plan {
  return async (client, values) => {
    const target = targetOf(agent)
    const shares = sharesOf(agent)
    const asset = acceptOf(agent)
    const sharesAtomic = readAmount(values['shares'], shares)
    const minRate = readOptionalAmount(values['limit'], asset)
    const balance = await getShareBalance(client, { ...target, account: client.account.address })
    if (balance < sharesAtomic)
      throw new FieldError(`You have ${inWords(balance, shares)}; that is less than ${inWords(sharesAtomic, shares)}.`)
    const books = await getAgentBooks(client, target)
    const quote = quoteSettlement({ books, kind: 'redeem', pendingAtomic: sharesAtomic, limitRate: minRate ?? 0n })
    const parameters = { ...target, asset, sharesAtomic }
    if (minRate === undefined) await simulateRequestRedeem(client, parameters)
    else await simulateRequestRedeemAtLeast(client, { ...parameters, minRate })
    return {
      sentences: [
        `${inWords(sharesAtomic, shares)} go from your account into escrow and wait there for the operator to settle.`,
        quoteInWords(quote, books, asset, asset),
        minRate === undefined
          ? 'You set no limit: it is settled at whatever price the books have then.'
          : `It is settled at no less than ${inWords(minRate, asset)} a share, or not at all.`,
        horizon(agent),
      ],
      send: async (onSent) =>
        done(
          minRate === undefined
            ? await requestRedeemAndWait(client, { ...parameters, onSent })
            : await requestRedeemAtLeastAndWait(client, { ...parameters, minRate, onSent }),
          'Your request waits for settlement.',
        ),
    }
  }
}

/** Changes the worst price for what is pending. */
export function planLimit(agent: AgentDetail, kind: 'mint' | 'redeem'): Plan {
  return async (client, values) => {
    const target = targetOf(agent)
    const asset = acceptOf(agent)
    const rate = readOptionalAmount(values['limit'], asset) ?? 0n
    const parameters = { ...target, asset, kind, rate }
    await simulateSetRequestLimit(client, parameters)
    const words = kind === 'mint' ? 'no more than' : 'no less than'
    return {
      sentences: [
        rate === 0n
          ? 'Your request is settled at whatever price the books have then.'
          : `Your request is settled at ${words} ${inWords(rate, asset)} a share, fees included, or not at all.`,
      ],
      send: async (onSent) =>
        done(await setRequestLimitAndWait(client, { ...parameters, onSent }), 'The limit is set.'),
    }
  }
}

/** Fetches what settlements made claimable, for anybody. */
export function planClaim(agent: AgentDetail, side: 'mint' | 'redeem', user: string): Plan {
  return async (client) => {
    const parameters = { ...targetOf(agent), asset: acceptOf(agent), user: getAddress(user) }
    const { result } =
      side === 'mint' ? await simulateClaimShares(client, parameters) : await simulateClaimTokens(client, parameters)
    const what = inWords(result, side === 'mint' ? sharesOf(agent) : acceptOf(agent))
    return {
      sentences: [`${what} go to ${user}, whoever sends this transaction.`],
      send: async (onSent) =>
        done(
          side === 'mint'
            ? await claimSharesAndWait(client, { ...parameters, onSent })
            : await claimTokensAndWait(client, { ...parameters, onSent }),
          `${what} are paid out.`,
        ),
    }
  }
}

/** Takes back everything that is still pending. */
export function planTakingBack(agent: AgentDetail): Plan {
  return async (client) => {
    const parameters = { ...targetOf(agent), asset: acceptOf(agent) }
    const { result } = await simulateReclaim(client, parameters)
    const [tokens, shares] = result
    const back = [
      ...(tokens === 0n ? [] : [inWords(tokens, acceptOf(agent))]),
      ...(shares === 0n ? [] : [inWords(shares, sharesOf(agent))]),
    ].join(' and ')
    return {
      sentences: [`${back} come back to your account. Your request is gone.`],
      send: async (onSent) =>
        done(await reclaimAndWait(client, { ...parameters, onSent }), `${back} came back to you.`),
    }
  }
}
