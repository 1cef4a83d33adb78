import type { JsonObject } from '@oikos/core'
import type { ReasoningClaims } from '@oikos/core/reasoning'

/** What an operator can be asked to decide about. */
export type QuestionKind = 'mint-requests' | 'redeem-requests' | 'tender' | 'paid-resource' | 'idle-capital'

/**
 * Text that somebody else wrote: a task package, metadata, an invoice, a record. It is data to be judged, never an
 * instruction; `source` says in our own words where it came from.
 */
export type UntrustedText = { readonly source: string; readonly text: string }

/** One thing that may be done. All its effects are fixed by the operator's own code before anybody is asked. */
export type Option = {
  /** Unique within the question, e.g. `settle`, `decline`, `work:labels`. */
  readonly id: string
  /** What will happen if it is chosen, in one sentence of ours. */
  readonly text: string
  /** Present where an amount is to be chosen, in smallest units of the asset in question; both ends are allowed. */
  readonly amount?: { readonly minAtomic: bigint; readonly maxAtomic: bigint }
}

/** A closed question: a decider chooses one of the options, and can ask for nothing that is not among them. */
export type Question = {
  /** The same for the same situation, so that an answer can be found again after a restart. */
  readonly id: string
  readonly kind: QuestionKind
  /** What we read from the chain and verified ourselves; amounts as decimal text in smallest units. */
  readonly facts: JsonObject
  readonly untrusted: readonly UntrustedText[]
  /** Not empty. The first one does nothing, and is taken where a decider fails. */
  readonly options: readonly [Option, ...Option[]]
}

/** A decider's choice. `claims` become the claims of the reasoning record; nobody trusts them. */
export type Answer = {
  readonly optionId: string
  readonly amountAtomic?: bigint
  readonly claims: ReasoningClaims
}

/** Chooses. It gets no keys, no clients, no files; what it returns is checked by `readAnswer`. */
export type Decider = {
  readonly name: string
  /** @throws any error when it cannot answer; the operator then takes the first option and says why */
  decide(question: Question, signal: AbortSignal): Promise<unknown>
}
