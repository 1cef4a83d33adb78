import { type CompanionKind, formatAmount, getOwed, simulateWithdrawOwed, simulateWithdrawOwedTo } from '@oikos/sdk'
import type { Address, Client } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { openCompanion } from '../../chain/open-companion.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { findAsset } from '../../input/asset.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'

/** What a companion that holds money would pay an account now. */
type OwedReader = (client: Client, at: { companion: Address; owedAsset: Address; account: Address }) => Promise<bigint>

/**
 * The verb `withdraw` of a noun whose contract holds money for others.
 * @param owed reads what would be paid; default: what the contract has written down
 */
export function withdrawCommand(
  noun: string,
  kind: Extract<CompanionKind, 'jury-panel' | 'splitter' | 'funding-router' | 'bonded-gate'>,
  owed: OwedReader = getOwed,
): CommandSpec {
  return {
    name: 'withdraw',
    summary: 'pay an account what it is owed here; anyone may, and who is owed alone may have it sent elsewhere',
    args: [
      [`<${noun}>`, 'address of the contract'],
      ['[account]', 'who is owed: an address or key name (default: the sender)'],
    ],
    options: [
      { flags: '--asset <asset>', text: 'token address, configured symbol, or ETH (default ETH)' },
      { flags: '--to <account>', text: 'have what you are owed sent there' },
      ...OUTPUT_OPTIONS,
      ...WRITE_OPTIONS,
    ],
    examples: [
      `oikos ${noun} withdraw 0x5FbDB2315678afecb367f032d93F642f64180aa3`,
      `oikos ${noun} withdraw 0x5FbDB2315678afecb367f032d93F642f64180aa3 --asset USDC --to anna --dry-run`,
    ],
    run: async (context, input) => {
      const [named, toText] = [input.optionalArgument(1), input.text('to')]
      if (named !== undefined && toText !== undefined) {
        throw new UsageError(
          'Only who is owed can have it sent elsewhere.',
          'Leave the account out and send it yourself, or leave --to out.',
        )
      }
      const { connection, address: companion } = await openCompanion(context, input.argument(0), kind)
      const { client } = connection
      const asset = await findAsset(context, connection, input.text('asset') ?? 'ETH', '')
      const signer = await prepareSigner(context, input)
      const owner = named === undefined ? signer.address : await parseAddress(context, named, 'account')
      const to = toText === undefined ? owner : await parseAddress(context, toText, '--to')
      const at = { companion, owedAsset: asset.address }
      const amount = await owed(client, { ...at, account: owner })
      const book = await createAddressBook(context)
      const performed = await performWrite(context, input, connection, signer, {
        ...{ title: `Withdraw from ${companion}`, contract: companion, asset },
        functionName: toText === undefined ? 'withdraw' : 'withdrawTo',
        effects: [`${formatAmount(amount, asset)} that ${book(owner)} is owed go to ${book(to)}.`],
        simulate: (account) =>
          toText === undefined
            ? simulateWithdrawOwed(client, { ...at, owner, account, asset })
            : simulateWithdrawOwedTo(client, { ...at, to, account, asset }),
        event: 'Withdrawn',
      })
      return reportWrite(context, performed, { document: { owner, to }, next: [] })
    },
  }
}
