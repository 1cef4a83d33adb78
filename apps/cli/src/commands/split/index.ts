import {
  formatAmount,
  getReleasable,
  getTeam,
  simulateDistributeShares,
  simulateSubmitForTeam,
  type TeamMember,
} from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openCompanion } from '../../chain/open-companion.ts'
import { openTask } from '../../chain/open-task.ts'
import { CHAIN_OPTIONS, type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import { findAsset } from '../../input/asset.ts'
import type { Input } from '../../input/input.ts'
import { parsePercent } from '../../input/percent.ts'
import { bpsText } from '../../output/equity.ts'
import { factLines } from '../../output/layout.ts'
import { runDeployment } from '../companion/deploy.ts'
import { withdrawCommand } from '../companion/withdraw.ts'
import { runCompanionWrite } from '../companion/write.ts'
import { assertOneDelivery, DELIVERY_OPTIONS, deliveryText, readDelivery } from '../task/delivery.ts'

const SPLITTER = ['<split>', 'address of the splitter'] as const
const ASSET = { flags: '--asset <asset>', text: 'token address, configured symbol, or ETH (default ETH)' }
const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]
const EXAMPLE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

/** Most members of one team. Source: Splitter.sol, MAX_MEMBERS. */
const MAX_MEMBERS = 32

const deploy: CommandSpec = {
  name: 'deploy',
  summary: 'deploy a splitter for a team; members and shares never change',
  options: [
    { flags: '--member <account=share>', text: 'a member and its part, such as anna=60%; may be repeated', many: true },
    ...options,
  ],
  examples: ['oikos split deploy --member anna=60% --member ben=40%'],
  run: async (context, input) => {
    const team = await readTeam(context, input)
    const book = await createAddressBook(context)
    return runDeployment(context, input, {
      ...{ kind: 'splitter', terms: { team }, contractName: 'Splitter' },
      title: 'Deploy a splitter',
      effects: [
        ...team.map(({ account, bps }) => `${book(account)} gets ${bpsText(bps)} of whatever reaches it.`),
        'A share is rounded down; what is left over goes to the first member. The shares never change.',
      ],
      next: (address) => [`split submit ${address} <task> --file <delivery>`, `split show ${address}`],
    })
  },
}

async function readTeam(context: Context, input: Input): Promise<readonly TeamMember[]> {
  const texts = input.list('member')
  if (texts.length === 0 || texts.length > MAX_MEMBERS) {
    throw new UsageError(`A team has from 1 to ${MAX_MEMBERS} members.`, 'Name each with --member anna=60%.')
  }
  const team: TeamMember[] = []
  for (const text of texts) {
    const at = text.lastIndexOf('=')
    if (at < 1)
      throw new UsageError(`--member: ${JSON.stringify(text.slice(0, 80))} names no share.`, 'Write anna=60%.')
    const account = await parseAddress(context, text.slice(0, at), '--member')
    team.push({ account, bps: parsePercent(text.slice(at + 1), '--member') })
  }
  const sum = team.reduce((total, { bps }) => total + bps, 0)
  if (sum === 10_000) return team
  throw new UsageError(`The shares are ${bpsText(sum)} in all, and have to be 100 %.`, 'Correct the shares.')
}

const show: CommandSpec = {
  name: 'show',
  summary: 'show a team, and what each member would be paid now',
  args: [SPLITTER],
  options: [ASSET, ...OUTPUT_OPTIONS, ...CHAIN_OPTIONS],
  examples: [`oikos split show ${EXAMPLE}`, `oikos split show ${EXAMPLE} --asset USDC --json`],
  run: async (context, input) => {
    const { output } = context
    const { connection, address: splitter } = await openCompanion(context, input.argument(0), 'splitter')
    const { client } = connection
    const asset = await findAsset(context, connection, input.text('asset') ?? 'ETH', '')
    const book = await createAddressBook(context)
    const team = await getTeam(client, { splitter })
    const members = await Promise.all(
      team.map(async ({ account, bps }) => {
        const at = { splitter, sharedAsset: asset.address, account }
        return { account, bps, releasableAtomic: await getReleasable(client, at) }
      }),
    )
    output.result({ ok: true, address: splitter, asset, members }, [
      output.paint('bold', `Splitter ${splitter}`),
      ...factLines(
        members.map(({ account, bps, releasableAtomic }) => [
          bpsText(bps),
          `${book(account)} would get ${formatAmount(releasableAtomic, asset)}`,
        ]),
        output.paint,
        '  ',
      ),
    ])
    const owed = members.find(({ releasableAtomic }) => releasableAtomic > 0n)
    output.next(...(owed === undefined ? [] : [`split withdraw ${splitter} ${owed.account}`]))
    return EXIT.done
  },
}

const submit: CommandSpec = {
  name: 'submit',
  summary: 'deliver work in the name of the team, as one of its members',
  details: 'The splitter is the fulfiller of record: the reward goes to it, and results are bound to it.',
  args: [SPLITTER, ['<task>', 'its number, or chain:contract:number']],
  options: [...DELIVERY_OPTIONS, ...options],
  examples: [`oikos split submit ${EXAMPLE} 7 --file report.pdf`],
  run: async (context, input) => {
    assertOneDelivery(input)
    const { connection, address: splitter } = await openCompanion(context, input.argument(0), 'splitter')
    const view = await openTask(context, input.argument(1))
    const { target, tender, asset, named } = view
    const delivery = await readDelivery(context, input, splitter)
    const { task, tokenId } = target
    return runCompanionWrite(
      context,
      input,
      { connection, address: splitter, asset },
      {
        title: `Deliver to task ${tokenId} for the team`,
        functionName: 'submitOnBehalf',
        effects: [
          `A place and ${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} are reserved for the splitter ${splitter}.`,
          deliveryText(delivery),
        ],
        simulate: (account) =>
          simulateSubmitForTeam(connection.client, { splitter, task, tokenId, ...delivery, account, asset }),
        event: 'Delivered',
      },
      { document: { taskRef: view.ref, ...delivery }, next: [`task show ${named}`, `split show ${splitter}`] },
    )
  },
}

const distribute: CommandSpec = {
  name: 'distribute',
  summary: 'write down the share of each member of what has come in; anyone may, and withdrawing does it too',
  args: [SPLITTER],
  options: [ASSET, ...options],
  examples: [`oikos split distribute ${EXAMPLE} --asset USDC`],
  run: async (context, input) => {
    const { connection, address: splitter } = await openCompanion(context, input.argument(0), 'splitter')
    const asset = await findAsset(context, connection, input.text('asset') ?? 'ETH', '')
    return runCompanionWrite(
      context,
      input,
      { connection, address: splitter, asset },
      {
        title: `Distribute what ${splitter} was paid`,
        functionName: 'distribute',
        effects: [`Everything in ${asset.symbol} that was not divided yet is written on the accounts of the members.`],
        simulate: (account) =>
          simulateDistributeShares(connection.client, { splitter, sharedAsset: asset.address, account, asset }),
        event: 'Divided',
      },
      { next: [`split show ${splitter}`] },
    )
  },
}

const withdraw = withdrawCommand('split', 'splitter', (client, { companion, owedAsset, account }) =>
  getReleasable(client, { splitter: companion, sharedAsset: owedAsset, account }),
)

/** `oikos split`: a team as one fulfiller of record. */
export const split: GroupSpec = {
  name: 'split',
  summary: 'splitters: a team delivers as one and shares what it earns',
  commands: [deploy, show, submit, distribute, withdraw],
}
