import { OikosError } from '@oikos/sdk'

/** An index cannot be planned from what was given, or a plan cannot be read. */
export class IndexPlanError extends OikosError {
  override readonly name = 'IndexPlanError'
  /** The member or option that is wrong. */
  readonly member: string

  constructor(member: string, got: string, expected: string, cause?: unknown) {
    super(`Index plan: ${member} has ${got}; expected ${expected}.`, {
      advice: 'Correct the deployments or the options of the index.',
      cause,
    })
    this.member = member
  }
}
