import { OikosError } from '../errors/oikos-error.ts'

/** A content resolver cannot be made with these options. */
export class ResolverOptionError extends OikosError {
  override readonly name = 'ResolverOptionError'
  readonly option: string

  constructor(option: string, got: string) {
    super(`The resolver option ${option} cannot work: ${got}.`, { advice: 'Correct the option.' })
    this.option = option
  }
}
