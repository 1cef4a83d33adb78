import type { agentFactoryAbi } from '@oikos/core/abi'
import { agentReverts } from './agent-reverts.ts'
import type { RevertTable } from './revert-table.ts'
import { taskTokenReverts } from './task-token-reverts.ts'

/** Why a factory refuses a birth; a refusal by the new Agent or its Scope comes through as it is. */
export const agentFactoryReverts: RevertTable<typeof agentFactoryAbi> = {
  ...agentReverts,
  FailedDeployment: () => ({
    sentence: 'The new contract could not be created: exactly this one exists already, or the gas was too low.',
    advice: 'Choose another salt for a second Agent of the same birth, or send it with a higher gas limit.',
  }),
  CloneArgumentsTooLong: () => ({
    sentence: 'The name and the symbol do not fit into the code of an Agent.',
    advice: 'Shorten them.',
  }),
  Create2EmptyBytecode: () => ({
    sentence: 'There is no code to create an Agent from.',
    advice: 'Check that the factory is the one you mean.',
  }),
  InsufficientBalance: taskTokenReverts.InsufficientBalance,
}
