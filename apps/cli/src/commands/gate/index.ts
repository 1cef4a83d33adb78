import {
  formatAmount,
  getAssetBalance,
  getDesk,
  simulateCollectEarnings,
  simulateCollectEarningsTo,
  simulateSettleBond,
} from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openCompanion } from '../../chain/open-companion.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { findAsset } from '../../input/asset.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { bpsText } from '../../output/equity.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'
import { withdrawCommand } from '../companion/withdraw.ts'
import { runCompanionWrite } from '../companion/write.ts'
import { deliver } from './deliver.ts'
import { deploy } from './deploy.ts'
import { EXAMPLE_GATE, GATE_DELIVERY, GATE_TASK, openGate } from './find.ts'
import { accept, evict, handOver, reject } from './rule.ts'
import { show } from './show.ts'

const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]

const settle: CommandSpec = {
  name: 'settle',
  summary: 'give the bond of a decided delivery to whoever gets it; anyone may',
  args: GATE_DELIVERY,
  options,
  examples: [`oikos gate settle ${EXAMPLE_GATE} 7 1`],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(2))
    const view = await openGate(context, input.argument(0), input.argument(1))
    const { connection, rule, bondAsset, at, named } = view
    return runCompanionWrite(
      context,
      input,
      { ...view, asset: bondAsset },
      {
        title: `Settle the bond of submission ${submissionId} of task ${at.tokenId}`,
        functionName: 'settleBond',
        effects: [
          `The deliverer gets ${formatAmount(rule.bondAtomic, bondAsset)} back, less ${bpsText(rule.rejectedBps)} where it was refused or ${bpsText(rule.expiredBps)} where no proof came in time.`,
          'What is lost is kept for the beneficiary.',
        ],
        simulate: (account) =>
          simulateSettleBond(connection.client, { ...at, submissionId, account, asset: bondAsset }),
        event: 'BondSettled',
      },
      { document: { taskRef: view.ref, submissionId }, next: [`gate collect ${at.gate}`, `task show ${named}`] },
    )
  },
}

const collect: CommandSpec = {
  name: 'collect',
  summary: 'send a deliverer what its desk has earned; anyone may, and the deliverer alone may have it sent elsewhere',
  args: [GATE_TASK[0], ['[account]', 'who delivered: an address or key name (default: the sender)']],
  options: [
    { flags: '--asset <asset>', text: 'token address, configured symbol, or ETH (default ETH)' },
    { flags: '--to <account>', text: 'have what your desk has earned sent there' },
    ...options,
  ],
  examples: [`oikos gate collect ${EXAMPLE_GATE}`, `oikos gate collect ${EXAMPLE_GATE} anna --asset USDC`],
  run: async (context, input) => {
    const [named, toText] = [input.optionalArgument(1), input.text('to')]
    if (named !== undefined && toText !== undefined) {
      throw new UsageError(
        'Only the deliverer can have its earnings sent elsewhere.',
        'Leave the account out and send it yourself, or leave --to out.',
      )
    }
    const { connection, address: gate } = await openCompanion(context, input.argument(0), 'bonded-gate')
    const { client } = connection
    const asset = await findAsset(context, connection, input.text('asset') ?? 'ETH', '')
    const signer = await prepareSigner(context, input)
    const deliverer = named === undefined ? signer.address : await parseAddress(context, named, 'account')
    const to = toText === undefined ? deliverer : await parseAddress(context, toText, '--to')
    const desk = await getDesk(client, { gate, deliverer })
    const amount = await getAssetBalance(client, { asset: asset.address, account: desk })
    const book = await createAddressBook(context)
    const at = { gate, earnedAsset: asset.address }
    const performed = await performWrite(context, input, connection, signer, {
      ...{ title: `Collect from the desk of ${book(deliverer)}`, contract: gate, asset },
      functionName: toText === undefined ? 'collect' : 'collectTo',
      effects: [`${formatAmount(amount, asset)} go from the desk ${desk} to ${book(to)}.`],
      simulate: (account) =>
        toText === undefined
          ? simulateCollectEarnings(client, { ...at, deliverer, account, asset })
          : simulateCollectEarningsTo(client, { ...at, to, account, asset }),
      event: 'Collected',
    })
    return reportWrite(context, performed, { document: { deliverer, desk, to }, next: [`gate show ${gate}`] })
  },
}

/** `oikos gate`: a bond with every delivery. */
export const gate: GroupSpec = {
  name: 'gate',
  summary: 'bonded gates: deliver with a bond, rule, settle bonds, collect rewards',
  commands: [
    ...[deploy, show, deliver, accept, reject, evict, handOver, settle, collect],
    withdrawCommand('gate', 'bonded-gate'),
  ],
}
