import { OikosError } from '@oikos/sdk'

/** A node does not answer, or says that it does not have what was asked for. */
export class NodeFailedError extends OikosError {
  override readonly name = 'NodeFailedError'
  readonly method: string

  constructor(method: string, attempts: number, cause: unknown) {
    super(`The node gave no answer to ${method} in ${attempts} attempts.`, {
      advice: 'Check the RPC URL. Reads at past blocks need a node that keeps their state.',
      retryable: true,
      cause,
    })
    this.method = method
  }
}
