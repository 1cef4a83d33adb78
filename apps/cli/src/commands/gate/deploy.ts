import { formatAmount } from '@oikos/sdk'
import type { Address } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { findAsset, parseAssetAmount } from '../../input/asset.ts'
import type { Input } from '../../input/input.ts'
import { parsePercent } from '../../input/percent.ts'
import { requiredText } from '../../input/required.ts'
import { bpsText } from '../../output/equity.ts'
import { runDeployment } from '../companion/deploy.ts'

/** `oikos gate deploy`: a new gate with its rule. */
export const deploy: CommandSpec = {
  name: 'deploy',
  summary: 'deploy a bonded gate for the tasks of one contract; its rule never changes',
  details: 'Name the gate with --judge when a task is minted, so that deliveries without a bond can be refused.',
  options: [
    { flags: '--bond <amount>', text: 'what is put up with every delivery, such as "0.01 ETH"' },
    { flags: '--lost-when-refused <percent>', text: 'part that a refusal costs (default 0%)' },
    { flags: '--lost-when-expired <percent>', text: 'part that a missing proof costs (default 0%)' },
    { flags: '--beneficiary <account>', text: 'who gets lost bonds; needed where something can be lost' },
    { flags: '--judge <account>', text: 'who rules through the gate: a person or a jury (default: nobody)' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: [
    'oikos gate deploy --bond "0.01 ETH" --lost-when-refused 50% --beneficiary 0x000000000000000000000000000000000000dEaD --judge anna',
  ],
  run: async (context, input) => {
    const bondText = requiredText(input, 'bond')
    const rejectedBps = parsePercent(input.text('lost-when-refused') ?? '0%', '--lost-when-refused')
    const expiredBps = parsePercent(input.text('lost-when-expired') ?? '0%', '--lost-when-expired')
    const beneficiary = await optionalAddress(context, input, 'beneficiary')
    const judge = await optionalAddress(context, input, 'judge')
    if ((rejectedBps !== 0 || expiredBps !== 0) !== (beneficiary !== undefined)) {
      throw new UsageError(
        beneficiary === undefined ? 'Lost bonds would go to nobody.' : 'Nothing is ever lost, so nobody benefits.',
        'Name --beneficiary together with --lost-when-refused or --lost-when-expired.',
      )
    }
    const connection = await context.connection()
    const asset = await findAsset(context, connection, undefined, bondText)
    const bondAtomic = parseAssetAmount(context, bondText, asset)
    const task = await connection.contract()
    const book = await createAddressBook(context)
    const lost = beneficiary === undefined ? '' : `, to ${book(beneficiary)}`
    return runDeployment(context, input, {
      ...{ kind: 'bonded-gate', contractName: 'BondedGate', asset },
      terms: { task, bondAsset: asset.address, bondAtomic, rejectedBps, expiredBps, beneficiary, judge },
      title: 'Deploy a bonded gate',
      effects: [
        `Every delivery to a task of ${task} through it puts up ${formatAmount(bondAtomic, asset)}, which comes back on acceptance.`,
        `A refusal costs ${bpsText(rejectedBps)} of it, a missing proof ${bpsText(expiredBps)}${lost}.`,
        judge === undefined
          ? 'Nobody rules through it, so it is not to hold a judgment slot.'
          : `${book(judge)} rules through it where it holds the judgment slot.`,
        'The rule never changes.',
      ],
      next: (address) => [
        ...(judge === undefined ? [] : [`task mint <folder> --reward "<amount>" --judge ${address} --window <time>`]),
        `gate deliver ${address} <task> --file <delivery>`,
      ],
    })
  },
}

async function optionalAddress(context: Context, input: Input, option: string): Promise<Address | undefined> {
  const text = input.text(option)
  return text === undefined ? undefined : parseAddress(context, text, `--${option}`)
}
