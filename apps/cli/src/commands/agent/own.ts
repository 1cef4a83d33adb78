import {
  simulateAcceptAgentOwnership,
  simulateRenounceAgentOwnership,
  simulateTransferAgentOwnership,
} from '@oikos/sdk'
import { zeroAddress } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { parseAddress } from '../../input/address.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { runAgentWrite } from './write.ts'

const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]

const offer: CommandSpec = {
  name: 'offer',
  summary: 'offer the ownership to an account, as the Owner; it changes when that account accepts',
  args: [AGENT, ['<account>', 'address or key name, or nobody to withdraw an offer']],
  options,
  examples: ['oikos agent own offer treasury safe', 'oikos agent own offer treasury nobody'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named } = view
    const text = input.argument(1)
    const newOwner = text === 'nobody' ? zeroAddress : await parseAddress(context, text, 'account')
    const book = await createAddressBook(context)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Offer the ownership of ${agent}`,
        functionName: 'transferOwnership',
        effects: [
          newOwner === zeroAddress
            ? 'An offer that was made is withdrawn.'
            : `${book(newOwner)} can take the ownership; until then you keep it and can withdraw the offer.`,
        ],
        simulate: (account) => simulateTransferAgentOwnership(connection.client, { agent, newOwner, account }),
        event: 'OwnershipTransferStarted',
      },
      { next: [newOwner === zeroAddress ? `agent show ${named}` : `agent own accept ${named} --from <new owner>`] },
    )
  },
}

const accept: CommandSpec = {
  name: 'accept',
  summary: 'take the ownership that was offered to you',
  args: [AGENT],
  options,
  examples: ['oikos agent own accept treasury --from safe'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named, snapshot } = view
    const book = await createAddressBook(context)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Take the ownership of ${agent}`,
        functionName: 'acceptOwnership',
        effects: [
          `You set boundary, Executors, guards, valuations and metadata from now on; ${book(snapshot.owner)} no longer can.`,
        ],
        simulate: (account) => simulateAcceptAgentOwnership(connection.client, { agent, account }),
        event: 'OwnershipTransferred',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

const renounce: CommandSpec = {
  name: 'renounce',
  summary: 'leave the Agent without an Owner for ever: its constitution is frozen',
  args: [AGENT],
  options,
  examples: ['oikos agent own renounce treasury --dry-run'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named, snapshot } = view
    const { books } = snapshot
    const hasGuardian = snapshot.guardian !== zeroAddress
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Renounce the ownership of ${agent}`,
        functionName: 'renounceOwnership',
        effects: [
          'For ever: nobody can loosen the boundary, name Executors, list valuations, lower fees or change the metadata.',
          hasGuardian
            ? 'The guardian can still tighten, revoke Executors and confirm a rate; it can no longer pause.'
            : 'There is no guardian either.',
          'This cannot be undone.',
        ],
        warnings:
          books.valuations.length === 0
            ? []
            : ['Valuations stay listed for ever; one that breaks stops settlement for ever.'],
        simulate: (account) => simulateRenounceAgentOwnership(connection.client, { agent, account }),
        event: 'OwnershipTransferred',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

/** `oikos agent own`: two steps, or none. */
export const own: GroupSpec = {
  name: 'own',
  summary: 'the ownership of an Agent: offer, accept, renounce',
  commands: [offer, accept, renounce],
}
