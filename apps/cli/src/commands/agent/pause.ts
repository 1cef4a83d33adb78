import { simulatePauseAgent, simulateUnpauseAgent } from '@oikos/sdk'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { runAgentWrite } from './write.ts'

const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]

/** `oikos agent pause`: stop what could lose money. */
export const pause: CommandSpec = {
  name: 'pause',
  summary: 'stop deposits, settlement and execution, as the Owner or the guardian',
  args: [AGENT],
  options,
  examples: ['oikos agent pause treasury --from guardian'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named } = view
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Pause ${agent}`,
        functionName: 'pause',
        effects: [
          'Deposits, settlement and execution stop at once. Redemption requests, claims and reclaim go on.',
          'Only the Owner can end it.',
        ],
        simulate: (account) => simulatePauseAgent(connection.client, { agent, account }),
        event: 'Paused',
      },
      { next: [`agent unpause ${named}`] },
    )
  },
}

/** `oikos agent unpause`: let it go on. */
export const unpause: CommandSpec = {
  name: 'unpause',
  summary: 'end a pause, as the Owner',
  args: [AGENT],
  options,
  examples: ['oikos agent unpause treasury'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named } = view
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `End the pause of ${agent}`,
        functionName: 'unpause',
        effects: ['Deposits, settlement and execution go on from now.'],
        simulate: (account) => simulateUnpauseAgent(connection.client, { agent, account }),
        event: 'Unpaused',
      },
      { next: [`agent show ${named}`] },
    )
  },
}
