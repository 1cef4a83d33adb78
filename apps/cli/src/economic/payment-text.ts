import type { AdmittedIntent } from '@oikos/core/economic'
import type { Fact } from '../output/layout.ts'
import { plain } from '../output/plain.ts'
import { absoluteTime } from '../output/speech.ts'
import { nativeAmount } from './amount.ts'

/** A time of a document, milliseconds since 1970, as a moment. */
export function momentOf(timeMs: bigint): string {
  return absoluteTime(timeMs / 1000n)
}

/** What an admitted intent would pay, as facts. */
export function paymentFacts({ intent: { document }, settlement, row, x402 }: AdmittedIntent): Fact[] {
  const { rail, network, recipient, amountAtomic, maxFeeAtomic } = settlement
  const amount = (atomic: bigint) => nativeAmount(atomic, rail)
  return [
    ['pays', `${amount(amountAtomic)} to ${recipient} on ${network} (${rail})`],
    ['fee', `at most ${amount(maxFeeAtomic)}`],
    ...(x402 === null
      ? []
      : [['for', plain(`${x402.method} ${x402.origin}${x402.resource}, invoice ${x402.invoice_digest}`)] as const]),
    ['under the key', document.idempotency_key],
    ['proposed', momentOf(document.created_at_ms)],
    ['lives until', momentOf(document.expires_at_ms)],
    ...(document.memo === null ? [] : [['memo', plain(document.memo)] as const]),
    ['in 24 hours', `at most ${amount(row.max_rolling_24h_atomic)} over all payments of the wallet`],
  ]
}
