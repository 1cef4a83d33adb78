import { createActions, type OperatorActions } from './actions.ts'
import { createLeases, type OperatorLeases } from './leases.ts'
import { createNotes, type OperatorNotes } from './notes.ts'
import type { SqlEngine } from './steps.ts'

/**
 * The operator database: what is intended, what became of it, and why. Nothing is sent that is not in it. Any number of
 * processes may share one; who may write, the leases say.
 */
export type OperatorStore = {
  readonly leases: OperatorLeases
  readonly actions: OperatorActions
  readonly notes: OperatorNotes
  readonly close: () => Promise<void>
}

/** The database over an engine; both engines run the same statements. */
export function createOperatorStore(engine: SqlEngine): OperatorStore {
  return {
    leases: createLeases(engine),
    actions: createActions(engine),
    notes: createNotes(engine),
    close: () => engine.close(),
  }
}
