import type { JsonObject } from '@oikos/core'
import type { QuestionKind } from '../operator/question.ts'

/**
 * What the operator states in `Question.facts`, by kind: read from the chain and verified, never taken from a text of
 * somebody else. Amounts are decimal text in smallest units, lengths of time whole seconds as decimal text. More fields are
 * welcome; a rules decider reads these.
 */
export type QuestionFacts = {
  /** Requests that one settlement would serve; ask about each apart where rules may decline. */
  readonly 'mint-requests': {
    readonly requests: string
    /** Accept Token deposited: the smallest request, the largest, all. */
    readonly smallestAtomic: string
    readonly largestAtomic: string
    readonly totalAtomic: string
    readonly oldestSec: string
  }
  readonly 'redeem-requests': {
    readonly requests: string
    /** Accept Token that settlement at the books' rate would owe: the smallest request, the largest, all. */
    readonly smallestAtomic: string
    readonly largestAtomic: string
    readonly totalAtomic: string
    /** Accept Token in the Agent beyond its reserve. */
    readonly liquidAtomic: string
    readonly oldestSec: string
  }
  readonly tender: {
    /** Profile of the spec, as the verified package names it; only ever compared with names in the rules. */
    readonly specProfile: string
    /** Address in lower case. */
    readonly rewardAsset: string
    readonly acceptToken: string
    /** What one completion pays the Agent. */
    readonly rewardAtomic: string
    /** Until the last moment for a delivery. */
    readonly secondsLeft: string
    /** Bytes of all files of the package: the measure of effort. */
    readonly packageBytes: string
  }
  readonly 'paid-resource': {
    /** `<rail>:<asset>` of the invoice. */
    readonly asset: string
    readonly priceAtomic: string
    /** Origin of the invoice, such as `https://data.example`. */
    readonly origin: string
  }
  readonly 'idle-capital': {
    /** Accept Token in the Agent beyond its reserve. */
    readonly liquidAtomic: string
    /** All assets of the books in Accept Token. */
    readonly assetsAtomic: string
  }
}

/** What the operator's options do; an option's id is the act, or for work the act, a colon and the worker's name. */
export type OptionAct = 'wait' | 'settle' | 'decline' | 'work' | 'buy' | 'invest' | 'withdraw'

/** A fact of a question is absent or malformed: a defect of the operator. Not retryable. */
export class FactError extends Error {
  override readonly name = 'FactError'
  readonly retryable = false
  readonly kind: QuestionKind
  readonly fact: string

  constructor(kind: QuestionKind, fact: string, expected: string) {
    super(`the question of kind ${kind} has no usable fact ${fact}: expected ${expected}`)
    this.kind = kind
    this.fact = fact
  }
}

const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/

/** Reads the facts of one kind. @throws FactError for what is absent or malformed */
export function factsReader<Kind extends QuestionKind>(kind: Kind, facts: JsonObject) {
  type Name = keyof QuestionFacts[Kind] & string
  const text = (name: Name): string => {
    const value = Object.hasOwn(facts, name) ? facts[name] : undefined
    if (typeof value !== 'string') throw new FactError(kind, name, 'text')
    return value
  }
  const amount = (name: Name): bigint => {
    const value = text(name)
    if (!DECIMAL.test(value)) throw new FactError(kind, name, 'decimal text')
    return BigInt(value)
  }
  return { text, amount }
}
