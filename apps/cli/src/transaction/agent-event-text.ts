import { type Asset, formatAmount, outcomeReasons, settlementOutcomeOf } from '@oikos/sdk'
import { maxUint256 } from 'viem'
import { priceText, sharesText } from '../output/equity.ts'
import { absoluteTime } from '../output/speech.ts'
import type { DecodedEvent } from './decode.ts'

/** What an argument is: an amount of the Accept Token or of shares, a rate, a time; `in` and `out` depend on the kind. */
type Unit = 'asset' | 'shares' | 'rate' | 'time' | 'in' | 'out'

const UNITS: Readonly<Record<string, Readonly<Record<string, Unit>>>> = {
  AgentCreated: { initialRate: 'rate' },
  ClaimFailed: { tokens: 'asset' },
  ExchangeRateUpdated: { newRate: 'rate' },
  FeesClaimed: { amount: 'asset' },
  LimitSet: { rate: 'rate' },
  MintRequested: { assets: 'asset', timestamp: 'time' },
  RateConfirmed: { rate: 'rate' },
  Reclaimed: { amount: 'in' },
  RedeemRequested: { shares: 'shares', timestamp: 'time' },
  RuleExpirySet: { expiresAt: 'time' },
  PolicyProposed: { readyAt: 'time' },
  Settled: { amount: 'out' },
  SettlementDetail: { consumed: 'in', produced: 'out', fee: 'asset', rate: 'rate' },
  SettlementStopped: { rate: 'rate', anchor: 'rate', allowance: 'rate' },
  SharesMinted: { assets: 'asset', shares: 'shares', sharePrice: 'rate', timestamp: 'time' },
  SharesRedeemed: { assets: 'asset', shares: 'shares', sharePrice: 'rate', timestamp: 'time' },
  ValueAttested: { value: 'asset' },
  ValueProposed: { value: 'asset' },
}

/**
 * An argument of an event of an Agent, its factory, Scope or valuations, as people read it; undefined for one that needs
 * no unit.
 * @param isOwn whether the Agent itself wrote the event, so that a transfer is one of shares
 */
export function agentArgumentText(
  { name: event, args }: DecodedEvent,
  name: string,
  value: unknown,
  asset: Asset,
  isOwn: boolean,
): string | undefined {
  if (name === 'kind' && (value === 0 || value === 1)) return value === 0 ? 'mint' : 'redeem'
  if (event === 'SettlementSkipped' && name === 'outcome') {
    const outcome = settlementOutcomeOf(Number(value))
    return outcome === undefined ? undefined : `${outcome}, because ${outcomeReasons[outcome]}`
  }
  if (typeof value !== 'bigint' && typeof value !== 'number') return undefined
  const amount = BigInt(value)
  const isShares = name === 'value' && (event === 'Transfer' || event === 'Approval')
  if (isShares) return isOwn ? sharesText(amount) : formatAmount(amount, asset)
  if (name === 'lifetimeLeft' && amount === maxUint256) return 'unlimited'
  switch (UNITS[event]?.[name]) {
    case 'asset':
      return formatAmount(amount, asset)
    case 'shares':
      return sharesText(amount)
    case 'rate':
      return amount === 0n && event === 'LimitSet' ? 'any' : priceText(amount, asset)
    case 'time':
      return absoluteTime(amount)
    case 'in':
      return args['kind'] === 0 ? formatAmount(amount, asset) : sharesText(amount)
    case 'out':
      return args['kind'] === 0 ? sharesText(amount) : formatAmount(amount, asset)
    default:
      return undefined
  }
}
