import { TransactionPendingError } from '@oikos/sdk'
import type { Hash } from 'viem'
import { isHash, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getTransaction, getTransactionReceipt } from 'viem/actions'
import { createAddressBook } from '../../chain/address-book.ts'
import type { Connection } from '../../chain/connect.ts'
import { CHAIN_OPTIONS, type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { factLines } from '../../output/layout.ts'
import { decodeLogs } from '../../transaction/decode.ts'
import { eventText } from '../../transaction/event-text.ts'

const show: CommandSpec = {
  name: 'show',
  summary: 'tell what became of a transaction',
  details: 'Ends with 0 when it succeeded, 1 when it failed, 4 when the node does not know it, 5 while it waits.',
  args: [['<hash>', 'of the transaction']],
  options: [...OUTPUT_OPTIONS, ...CHAIN_OPTIONS],
  examples: ['oikos transaction show 0xf4b25f0c4cf3ab1d3d23f0e8bd4b9a9c1e6c3c8c2f1f9d0c9b6f7a1e2d3c4b5a'],
  run: async (context, input) => {
    const hash = input.argument(0)
    if (!isHash(hash)) throw new UsageError('A transaction has a hash of 0x and 64 digits.', 'Copy it in full.')
    const connection = await context.connection()
    const receipt = await findReceipt(connection, hash)
    const { output } = context
    const book = await createAddressBook(context)
    const events = decodeLogs(
      receipt.logs,
      receipt.logs.map(({ address }) => address),
    )
    const ok = receipt.status === 'success'
    const { blockNumber, gasUsed, effectiveGasPrice, from, to } = receipt
    output.result(
      { ok, status: receipt.status, hash, blockNumber, from, to, gasUsed, feeWei: gasUsed * effectiveGasPrice, events },
      factLines(
        [
          ['outcome', ok ? 'succeeded' : 'failed; only the gas is gone'],
          ['block', String(blockNumber)],
          ['from', book(from)],
          ...(to === null ? [] : ([['to', book(to)]] as const)),
          ['event', events.map((event) => eventText(event, {}, book))],
        ],
        output.paint,
      ),
    )
    return ok ? EXIT.done : EXIT.refused
  },
}

/** `oikos transaction`: what became of what was sent. */
export const transaction: GroupSpec = {
  name: 'transaction',
  summary: 'transactions: what became of them',
  commands: [show],
}

async function findReceipt({ client }: Connection, hash: Hash): Promise<TransactionReceipt> {
  try {
    return await getTransactionReceipt(client, { hash })
  } catch (error) {
    if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    const known = await getTransaction(client, { hash }).catch(() => undefined)
    if (known !== undefined) throw new TransactionPendingError(hash, 0, { cause: error })
    throw new NotFoundError(
      `The node does not know transaction ${hash}.`,
      'Ask another node with --rpc. A transaction that no node knows after some minutes was probably never accepted.',
    )
  }
}
