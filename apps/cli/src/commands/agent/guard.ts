import { simulateConfirmRate, simulateSetAgentGuard, simulateSetAgentGuardian } from '@oikos/sdk'
import { zeroAddress } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { parseDuration } from '../../input/duration.ts'
import { parsePrice } from '../../input/equity.ts'
import { parseWhole } from '../../input/number.ts'
import { bpsText, priceText } from '../../output/equity.ts'
import { exactDuration } from '../../output/speech.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { runAgentWrite } from './write.ts'

const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]

const set: CommandSpec = {
  name: 'set',
  summary: 'set corridor and least age of requests, as the Owner; what is not given stays',
  args: [AGENT],
  options: [
    {
      flags: '--corridor <bps>',
      text: 'most that the rate of a settlement may move a day, in basis points; 0 for none',
    },
    { flags: '--min-age <time>', text: 'least age of a request when it is settled; at most 7 days and the horizon' },
    ...options,
  ],
  examples: ['oikos agent guard set treasury --corridor 500 --min-age 1h'],
  run: async (context, input) => {
    const [corridor, minAge] = [input.text('corridor'), input.text('min-age')]
    if (corridor === undefined && minAge === undefined) {
      throw new UsageError('Nothing is to be set.', 'Give --corridor, --min-age or both.')
    }
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named, snapshot } = view
    const { guard } = snapshot.books
    const corridorBpsPerDay =
      corridor === undefined
        ? guard.corridorBpsPerDay
        : Number(parseWhole(corridor, '--corridor', { min: 0n, max: 1_000_000n }))
    const minRequestAgeSec = minAge === undefined ? guard.minRequestAgeSec : Number(parseDuration(minAge, '--min-age'))
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Set the guards of ${agent}`,
        functionName: 'setGuard',
        effects: [
          corridorBpsPerDay === 0
            ? 'No corridor: settlement takes any rate that the books give.'
            : `A rate that moved by more than ${bpsText(corridorBpsPerDay)} a day stops settlement until Owner or guardian confirm it.`,
          minRequestAgeSec === 0
            ? 'A request can be settled at once.'
            : `A request is settled after ${exactDuration(BigInt(minRequestAgeSec))} at the earliest, so that nobody requests on a price that they have seen.`,
        ],
        simulate: (account) =>
          simulateSetAgentGuard(connection.client, { agent, corridorBpsPerDay, minRequestAgeSec, account }),
        event: 'GuardUpdated',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

const confirm: CommandSpec = {
  name: 'confirm',
  summary: 'let settlement go on at the rate of now, as the Owner or the guardian',
  details: 'Without bounds exactly the rate that is shown is confirmed; if it moves before, nothing happens.',
  args: [AGENT],
  options: [
    { flags: '--min <price>', text: 'lowest price of a share that you confirm' },
    { flags: '--max <price>', text: 'highest price of a share that you confirm' },
    ...options,
  ],
  examples: ['oikos agent guard confirm treasury --min "1.00 USDC" --max "1.10 USDC"'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset, connection, named, snapshot } = view
    const { rate, guard } = snapshot.books
    if (rate === undefined) {
      throw new NotFoundError(
        `${agent} has no rate: a valuation gives no answer.`,
        `See "agent valuation list ${named}".`,
      )
    }
    const bound = (option: string): bigint => {
      const text = input.text(option)
      return text === undefined ? rate : parsePrice(context, text, asset, `--${option}`)
    }
    const [minRate, maxRate] = [bound('min'), bound('max')]
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Confirm the rate of ${agent}`,
        functionName: 'confirmRate',
        effects: [
          `The rate is ${priceText(rate, asset)}; the last settlement was at ${priceText(guard.anchorRate, asset)}.`,
          `If it lies from ${priceText(minRate, asset)} to ${priceText(maxRate, asset)}, settlement goes on from there, and the corridor is measured from it.`,
        ],
        warnings: guard.isHalted ? [] : ['Settlement is not halted; the corridor begins anew all the same.'],
        simulate: (account) => simulateConfirmRate(connection.client, { agent, minRate, maxRate, account, asset }),
        event: 'RateConfirmed',
      },
      { next: [`agent show ${named}`] },
    )
  },
}

/** `oikos agent guard`: what holds the price of settlements back. */
export const guard: GroupSpec = {
  name: 'guard',
  summary: 'the guards on the settlement price: corridor, least age, confirmation',
  commands: [set, confirm],
}

/** `oikos agent guardian`: who may brake. */
export const guardian: CommandSpec = {
  name: 'guardian',
  summary: 'name who may brake beside the Owner, as the Owner',
  args: [AGENT, ['<account>', 'address or key name, or nobody']],
  options,
  examples: ['oikos agent guardian treasury safe', 'oikos agent guardian treasury nobody'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const { agent, connection, named } = view
    const text = input.argument(1)
    const account = text === 'nobody' ? zeroAddress : await parseAddress(context, text, 'account')
    const book = await createAddressBook(context)
    return runAgentWrite(
      context,
      input,
      view,
      {
        title: `Name the guardian of ${agent}`,
        functionName: 'setGuardian',
        effects: [
          account === zeroAddress
            ? 'Nobody but the Owner can brake.'
            : `${book(account)} can pause, tighten the Scope, revoke Executors and confirm a rate. It can loosen nothing.`,
        ],
        simulate: (sender) =>
          simulateSetAgentGuardian(connection.client, { agent, guardian: account, account: sender }),
        event: 'GuardianUpdated',
      },
      { next: [`agent show ${named}`] },
    )
  },
}
