import {
  formatAmount,
  getRoutedContribution,
  getRouterPot,
  isNativeAsset,
  quoteRouterFee,
  simulateFundTaskThroughRouter,
  simulateRefundFromRouter,
} from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openCompanion } from '../../chain/open-companion.ts'
import { openTask } from '../../chain/open-task.ts'
import { CHAIN_OPTIONS, type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import { parseAssetAmount } from '../../input/asset.ts'
import { parsePercent } from '../../input/percent.ts'
import { requiredText } from '../../input/required.ts'
import { bpsText } from '../../output/equity.ts'
import { factLines } from '../../output/layout.ts'
import { approveFirst } from '../../transaction/approve.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite, writeDocument } from '../../transaction/report.ts'
import { runDeployment } from '../companion/deploy.ts'
import { withdrawCommand } from '../companion/withdraw.ts'

const ROUTER = ['<router>', 'address of the funding router'] as const
const TASK = ['<task>', 'its number, or chain:contract:number'] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]
const EXAMPLE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

const deploy: CommandSpec = {
  name: 'deploy',
  summary: 'deploy a funding router; it takes a fee where tasks are funded',
  options: [
    { flags: '--treasury <account>', text: 'who gets the fee: an address or key name' },
    { flags: '--fee <percent>', text: 'part of every amount that is paid in, up to 10%' },
    ...options,
  ],
  examples: ['oikos router deploy --treasury market --fee 2.5%'],
  run: async (context, input) => {
    const treasury = await parseAddress(context, requiredText(input, 'treasury'), '--treasury')
    const feeBps = BigInt(parsePercent(requiredText(input, 'fee'), '--fee'))
    const book = await createAddressBook(context)
    return runDeployment(context, input, {
      ...{ kind: 'funding-router', terms: { treasury, feeBps }, contractName: 'FundingRouter' },
      title: 'Deploy a funding router',
      effects: [
        `${bpsText(feeBps)} of what is paid in goes to ${book(treasury)}, rounded down; the rest to the task.`,
        'Refunds are passed on in proportion; the fee is not given back. Fee and treasury never change.',
      ],
      next: (address) => [`router fund ${address} <task> "<amount>"`],
    })
  },
}

const show: CommandSpec = {
  name: 'show',
  summary: 'show what a router takes, and its books about a task',
  args: [ROUTER, ['[task]', 'its number, or chain:contract:number']],
  options: [
    { flags: '--funder <account>', text: 'with a task: what this account has in it through the router' },
    ...OUTPUT_OPTIONS,
    ...CHAIN_OPTIONS,
  ],
  examples: [`oikos router show ${EXAMPLE}`, `oikos router show ${EXAMPLE} 7 --funder anna`],
  run: async (context, input) => {
    const { output } = context
    const { connection, address: router, terms } = await openCompanion(context, input.argument(0), 'funding-router')
    const book = await createAddressBook(context)
    const head = [output.paint('bold', `Funding router ${router}`)]
    const takes = ['takes', `${bpsText(terms.feeBps)} for ${book(terms.treasury)}`] as const
    const named = input.optionalArgument(1)
    if (named === undefined) {
      output.result({ ok: true, address: router, terms }, [...head, ...factLines([takes], output.paint, '  ')])
      output.next(`router fund ${router} <task> "<amount>"`)
      return EXIT.done
    }
    const { target, asset, ref } = await openTask(context, named)
    const funderText = input.text('funder')
    const funder = funderText === undefined ? undefined : await parseAddress(context, funderText, '--funder')
    const at = { router, task: target.task, tokenId: target.tokenId }
    const pot = await getRouterPot(connection.client, at)
    const contributionAtomic =
      funder === undefined ? undefined : await getRoutedContribution(connection.client, { ...at, funder })
    const amount = (atomic: bigint): string => formatAmount(atomic, asset)
    output.result({ ok: true, address: router, terms, taskRef: ref, pot, funder, contributionAtomic }, [
      ...head,
      ...factLines(
        [
          takes,
          ['to the task', amount(pot.contributedAtomic)],
          ['not refunded', amount(pot.outstandingAtomic)],
          [
            'given back',
            pot.isCollected ? `${amount(pot.poolAtomic)}, of which ${amount(pot.leftAtomic)} are left` : 'nothing yet',
          ],
          ...(funder === undefined
            ? []
            : ([['contribution', `${amount(contributionAtomic ?? 0n)} by ${book(funder)}`]] as const)),
        ],
        output.paint,
        '  ',
      ),
    ])
    output.next(`router refund ${router} ${named}${funderText === undefined ? '' : ` ${funderText}`}`)
    return EXIT.done
  },
}

