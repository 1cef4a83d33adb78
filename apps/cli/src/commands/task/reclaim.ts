import {
  formatAmount,
  getAssetBalance,
  getAssetMetadata,
  getContribution,
  simulateReclaimEscrow,
  simulateReclaimForeign,
  simulateReclaimResidual,
} from '@oikos/sdk'
import { type Address, zeroAddress } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseAddress } from '../../input/address.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite, runTaskWrite } from '../../transaction/report.ts'

const TASK = ['<task>', 'its number, or chain:contract:number'] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]

const escrow: CommandSpec = {
  name: 'escrow',
  summary: 'take back your share of the money, as a funder, when the task is over',
  args: [TASK],
  options,
  examples: ['oikos task reclaim escrow 7', 'oikos task reclaim escrow 7 --from funder --yes'],
  run: async (context, input) => {
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, asset, connection } = view
    const signer = await prepareSigner(context, input)
    const contribution = await getContribution(connection.client, { ...target, funder: signer.address })
    const performed = await performWrite(context, input, connection, signer, {
      title: `Reclaim your contribution to task ${target.tokenId}`,
      contract: target.task,
      asset,
      functionName: 'reclaimEscrow',
      effects: [
        `You paid in ${formatAmount(contribution, asset)}; you get your share of the ${formatAmount(tender.shares.fundersAtomic, asset)} that funders still have in the vault.`,
        'The first refund fixes the shares of all funders and ends funding. Each share is rounded down.',
      ],
      simulate: (account) => simulateReclaimEscrow(connection.client, { ...target, account, asset }),
      event: 'EscrowReclaimed',
    })
    return reportWrite(context, performed, { document: { taskRef: view.ref }, next: [`task show ${named}`] })
  },
}

const residual: CommandSpec = {
  name: 'residual',
  summary: 'take what belongs to no funder, as the owner, when the task is over',
  args: [TASK],
  options,
  examples: ['oikos task reclaim residual 7'],
  run: async (context, input) => {
    const view = await openTask(context, input.argument(0))
    const { target, tender, named, asset, connection } = view
    const book = await createAddressBook(context)
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Reclaim the residual of task ${target.tokenId}`,
        functionName: 'reclaimResidual',
        effects: [
          `${formatAmount(tender.shares.residualAtomic, asset)} leave the vault for the owner ${book(tender.owner)}.`,
          'What funders and fulfillers are owed stays.',
        ],
        simulate: (account) => simulateReclaimResidual(connection.client, { ...target, account, asset }),
        event: 'ResidualReclaimed',
      },
      { next: [`task show ${named}`] },
    )
  },
}

const foreign: CommandSpec = {
  name: 'foreign',
  summary: 'take what was sent to the vault in another asset, as the owner, when the task is over',
  args: [TASK, ['<asset>', 'token address, or ETH']],
  options,
  examples: ['oikos task reclaim foreign 7 ETH --dry-run'],
  run: async (context, input) => {
    const named = input.argument(1)
    const configured = context.settings.assets.get(named.toUpperCase())
    const foreignAsset: Address =
      named.toUpperCase() === 'ETH' ? zeroAddress : (configured ?? (await parseAddress(context, named, 'asset')))
    const view = await openTask(context, input.argument(0))
    const { target, tender, connection } = view
    const asset = await getAssetMetadata(connection.client, { asset: foreignAsset })
    const amount = await getAssetBalance(connection.client, { asset: foreignAsset, account: tender.vault })
    const book = await createAddressBook(context)
    return runTaskWrite(
      context,
      input,
      { ...view, asset },
      {
        title: `Reclaim foreign money from task ${target.tokenId}`,
        functionName: 'reclaimForeign',
        effects: [
          `${formatAmount(amount, asset)} leave the vault for the owner ${book(tender.owner)}.`,
          "The money in the tender's own asset stays where it is.",
        ],
        simulate: (account) => simulateReclaimForeign(connection.client, { ...target, foreignAsset, account }),
        event: 'ForeignReclaimed',
      },
    )
  },
}

/** `oikos task reclaim`: the three ways out of a vault when the tender is over. */
export const reclaim: GroupSpec = {
  name: 'reclaim',
  summary: 'take money out of a task that is over',
  commands: [escrow, residual, foreign],
}
