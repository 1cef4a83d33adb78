import { getRoyalty, simulateLowerRoyalty, simulatePassRoyalty, simulateSetRoyalty } from '@oikos/sdk'
import type { Address } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { openCompanion } from '../../chain/open-companion.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import { CHAIN_OPTIONS, type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import { parsePercent } from '../../input/percent.ts'
import { bpsText } from '../../output/equity.ts'
import { factLines } from '../../output/layout.ts'
import { runDeployment } from '../companion/deploy.ts'
import { runCompanionWrite } from '../companion/write.ts'

const ARGUMENTS = [
  ['<royalty>', 'address of the royalty contract'],
  ['<task>', 'its number, or chain:contract:number'],
] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]
const EXAMPLE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

type RoyaltyView = TaskView & { readonly address: Address; readonly at: { royalty: Address; tokenId: bigint } }

async function openRoyalty(context: Context, royaltyText: string, taskText: string): Promise<RoyaltyView> {
  const { address, terms } = await openCompanion(context, royaltyText, 'tender-royalty')
  const view = await openTask(context, taskText)
  if (terms.task.toLowerCase() !== view.target.task.toLowerCase()) {
    throw new UsageError(
      `${address} keeps royalties of the task contract ${terms.task}, and the task is one of ${view.target.task}.`,
      'Check the royalty contract and the task.',
    )
  }
  return { ...view, address, at: { royalty: address, tokenId: view.target.tokenId } }
}

const deploy: CommandSpec = {
  name: 'deploy',
  summary: 'deploy a royalty contract for the tasks of one contract',
  details: 'Marketplaces have to be pointed to it: the task contract says nothing about royalties, on purpose.',
  options,
  examples: ['oikos royalty deploy --dry-run --from 0x000000000000000000000000000000000000dEaD'],
  run: async (context, input) => {
    const task = await (await context.connection()).contract()
    return runDeployment(context, input, {
      ...{ kind: 'tender-royalty', terms: { task }, contractName: 'TenderRoyalty' },
      title: 'Deploy a royalty contract',
      effects: [
        `Update authorities of tasks of ${task} can name a royalty of up to 10 %, once, which then only falls.`,
      ],
      next: (address) => [`royalty set ${address} <task> <account> 2.5%`],
    })
  },
}

const show: CommandSpec = {
  name: 'show',
  summary: 'show the royalty on a task',
  args: ARGUMENTS,
  options: [...OUTPUT_OPTIONS, ...CHAIN_OPTIONS],
  examples: [`oikos royalty show ${EXAMPLE} 7`],
  run: async (context, input) => {
    const view = await openRoyalty(context, input.argument(0), input.argument(1))
    const royalty = await getRoyalty(view.connection.client, view.at)
    const book = await createAddressBook(context)
    const text = royalty === undefined ? 'none' : `${bpsText(royalty.bps)} of a sale to ${book(royalty.receiver)}`
    const { output } = context
    output.result(
      { ok: true, taskRef: view.ref, address: view.address, royalty },
      factLines([['royalty', text]], output.paint),
    )
    return EXIT.done
  },
}

const set: CommandSpec = {
  name: 'set',
  summary: 'name the royalty on a task, once, as its update authority',
  args: [...ARGUMENTS, ['<account>', 'who gets it'], ['<percent>', 'part of the price of a sale, up to 10%']],
  options,
  examples: [`oikos royalty set ${EXAMPLE} 7 anna 2.5%`],
  run: async (context, input) => {
    const receiver = await parseAddress(context, input.argument(2), 'account')
    const bps = parsePercent(input.argument(3), 'percent')
    const view = await openRoyalty(context, input.argument(0), input.argument(1))
    const book = await createAddressBook(context)
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Set the royalty on task ${view.target.tokenId}`,
        functionName: 'setRoyalty',
        effects: [
          `Marketplaces that honour royalties and ask here pay ${bpsText(bps)} of a sale to ${book(receiver)}.`,
          'From now on the rate can only fall.',
        ],
        simulate: (account) => simulateSetRoyalty(view.connection.client, { ...view.at, receiver, bps, account }),
        event: 'RoyaltySet',
      },
      { document: { taskRef: view.ref, receiver, bps }, next: [`royalty show ${view.address} ${view.named}`] },
    )
  },
}

const lower: CommandSpec = {
  name: 'lower',
  summary: 'lower the royalty on a task, as its update authority',
  args: [...ARGUMENTS, ['<percent>', 'at most what it is']],
  options,
  examples: [`oikos royalty lower ${EXAMPLE} 7 1%`],
  run: async (context, input) => {
    const bps = parsePercent(input.argument(2), 'percent')
    const view = await openRoyalty(context, input.argument(0), input.argument(1))
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Lower the royalty on task ${view.target.tokenId}`,
        functionName: 'lowerRoyalty',
        effects: [`The royalty falls to ${bpsText(bps)} of a sale, and never rises again.`],
        simulate: (account) => simulateLowerRoyalty(view.connection.client, { ...view.at, bps, account }),
        event: 'RoyaltySet',
      },
      { document: { taskRef: view.ref, bps }, next: [`royalty show ${view.address} ${view.named}`] },
    )
  },
}

const pass: CommandSpec = {
  name: 'pass',
  summary: 'pass the royalty on a task to somebody else, as its receiver',
  args: [...ARGUMENTS, ['<account>', 'who gets it from now on']],
  options,
  examples: [`oikos royalty pass ${EXAMPLE} 7 ben`],
  run: async (context, input) => {
    const receiver = await parseAddress(context, input.argument(2), 'account')
    const view = await openRoyalty(context, input.argument(0), input.argument(1))
    const book = await createAddressBook(context)
    return runCompanionWrite(
      context,
      input,
      view,
      {
        title: `Pass on the royalty on task ${view.target.tokenId}`,
        functionName: 'passRoyalty',
        effects: [`${book(receiver)} gets it from now on; only they can pass it on again.`],
        simulate: (account) => simulatePassRoyalty(view.connection.client, { ...view.at, receiver, account }),
        event: 'RoyaltySet',
      },
      { document: { taskRef: view.ref, receiver }, next: [`royalty show ${view.address} ${view.named}`] },
    )
  },
}

/** `oikos royalty`: ERC-2981 beside the task contract. */
export const royalty: GroupSpec = {
  name: 'royalty',
  summary: 'royalties on sales of tasks, for marketplaces that are pointed to them',
  commands: [deploy, show, set, lower, pass],
}
