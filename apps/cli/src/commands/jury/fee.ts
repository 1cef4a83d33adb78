import {
  formatAmount,
  getAssetMetadata,
  getJuryPromise,
  isNativeAsset,
  simulateFundJuryFees,
  simulatePromiseJuryFee,
  simulateReturnJuryFees,
} from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { NotFoundError } from '../../errors.ts'
import { findAsset, parseAssetAmount } from '../../input/asset.ts'
import { approveFirst } from '../../transaction/approve.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite, writeDocument } from '../../transaction/report.ts'
import { runCompanionWrite } from '../companion/write.ts'
import { type JuryView, openJury } from './find.ts'

const TASK = ['<task>', 'its number, or chain:contract:number'] as const
const options = [...OUTPUT_OPTIONS, ...WRITE_OPTIONS]

const promise: CommandSpec = {
  name: 'promise',
  summary: 'promise the jurors a fee for each acceptance, once, as the update authority',
  args: [TASK, ['<amount>', 'with its unit, such as "0.01 ETH"']],
  options,
  examples: ['oikos jury fee promise 7 "0.01 ETH"'],
  run: async (context, input) => {
    const view = await openJury(context, input.argument(0))
    const { connection, jury, at, named } = view
    const asset = await findAsset(context, connection, undefined, input.argument(1))
    const feeAtomic = parseAssetAmount(context, input.argument(1), asset)
    const feeAsset = asset.address
    return runCompanionWrite(
      context,
      input,
      { ...view, asset },
      {
        title: `Promise the jurors of task ${view.target.tokenId} a fee`,
        functionName: 'promiseFee',
        effects: [
          `Each accepted delivery pays ${formatAmount(feeAtomic, asset)}, shared by those of the ${jury.jurors.length} jurors who voted on it.`,
          'Refusals pay nothing. It is paid from an escrow, which is empty until somebody pays into it.',
          'The promise never changes.',
        ],
        simulate: (account) =>
          simulatePromiseJuryFee(connection.client, { ...at, feeAsset, feeAtomic, account, asset }),
        event: 'FeePromised',
      },
      { document: { taskRef: view.ref, feeAsset, feeAtomic }, next: [`jury fee fund ${named} "<amount>"`] },
    )
  },
}

/** The view with the asset of the fee. */
async function openPromise(view: JuryView) {
  const { client } = view.connection
  const promised = await getJuryPromise(client, view.at)
  if (promised === undefined) {
    throw new NotFoundError(
      `The jurors of task ${view.target.tokenId} are promised no fee.`,
      `Have its update authority promise one: jury fee promise ${view.named} "<amount>".`,
    )
  }
  return { promised, asset: await getAssetMetadata(client, { asset: promised.feeAsset }) }
}

const fund: CommandSpec = {
  name: 'fund',
  summary: 'pay into the escrow of the fees of jurors; anyone may',
  details: 'A token is approved for exactly the amount first, in a transaction of its own.',
  args: [TASK, ['<amount>', 'with its unit, such as "0.1 ETH"']],
  options,
  examples: ['oikos jury fee fund 7 "0.1 ETH" --dry-run'],
  run: async (context, input) => {
    const view = await openJury(context, input.argument(0))
    const { connection, at, named, address, ref } = view
    const { promised, asset } = await openPromise(view)
    const amountAtomic = parseAssetAmount(context, input.argument(1), asset)
    const book = await createAddressBook(context)
    const effects = [
      `${formatAmount(amountAtomic, asset)} go from you into the escrow, for ${formatAmount(promised.feeAtomic, asset)} an acceptance.`,
      `What is left in the end goes to ${book(promised.sponsor)}, who promised the fee, and not back to you.`,
    ]
    const signer = await prepareSigner(context, input)
    const approval = isNativeAsset(asset)
      ? undefined
      : await approveFirst(context, input, connection, signer, {
          ...{ asset, amountAtomic, spender: address, spenderName: 'The jury', effects },
          purpose: `for the fees of task ${at.tokenId}, then pay them in`,
        })
    if (approval !== undefined && approval.sent === undefined) return reportWrite(context, approval, {})
    const performed = await performWrite(
      context,
      input,
      connection,
      signer,
      {
        ...{ title: `Fund the fees of the jurors of task ${at.tokenId}`, contract: address, asset },
        ...{ functionName: 'fundFees', effects, event: 'FeeFunded' },
        simulate: (account) => simulateFundJuryFees(connection.client, { ...at, amountAtomic, account, asset }),
      },
      { confirmed: approval !== undefined },
    )
    return reportWrite(context, performed, {
      document: { taskRef: ref, ...(approval === undefined ? {} : { approval: writeDocument(approval) }) },
      next: [`jury show ${named}`],
    })
  },
}

const giveBack: CommandSpec = {
  name: 'return',
  summary: 'give what is left of the fees to who promised them, when nothing more can be accepted; anyone may',
  args: [TASK],
  options,
  examples: ['oikos jury fee return 7'],
  run: async (context, input) => {
    const view = await openJury(context, input.argument(0))
    const { connection, at, named } = view
    const { promised, asset } = await openPromise(view)
    const book = await createAddressBook(context)
    return runCompanionWrite(
      context,
      input,
      { ...view, asset },
      {
        title: `Return the fees of the jurors of task ${view.target.tokenId}`,
        functionName: 'returnFees',
        effects: [`${formatAmount(promised.escrowAtomic, asset)} go to ${book(promised.sponsor)}.`],
        simulate: (account) => simulateReturnJuryFees(connection.client, { ...at, account, asset }),
        event: 'FeeReturned',
      },
      { document: { taskRef: view.ref }, next: [`jury show ${named}`] },
    )
  },
}

/** `oikos jury fee`: what jurors are paid. */
export const fee: GroupSpec = {
  name: 'fee',
  summary: 'what jurors are paid for acceptances',
  commands: [promise, fund, giveBack],
}
