import {
  LIMIT_NAMES,
  type NetworkPolicy,
  type Policy,
  PRODUCTION_LIMITS,
  type X402OriginPolicy,
} from '@oikos/core/economic'
import type { Fact } from '../output/layout.ts'
import { countOf } from '../output/speech.ts'
import { nativeAmount } from './amount.ts'

/** Recipients of a row that are listed. */
const SHOWN_RECIPIENTS = 10

/** What a policy allows, as sentences. */
export function policyFacts({ document }: { readonly document: Policy }): Fact[] {
  return [
    ['agent', document.economic_agent_id],
    ['wallet', document.wallet_id],
    ...document.network_policies.map((row): Fact => [`pays on ${row.rail}`, rowLines(row)]),
    ...document.x402_origins.map((origin): Fact => ['pays invoices', originText(origin)]),
    ['limits', limitsText(document)],
  ]
}

function rowLines({ rail, network, recipients, ...row }: NetworkPolicy): string[] {
  const amount = (amountAtomic: bigint) => nativeAmount(amountAtomic, rail)
  const more = recipients.length - SHOWN_RECIPIENTS
  return [
    `on ${network}, at most ${amount(row.max_amount_atomic)} a payment and ${amount(row.max_rolling_24h_atomic)} in 24 hours,`,
    `with fees of at most ${amount(row.max_fee_atomic)}, to ${countOf(recipients.length, 'recipient')}:`,
    ...recipients.slice(0, SHOWN_RECIPIENTS).map((recipient) => `  ${recipient}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function originText({ origin, methods, resources, settlement_rails: rails, ...row }: X402OriginPolicy): string {
  const [rail, ...more] = rails
  const amount = nativeAmount(row.max_amount_atomic, more.length === 0 ? rail : undefined)
  return `${methods.join(' or ')} ${origin}${resources.join(' or ')}, at most ${amount} each, over ${rails.join(' or ')}`
}

function limitsText({ limits }: Policy): string {
  const tighter = LIMIT_NAMES.filter((name) => limits[name] !== PRODUCTION_LIMITS[name])
  if (tighter.length === 0) return 'those of the standard'
  return `tighter than the standard: ${tighter.map((name) => `${name} ${limits[name]}`).join(', ')}`
}