const fund: CommandSpec = {
  name: 'fund',
  summary: 'put money into a task through a router, less its fee; anyone may',
  details: 'A token is approved for exactly the amount first, in a transaction of its own.',
  args: [ROUTER, TASK, ['<amount>', 'with its unit, the fee included, such as "1.5 ETH"']],
  options,
  examples: [`oikos router fund ${EXAMPLE} 7 "0.75 ETH"`],
  run: async (context, input) => {
    const { connection, address: router, terms } = await openCompanion(context, input.argument(0), 'funding-router')
    const { target, asset, ref, named } = await openTask(context, input.argument(1))
    const { task, tokenId } = target
    const amountAtomic = parseAssetAmount(context, input.argument(2), asset)
    const fee = await quoteRouterFee(connection.client, { router, amountAtomic })
    const book = await createAddressBook(context)
    const effects = [
      `${formatAmount(amountAtomic - fee, asset)} go from you to task ${tokenId}, and ${formatAmount(fee, asset)} to ${book(terms.treasury)}.`,
      'The router is the funder of record: refunds come through it, in proportion. The fee is not given back.',
    ]
    const signer = await prepareSigner(context, input)
    const approval = isNativeAsset(asset)
      ? undefined
      : await approveFirst(context, input, connection, signer, {
          ...{ asset, amountAtomic, spender: router, spenderName: 'The router', effects },
          purpose: `for task ${tokenId}, then fund it through the router`,
        })
    if (approval !== undefined && approval.sent === undefined) return reportWrite(context, approval, {})
    const performed = await performWrite(
      context,
      input,
      connection,
      signer,
      {
        ...{ title: `Fund task ${tokenId} through a router`, contract: router, asset },
        ...{ functionName: 'fund', effects, event: 'Funded' },
        simulate: (account) =>
          simulateFundTaskThroughRouter(connection.client, { router, task, tokenId, amountAtomic, account, asset }),
      },
      { confirmed: approval !== undefined },
    )
    return reportWrite(context, performed, {
      document: { taskRef: ref, ...(approval === undefined ? {} : { approval: writeDocument(approval) }) },
      next: [`router show ${router} ${named}`],
    })
  },
}

const refund: CommandSpec = {
  name: 'refund',
  summary: 'pay a funder its share of what a task gives back, when it is over; anyone may',
  args: [ROUTER, TASK, ['[funder]', 'who funded through the router (default: the sender)']],
  options,
  examples: [`oikos router refund ${EXAMPLE} 7`, `oikos router refund ${EXAMPLE} 7 anna --dry-run`],
  run: async (context, input) => {
    const { connection, address: router } = await openCompanion(context, input.argument(0), 'funding-router')
    const { target, asset, ref, named } = await openTask(context, input.argument(1))
    const { task, tokenId } = target
    const signer = await prepareSigner(context, input)
    const text = input.optionalArgument(2)
    const funder = text === undefined ? signer.address : await parseAddress(context, text, 'funder')
    const contribution = await getRoutedContribution(connection.client, { router, task, tokenId, funder })
    const book = await createAddressBook(context)
    const performed = await performWrite(context, input, connection, signer, {
      ...{ title: `Refund what went through a router to task ${tokenId}`, contract: router, asset },
      functionName: 'refund',
      effects: [
        `${book(funder)} put in ${formatAmount(contribution, asset)} net of the fee, and gets its share of what the task gives back, rounded down.`,
      ],
      simulate: (account) =>
        simulateRefundFromRouter(connection.client, { router, task, tokenId, funder, account, asset }),
      event: 'Refunded',
    })
    return reportWrite(context, performed, {
      document: { taskRef: ref, funder },
      next: [`router show ${router} ${named}`],
    })
  },
}

/** `oikos router`: a fee where tasks are funded. */
export const router: GroupSpec = {
  name: 'router',
  summary: 'funding routers: fund through one, get refunds, fetch fees',
  commands: [deploy, show, fund, refund, withdrawCommand('router', 'funding-router')],
}
