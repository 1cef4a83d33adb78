import { OikosError } from '../errors/oikos-error.ts'

/** An Agent cannot be born as it is described. Nothing was sent. */
export class BirthError extends OikosError {
  override readonly name = 'BirthError'
  /** Member of the description. */
  readonly member: string
  readonly got: string
  readonly expected: string

  constructor(member: string, got: string, expected: string) {
    super(`The ${member} of the Agent is ${JSON.stringify(got.slice(0, 120))}; expected is ${expected}.`, {
      advice: 'Correct the description; nothing is rounded.',
    })
    this.member = member
    this.got = got
    this.expected = expected
  }
}
