/** A worker will not do this order; the message says what in the package stands against it. */
export class WorkRefusal extends Error {
  override readonly name = 'WorkRefusal'
}
