import {
  formatAmount,
  getValuation,
  getValuationAsset,
  simulateAddValuation,
  simulateRemoveValuation,
} from '@oikos/sdk'
import { openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import { parseAddress } from '../../../input/address.ts'
import { AGENT, WRITE_AGENT } from '../options.ts'
import { runAgentWrite } from '../write.ts'

const VALUATION = ['<valuation>', 'address of the contract'] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]
const EXAMPLE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** `oikos agent valuation add`: count what is owned elsewhere. */
export const add: CommandSpec = {
  name: 'add',
  summary: 'count in the books what a valuation says, as the Owner; at once',
  args: [AGENT, VALUATION],
  options,
  examples: [`oikos agent valuation add treasury ${EXAMPLE}`],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named } = view
    const valuation = await parseAddress(context, input.argument(1), 'valuation')
    const unit = await getValuationAsset(connection.client, { valuation })
    const { assetsAtomic, isFresh } = await getValuation(connection.client, { valuation, agent })
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Count a valuation in the books of ${agent}`,
        functionName: 'addValuation',
        effects: [
          `${valuation} says that the Agent owns ${formatAmount(assetsAtomic, asset)} elsewhere; the rate counts it from now on.`,
          'At worst the rate is as wrong as this contract. When it is stale or gives no answer, settlement stops.',
        ],
        warnings: [
          ...(unit === asset.address ? [] : [`It answers in ${unit}, not in the Accept Token.`]),
          ...(isFresh ? [] : ['Its answer is stale now, so settlement would stop.']),
        ],
        simulate: (account) => simulateAddValuation(connection.client, { agent, valuation, account, asset }),
        event: 'ValuationAdded',
      },
      { next: [`agent valuation list ${named}`] },
    )
  },
}

/** `oikos agent valuation remove`: count it no longer. */
export const remove: CommandSpec = {
  name: 'remove',
  summary: 'count a valuation no longer, as the Owner; at once',
  args: [AGENT, VALUATION],
  options,
  examples: [`oikos agent valuation remove treasury ${EXAMPLE}`],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const valuation = await parseAddress(context, input.argument(1), 'valuation')
    const entry = snapshot.books.valuations.find((listed) => listed.valuation === valuation)
    const worth =
      entry === undefined || entry.state === 'unreadable' ? 'what it says' : formatAmount(entry.assetsAtomic, asset)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Count a valuation of ${agent} no longer`,
        functionName: 'removeValuation',
        effects: [`${worth} leave the books, and the rate falls by that; what the Agent owns there stays its own.`],
        simulate: (account) => simulateRemoveValuation(connection.client, { agent, valuation, account, asset }),
        event: 'ValuationRemoved',
      },
      { next: [`agent valuation list ${named}`] },
    )
  },
}
