import { KEEP_DELAY, type Policy } from '@oikos/core/scope-policy'
import { simulateRemoveAllRules, simulateWithdrawPolicy } from '@oikos/sdk'
import { isHash } from 'viem'
import { openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import { NotFoundError, UsageError } from '../../../errors.ts'
import { countOf } from '../../../output/speech.ts'
import { AGENT, WRITE_AGENT } from '../options.ts'
import { runAgentWrite } from '../write.ts'
import { enactWrite } from './apply.ts'
import { namesFor, policySentences, readBoundary } from './boundary-text.ts'

const CHANGE = ['<change>', 'its id, as "agent scope show" lists it'] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]
const EXAMPLE_ID = `0x${'5b'.repeat(32)}`

/** `oikos agent scope enact`: put an announced change into effect. */
export const enact: CommandSpec = {
  name: 'enact',
  summary: 'put an announced change into effect after its delay, as the Owner',
  args: [AGENT, CHANGE],
  options,
  examples: [`oikos agent scope enact treasury ${EXAMPLE_ID}`],
  run: async (context, input) => {
    const changeId = parseChangeId(input.argument(1))
    const view = await openAgent(context, input, input.argument(0))
    const { pending } = await readBoundary(view)
    const found = pending.find((change) => change.changeId === changeId)
    if (found === undefined) {
      throw new NotFoundError(
        `No change ${changeId} is announced at ${view.agent}.`,
        `"agent scope show ${view.named}" lists them.`,
      )
    }
    const { change } = found
    const sentences = policySentences(change, namesFor(view)).slice(0, itemsOf(change))
    const delay = change.delaySec === KEEP_DELAY ? [] : [`Later changes wait ${change.delaySec} seconds.`]
    return runAgentWrite(context, input, view, enactWrite(view, change, [...sentences, ...delay]), {
      next: [`agent scope show ${view.named}`],
    })
  },
}

/** `oikos agent scope withdraw`: drop an announced change. */
export const withdraw: CommandSpec = {
  name: 'withdraw',
  summary: 'drop an announced change, as the Owner or the guardian',
  args: [AGENT, CHANGE],
  options,
  examples: [`oikos agent scope withdraw treasury ${EXAMPLE_ID}`],
  run: async (context, input) => {
    const changeId = parseChangeId(input.argument(1))
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, snapshot } = view
    const { scope } = snapshot
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Drop a change of what ${agent} may do`,
        contract: scope,
        functionName: 'withdraw',
        effects: [`The change ${changeId} can no longer be enacted; what is in force stays.`],
        simulate: (account) => simulateWithdrawPolicy(connection.client, { agent, scope, changeId, account }),
        event: 'PolicyWithdrawn',
      },
      { next: [`agent scope show ${view.named}`] },
    )
  },
}

/** `oikos agent scope close`: the emergency brake on calls. */
export const close: CommandSpec = {
  name: 'close',
  summary: 'refuse every call from now on, as the Owner or the guardian',
  args: [AGENT],
  options,
  examples: ['oikos agent scope close treasury --from guardian'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, snapshot } = view
    const { scope } = snapshot
    const { state } = await readBoundary(view)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Refuse every call of ${agent}`,
        contract: scope,
        functionName: 'removeAllRules',
        effects: [
          `${countOf(state.rules.length, 'rule')} go at once; Executors can make no call.`,
          'Settlement, claims and reclaim go on. To allow a call again takes a proposal and its delay.',
        ],
        simulate: (account) => simulateRemoveAllRules(connection.client, { agent, scope, account }),
        event: 'RulesRemoved',
      },
      { next: [`agent scope show ${view.named}`] },
    )
  },
}

function itemsOf({ rules, caps, members }: Policy): number {
  return rules.length + caps.length + members.length
}

function parseChangeId(text: string): `0x${string}` {
  if (isHash(text)) return text.toLowerCase() as `0x${string}`
  throw new UsageError('A change has an id of 0x and 64 digits.', 'Copy it in full from "agent scope show".')
}
