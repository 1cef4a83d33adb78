import { getAgentPosition, requestKindNumber, simulateDeclineRequest } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { parseAddress } from '../../input/address.ts'
import { prepareSigner } from '../../transaction/perform.ts'
import { parseKind } from './limit.ts'
import { AGENT, REASONED, WRITE_AGENT } from './options.ts'
import { goesIn } from './quote-text.ts'
import { reasonFacts, storeReason } from './reasoning.ts'
import { performAgentWrite, reportAgentWrite } from './write.ts'

/** `oikos agent decline`: the Agent does not want a request. */
export const decline: CommandSpec = {
  name: 'decline',
  summary: 'give a pending request back at once, as an Executor',
  args: [AGENT, ['<kind>', 'mint or redeem'], ['<account>', 'whose request']],
  options: [...REASONED, ...OUTPUT_OPTIONS, ...WRITE_AGENT],
  examples: ['oikos agent decline treasury mint alice --why "The quota of this month is full."'],
  run: async (context, input) => {
    const kind = parseKind(input.argument(1))
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named } = view
    const requester = await parseAddress(context, input.argument(2), 'account')
    const signer = await prepareSigner(context, input)
    const { pendingAtomic } = await getAgentPosition(connection.client, { agent, user: requester, kind })
    const decision = `Decline the pending ${kind} of ${requester}.`
    const args = [requester, requestKindNumber(kind)] as const
    const reasoning = await storeReason(context, input, view, { action: 'decline', args, decision })
    const book = await createAddressBook(context)
    const performed = await performAgentWrite(context, input, view, signer, {
      title: `${decision.slice(0, -1)} at ${agent}`,
      functionName: 'decline',
      effects: [`${goesIn(kind, pendingAtomic, asset)} go back to ${book(requester)} at once; nothing is settled.`],
      simulate: (account) =>
        simulateDeclineRequest(connection.client, { agent, requester, kind, reasoning, account, asset }),
      event: 'Reclaimed',
    })
    return reportAgentWrite(context, view, performed, {
      document: { reasoningURI: reasoning.reasoningURI, reasoningHash: reasoning.reasoningHash },
      facts: reasonFacts(reasoning),
      next: [`agent show ${named}`],
    })
  },
}
