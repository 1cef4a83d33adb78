import type { PaymentProof } from './proof.ts'

/** A payment that a seller has accepted for an invoice. */
export type Redemption = Omit<PaymentProof, 'signature'> & {
  /** Milliseconds since 1970. */
  readonly redeemedAtMs: number
}

/**
 * What a store says to a redemption. `new`: it is now recorded. `same`: it was recorded before, by the same payer for the
 * same invoice under the same identifier. The others name what is taken already.
 */
export type ClaimVerdict = 'new' | 'same' | 'transaction_used' | 'identifier_used' | 'invoice_used'

/** Remembers accepted payments, so that none counts twice. Rows are never changed or removed. */
export type RedemptionStore = {
  /**
   * Records a redemption unless its transaction, its invoice, or the identifier of its payer is taken, in one step. `new`
   * means durable.
   */
  readonly claim: (redemption: Redemption) => Promise<ClaimVerdict>
  /** What {@link RedemptionStore.claim} would say, without recording anything. */
  readonly look: (redemption: Redemption) => Promise<ClaimVerdict>
  readonly close: () => Promise<void>
}

/** The verdict on a redemption, given the rows that share its transaction, its payer's identifier or its invoice. */
export function judgeClaim(redemption: Redemption, taken: readonly Omit<Redemption, 'redeemedAtMs'>[]): ClaimVerdict {
  const isSame = (row: Omit<Redemption, 'redeemedAtMs'>) =>
    row.rail === redemption.rail &&
    row.transactionId === redemption.transactionId &&
    row.invoice === redemption.invoice &&
    row.payer === redemption.payer &&
    row.paymentId === redemption.paymentId
  if (taken.some(isSame)) return 'same'
  if (taken.some((row) => row.rail === redemption.rail && row.transactionId === redemption.transactionId))
    return 'transaction_used'
  if (taken.some((row) => row.payer === redemption.payer && row.paymentId === redemption.paymentId))
    return 'identifier_used'
  return taken.some((row) => row.invoice === redemption.invoice) ? 'invoice_used' : 'new'
}

/** A store that forgets with the process: for tests and demonstrations. */
export function createMemoryRedemptions(): RedemptionStore {
  const rows: Redemption[] = []
  const look = (redemption: Redemption) => judgeClaim(redemption, rows)
  return {
    claim: async (redemption) => {
      const verdict = look(redemption)
      if (verdict === 'new') rows.push(redemption)
      return verdict
    },
    look: async (redemption) => look(redemption),
    close: async () => {},
  }
}
