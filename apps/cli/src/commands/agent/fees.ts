import { formatAmount, simulateClaimFees, simulateLowerFees, simulateSetFeeRecipient } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { parseWhole } from '../../input/number.ts'
import { bpsText } from '../../output/equity.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { runAgentWrite } from './write.ts'

const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]

const claim: CommandSpec = {
  name: 'claim',
  summary: 'pay the fees of all settlements so far to their recipient; anyone may',
  args: [AGENT],
  options,
  examples: ['oikos agent fees claim treasury'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const { fees } = snapshot.books
    const book = await createAddressBook(context)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Pay the fees of ${agent}`,
        functionName: 'claimFees',
        effects: [`${formatAmount(fees.owedAtomic, asset)} are paid to ${book(fees.recipient)}.`],
        simulate: (account) => simulateClaimFees(connection.client, { agent, account, asset }),
        event: 'FeesClaimed',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

const lower: CommandSpec = {
  name: 'lower',
  summary: 'lower the fees, as the Owner; they never rise again',
  args: [AGENT],
  options: [
    { flags: '--mint-fee <bps>', text: 'basis points of a deposit (default: as it is)' },
    { flags: '--redeem-fee <bps>', text: 'basis points of a payout (default: as it is)' },
    ...options,
  ],
  examples: ['oikos agent fees lower treasury --mint-fee 0'],
  run: async (context, input) => {
    const [mint, redeem] = [input.text('mint-fee'), input.text('redeem-fee')]
    if (mint === undefined && redeem === undefined) {
      throw new UsageError('No fee is to be lowered.', 'Give --mint-fee, --redeem-fee or both.')
    }
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const { fees } = snapshot.books
    const bps = (text: string | undefined, option: string, now: number): number =>
      text === undefined ? now : Number(parseWhole(text, option, { min: 0n, max: 500n }))
    const mintFeeBps = bps(mint, '--mint-fee', fees.mintFeeBps)
    const redeemFeeBps = bps(redeem, '--redeem-fee', fees.redeemFeeBps)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Lower the fees of ${agent}`,
        functionName: 'lowerFees',
        effects: [
          `A deposit costs ${bpsText(mintFeeBps)} instead of ${bpsText(fees.mintFeeBps)}, a payout ${bpsText(redeemFeeBps)} instead of ${bpsText(fees.redeemFeeBps)}, from the next settlement on.`,
          'This cannot be undone: fees never rise.',
        ],
        simulate: (account) =>
          simulateLowerFees(connection.client, { agent, mintFeeBps, redeemFeeBps, account, asset }),
        event: 'FeesUpdated',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

const recipient: CommandSpec = {
  name: 'recipient',
  summary: 'name who gets the fees, as the Owner',
  args: [AGENT, ['<account>', 'address or key name']],
  options,
  examples: ['oikos agent fees recipient treasury safe'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const account = await parseAddress(context, input.argument(1), 'account')
    const book = await createAddressBook(context)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Name the fee recipient of ${agent}`,
        functionName: 'setFeeRecipient',
        effects: [
          `${book(account)} gets the fees, the ${formatAmount(snapshot.books.fees.owedAtomic, asset)} that are owed already included.`,
        ],
        simulate: (sender) =>
          simulateSetFeeRecipient(connection.client, { agent, recipient: account, account: sender }),
        event: 'FeeRecipientUpdated',
      },
      { next: [`agent fees claim ${named}`] },
    )
  },
}

/** `oikos agent fees`: what settlements cost. */
export const fees: GroupSpec = {
  name: 'fees',
  summary: 'the fees of an Agent: claim, lower, recipient',
  commands: [claim, lower, recipient],
}
