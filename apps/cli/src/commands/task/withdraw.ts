import { formatAmount, getCredit, simulateWithdrawCredit } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { openTask } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { parseAddress } from '../../input/address.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'

/** `oikos task withdraw`: fetch a reward that could not be delivered. */
export const withdraw: CommandSpec = {
  name: 'withdraw',
  summary: 'pay out a reward that could not be delivered when it was earned',
  args: [['<task>', 'its number, or chain:contract:number']],
  options: [
    { flags: '--for <account>', text: 'to whom it is owed, an address or key name; default the sender' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task withdraw 7', 'oikos task withdraw 7 --for worker --yes'],
  run: async (context, input) => {
    const view = await openTask(context, input.argument(0))
    const { target, named, asset, connection } = view
    const signer = await prepareSigner(context, input)
    const account = input.text('for')
    const creditor = account === undefined ? signer.address : await parseAddress(context, account, '--for')
    const credit = await getCredit(connection.client, { ...target, creditor })
    const book = await createAddressBook(context)
    const performed = await performWrite(context, input, connection, signer, {
      title: `Withdraw a credit of task ${target.tokenId}`,
      contract: target.task,
      asset,
      functionName: 'withdrawCredit',
      effects: [`At most ${formatAmount(credit, asset)} leave the vault for ${book(creditor)}.`],
      simulate: (sender) => simulateWithdrawCredit(connection.client, { ...target, creditor, account: sender, asset }),
      event: 'PayoutWithdrawn',
    })
    return reportWrite(context, performed, { document: { taskRef: view.ref }, next: [`task show ${named}`] })
  },
}
