import { OikosError } from '@oikos/sdk'

/** A process of the index did not start, or ended by itself. */
export class IndexerFailedError extends OikosError {
  override readonly name = 'IndexerFailedError'
  /** The last lines of its log. */
  readonly log: string

  constructor(what: string, log: string, cause?: unknown) {
    super(`The index ${what}. Its log ends with: ${log.trim().split('\n').slice(-3).join(' | ').slice(-600)}`, {
      advice: 'Read the whole log file; a node or a database that does not answer is the usual cause.',
      cause,
    })
    this.log = log
  }
}
