import { OikosError } from './oikos-error.ts'

/** A record was given to an action that it is not for. Nothing was sent. */
export class ReasoningMismatchError extends OikosError {
  override readonly name = 'ReasoningMismatchError'
  /** The part of the binding that differs. */
  readonly field: 'chainId' | 'agent' | 'action' | 'callHash'
  readonly got: string
  readonly expected: string

  constructor(field: ReasoningMismatchError['field'], got: string, expected: string) {
    super(`The reasoning record is bound to another ${NOUNS[field]}: it names ${got}, the call is ${expected}.`, {
      advice: 'Build a record for this very call; a record serves one action only.',
    })
    this.field = field
    this.got = got
    this.expected = expected
  }
}

const NOUNS = { chainId: 'chain', agent: 'Agent', action: 'action', callHash: 'call' } as const
