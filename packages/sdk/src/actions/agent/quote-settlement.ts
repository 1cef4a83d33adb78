import type { AgentBooks } from './get-agent-books.ts'
import type { RequestKind } from './request-kind.ts'
import type { SettlementOutcome } from './settlement-outcome.ts'

/** Parameters of {@link quoteSettlement}. */
export type QuoteSettlementParameters = {
  books: AgentBooks
  kind: RequestKind
  /** What would be settled, in smallest units of what goes in. */
  pendingAtomic: bigint
  /** Worst rate of the requester, in Accept Token smallest units per share; 0 for any. */
  limitRate?: bigint
}

/** What a settlement would do now. */
export type SettlementQuote =
  | {
      readonly outcome: 'settled'
      /** Smallest units of what comes out: shares of a mint, Accept Token of a redeem. */
      readonly amountAtomic: bigint
      /** Accept Token, in smallest units. */
      readonly feeAtomic: bigint
      /** Published rate that it is settled at, rounded against the requester. */
      readonly rate: bigint
      /** What the requester pays (mint) or gets (redeem) for a share, fee and rounding included. */
      readonly effectiveRate: bigint
    }
  | { readonly outcome: Exclude<SettlementOutcome, 'settled' | 'nothing-pending' | 'own-request' | 'too-young'> }
  /** No settlement at all: a valuation is stale or unreadable, the reserve is short, or the rate would be zero. */
  | { readonly outcome: 'no-price' }

const ONE = 10n ** 18n
const BPS = 10_000n
/** Source: AgentBooks.sol, VIRTUAL_SHARES. */
const VIRTUAL_SHARES = 10n ** 12n
/** Source: AgentSettlement.sol, COARSE_RATE. */
const COARSE_RATE = 10_000n

/**
 * What settling an amount would give at a state of the books. Twin of AgentSettlement.sol (_setPrice, _priceMint,
 * _priceRedeem); a test holds both together. The corridor and the age of a request are not judged here.
 */
export function quoteSettlement(parameters: QuoteSettlementParameters): SettlementQuote {
  const { books, kind, pendingAtomic, limitRate = 0n } = parameters
  const price = priceOf(books)
  if (price === undefined) return { outcome: 'no-price' }
  return kind === 'mint'
    ? quoteMint(books, price, pendingAtomic, limitRate)
    : quoteRedeem(books, price, pendingAtomic, limitRate)
}

type Price = { down: bigint; up: bigint; redeemPrice: bigint; mintPrice: bigint; scale: bigint }

function priceOf(books: AgentBooks): Price | undefined {
  const { initialRate, shortfallAtomic, valuations, assetsAtomic, effectiveSupplyAtomic } = books
  if (shortfallAtomic !== 0n || initialRate === 0n) return undefined
  if (books.isFixedPrice) {
    return { down: initialRate, up: initialRate, redeemPrice: initialRate, mintPrice: initialRate, scale: 1n }
  }
  if (valuations.some(({ state }) => state !== 'fresh')) return undefined
  const numerator = assetsAtomic * ONE + initialRate * VIRTUAL_SHARES
  const denominator = effectiveSupplyAtomic + VIRTUAL_SHARES
  const down = numerator / denominator
  if (down === 0n) return undefined
  const up = divideUp(numerator, denominator)
  return down < COARSE_RATE
    ? { down, up, redeemPrice: numerator, mintPrice: numerator, scale: denominator }
    : { down, up, redeemPrice: down, mintPrice: up, scale: 1n }
}

function quoteMint({ fees }: AgentBooks, price: Price, assets: bigint, limitRate: bigint): SettlementQuote {
  const feeAtomic = divideUp(assets * BigInt(fees.mintFeeBps), BPS)
  const net = assets - feeAtomic
  const shares = (net * ONE * price.scale) / price.mintPrice
  if (shares === 0n || ((shares * price.mintPrice) / price.scale) * BPS < net * ONE * (BPS - 1n)) {
    return { outcome: 'too-small' }
  }
  const effectiveRate = divideUp(assets * ONE, shares)
  if (limitRate !== 0n && effectiveRate > limitRate) return { outcome: 'limit-breached' }
  return { outcome: 'settled', amountAtomic: shares, feeAtomic, rate: price.up, effectiveRate }
}

function quoteRedeem(books: AgentBooks, price: Price, shares: bigint, limitRate: bigint): SettlementQuote {
  if (shares === 0n) return { outcome: 'too-small' }
  const gross = (shares * price.redeemPrice) / price.scale / ONE
  if (gross > books.freeAtomic) return { outcome: 'illiquid' }
  const feeAtomic = divideUp(gross * BigInt(books.fees.redeemFeeBps), BPS)
  const tokens = gross - feeAtomic
  if (tokens === 0n) return { outcome: 'too-small' }
  const effectiveRate = (tokens * ONE) / shares
  if (limitRate !== 0n && effectiveRate < limitRate) return { outcome: 'limit-breached' }
  return { outcome: 'settled', amountAtomic: tokens, feeAtomic, rate: price.down, effectiveRate }
}

/** Rounded up, against the requester. */
function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}
