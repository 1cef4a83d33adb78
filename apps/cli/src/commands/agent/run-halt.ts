import { agentKey } from '@oikos/runtime/operator'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { AGENT, READ_AGENT } from './options.ts'
import { readConfig } from './run.ts'
import { CONFIG_OPTION, openOperatorDatabase } from './run-database.ts'

/** `oikos agent halt`: the kill switch that every operator of the database sees. */
export const halt: CommandSpec = {
  name: 'halt',
  summary: 'stop every operator of an Agent from signing and sending, at once; or let them go on',
  details:
    'What was sent already may still be mined, and is still followed. The switch is looked at before each signature.',
  args: [AGENT],
  options: [
    CONFIG_OPTION,
    { flags: '--reason <text>', text: 'why, for whoever asks for the status' },
    { flags: '--lift', text: 'let them go on' },
    ...OUTPUT_OPTIONS,
    ...READ_AGENT,
  ],
  examples: [
    'oikos agent halt treasury --config operator.json --reason "The vault was drained."',
    'oikos agent halt treasury --config operator.json --lift',
  ],
  run: async (context, input) => {
    const config = await readConfig(context, input)
    const { agent, connection, named } = await openAgent(context, input, input.argument(0))
    const key = agentKey(connection.chainId, agent)
    const isLifted = input.flag('lift')
    const store = await openOperatorDatabase(config, { mustExist: false })
    try {
      if (isLifted) await store.notes.lift(key)
      else await store.notes.halt(key, (input.text('reason') ?? 'by hand').slice(0, 500), BigInt(Date.now()))
    } finally {
      await store.close()
    }
    context.output.result({ ok: true, agent, halted: !isLifted }, [
      isLifted ? 'The operators may go on.' : 'Nothing more is signed or sent for this Agent.',
    ])
    context.output.next(`agent status ${named} --config ${input.text('config')}`)
    return EXIT.done
  },
}
