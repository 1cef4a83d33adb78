import type { JsonObject } from '@oikos/core'

/** Settle everybody at the rate of the books, as soon as it may be. */
const requests = { mint: { settle: true }, redeem: { settle: true } }

/** Rules of Atlas: reports for 500 dollars or more, and sources for at most half a thousandth of an ether. */
export const reportRules: JsonObject = {
  schema: 'oikos-rules/1',
  ...requests,
  tender: { profiles: { 'x-report-table-v1': { minRewardAtomic: '500000000' } } },
  resource: { maxPriceAtomic: { 'evm:native:eth': '500000000000000' }, origins: ['https://meters.example.org'] },
}

/** Rules of Mira: labels for 100 dollars a batch or more. */
export const labelRules: JsonObject = {
  schema: 'oikos-rules/1',
  ...requests,
  tender: { profiles: { 'x-intent-labels-v1': { minRewardAtomic: '100000000' } } },
}
