import type { Hash } from 'viem'
import type { WriteParameters } from '../target.ts'
import type { AgentBirth } from './birth.ts'
import { defineFactoryWrite } from './define-factory-write.ts'
import type { FactoryTarget } from './target.ts'

/** Parameters of {@link createFromBirth}. */
export type CreateFromBirthParameters = FactoryTarget &
  WriteParameters & {
    birth: AgentBirth
    /** Tells two births apart that are otherwise the same. */
    salt: Hash
  }

const write = defineFactoryWrite({
  functionName: 'create',
  event: 'AgentCreated',
  args: ({ birth, salt }: CreateFromBirthParameters) => [birth, salt],
})

/**
 * Creates an Agent as the contract takes it; see createAgent for prices and units as people write them. Simulates, then
 * sends.
 */
export const createFromBirth = write.send

/** What {@link createFromBirth} would do, on the latest state; nothing is sent. `result` is the address. */
export const simulateCreateFromBirth = write.simulate

/** {@link createFromBirth}, then waits for the event AgentCreated. */
export const createFromBirthAndWait = write.sendAndWait
