import type { Allowance } from './purse.ts'

/** Folder of a purse with the documents of the run that saw the payment confirmed. */
export const runFolder = 'run'

/** What the paying process is told; it travels as JSON, so amounts are decimal texts. */
export type PayingOrder = {
  readonly key: string
  readonly memo: string
  readonly rpcUrl: string
  readonly shopPort: number
  readonly allowance: Omit<Allowance, 'maxAmountAtomic' | 'maxDailyAtomic'> & {
    readonly maxAmountAtomic: string
    readonly maxDailyAtomic: string
  }
}

/** What the paying process says. */
export type PayingLine =
  | { readonly kind: 'station'; readonly station: string; readonly words: string }
  | {
      readonly kind: 'proposal'
      readonly intent: string
      readonly invoice: string
      readonly amountAtomic: string
      readonly payee: string
    }
  | { readonly kind: 'bought'; readonly transactionId: string; readonly evidence: string }
