import { simulateRevokeExecutor, simulateSetExecutor } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { parseAddress } from '../../input/address.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { runAgentWrite } from './write.ts'

const ACCOUNT = ['<account>', 'address or key name'] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]

const add: CommandSpec = {
  name: 'add',
  summary: 'let an account settle and act for the Agent, as the Owner',
  args: [AGENT, ACCOUNT],
  options,
  examples: ['oikos agent executor add treasury operator'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named, snapshot } = view
    const executor = await parseAddress(context, input.argument(1), 'account')
    const book = await createAddressBook(context)
    const isOwner = executor === snapshot.owner
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Add an Executor to ${agent}`,
        functionName: 'setExecutor',
        effects: [
          `${book(executor)} can settle, decline, and make calls inside the Scope. At worst it loses what the Scope lets leave; what requesters deposited or are owed is out of its reach.`,
        ],
        warnings: isOwner ? ['The Owner is an Executor too: one key sets the boundary and acts inside it.'] : [],
        simulate: (account) => simulateSetExecutor(connection.client, { agent, executor, isEnabled: true, account }),
        event: 'ExecutorUpdated',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

const remove: CommandSpec = {
  name: 'remove',
  summary: 'take the power to act away from an account at once, as the Owner or the guardian',
  args: [AGENT, ACCOUNT],
  options,
  examples: ['oikos agent executor remove treasury operator --from guardian'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named } = view
    const executor = await parseAddress(context, input.argument(1), 'account')
    const book = await createAddressBook(context)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Remove an Executor of ${agent}`,
        functionName: 'revokeExecutor',
        effects: [`${book(executor)} can no longer settle, decline or make calls. Only the Owner can add it again.`],
        simulate: (account) => simulateRevokeExecutor(connection.client, { agent, executor, account }),
        event: 'ExecutorUpdated',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

/** `oikos agent executor`: who acts for an Agent. */
export const executor: GroupSpec = { name: 'executor', summary: 'who acts for an Agent', commands: [add, remove] }
