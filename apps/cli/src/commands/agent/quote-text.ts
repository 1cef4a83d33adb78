import {
  type AgentBooks,
  type Asset,
  formatAmount,
  judgeCorridor,
  outcomeReasons,
  type RequestKind,
  type SettlementQuote,
} from '@oikos/sdk'
import { priceText, sharesText } from '../../output/equity.ts'

/** What goes into a request of a kind. */
export function goesIn(kind: RequestKind, amountAtomic: bigint, asset: Asset): string {
  return kind === 'mint' ? formatAmount(amountAtomic, asset) : sharesText(amountAtomic)
}

/** What comes out of a request of a kind. */
export function comesOut(kind: RequestKind, amountAtomic: bigint, asset: Asset): string {
  return kind === 'mint' ? sharesText(amountAtomic) : formatAmount(amountAtomic, asset)
}

/** What settling would give now: `95 shares at 1.05 USDC a share`; or why nothing, as `nothing, because …`. */
export function quoteText(quote: SettlementQuote, kind: RequestKind, books: AgentBooks, asset: Asset): string {
  if (quote.outcome === 'no-price') return `nothing, because ${noPriceReason(books, asset)}`
  if (quote.outcome !== 'settled') return `nothing, because ${outcomeReasons[quote.outcome]}`
  const fee = quote.feeAtomic === 0n ? '' : `, after a fee of ${formatAmount(quote.feeAtomic, asset)}`
  const each =
    quote.effectiveRate === quote.rate ? '' : ` (${priceText(quote.effectiveRate, asset)} with fee and rounding)`
  return `${comesOut(kind, quote.amountAtomic, asset)} at ${priceText(quote.rate, asset)}${each}${fee}`
}

/** Why an Agent settles nothing at any price at the moment, as the rest of a sentence. */
function noPriceReason(books: AgentBooks, asset: Asset): string {
  if (books.shortfallAtomic > 0n) {
    return `the Agent misses ${formatAmount(books.shortfallAtomic, asset)} of what it owes to requesters`
  }
  const broken = books.valuations.find(({ state }) => state !== 'fresh')
  return broken === undefined
    ? 'its shares are worth nothing now'
    : `the valuation ${broken.valuation} is ${broken.state}`
}

/** What holds a settlement back whatever its price, as sentences. */
export function brakeSentences(books: AgentBooks, asset: Asset): readonly string[] {
  const { isPaused, guard, rate } = books
  const corridor = judgeCorridor(books)
  const isOutside = corridor?.isInside === false && !guard.isHalted && rate !== undefined
  return [
    ...(isPaused ? ['The Agent is paused: deposits, settlement and execution are stopped.'] : []),
    ...(guard.isHalted ? ['The rate left its corridor: settlement waits until Owner or guardian confirm it.'] : []),
    ...(isOutside
      ? [
          `The rate lies outside its corridor, ${priceText(corridor.allowance, asset)} around ${priceText(guard.anchorRate, asset)}: a settlement now would settle nothing, and stop settlement until Owner or guardian confirm it.`,
        ]
      : []),
  ]
}

/** The rate of the books as a price, or that there is none. */
export function rateText({ rate }: AgentBooks, asset: Asset): string {
  return rate === undefined ? 'not known: a valuation gives no answer' : priceText(rate, asset)
}
