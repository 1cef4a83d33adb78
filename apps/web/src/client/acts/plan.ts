import type { SigningClient } from '../wallet/wallet.tsx'

/** A transaction that is on the chain, and what it did in a sentence. */
export type Done = { readonly hash: string; readonly block: bigint; readonly happened: string }

/** What a simulation of this very call said. Nothing was sent. */
export type Planned = {
  /** What will change, for whom, at which worst price. */
  readonly sentences: readonly string[]
  /** Sends; `onSent` hears of each hash before its transaction is in a block. */
  readonly send: (onSent: (hash: string) => void) => Promise<Done>
}

/** What the visitor filled in, by the name of the field. */
export type Values = Readonly<Record<string, string>>

/** Simulates an action. Throws OikosError with a sentence and a remedy where the chain would refuse it. */
export type Plan = (client: SigningClient, values: Values) => Promise<Planned>

/** Something in a form that cannot be used; the sentence says what to write. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}
