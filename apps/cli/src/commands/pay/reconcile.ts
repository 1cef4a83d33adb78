import type { CommandSpec } from '../../command.ts'
import { isRefused } from '../../economic/refusal.ts'
import { UsageError } from '../../errors.ts'
import { readyToSign } from './custody.ts'
import { assertOutFree } from './delivery.ts'
import { readKept } from './kept-payment.ts'
import { PAYMENT_OPTIONS } from './options.ts'
import { runPayment } from './run-payment.ts'
import { admitPayment } from './session.ts'

/** `oikos pay reconcile`: what became of a payment. */
export const reconcile: CommandSpec = {
  name: 'reconcile',
  summary: 'look what became of a payment; never signs a transaction, never sends one',
  details:
    'Reads the journal, asks the chain, and says whether it is paid. A paid x402 resource that was not fetched is fetched; for that alone the passphrase of the wallet is needed.',
  args: [['<key>', 'its idempotency key']],
  options: PAYMENT_OPTIONS,
  examples: ['oikos pay reconcile invoice.7', 'oikos pay reconcile invoice.7 --json'],
  endsInOrder: true,
  run: async (context, input) => {
    const key = input.argument(0)
    await assertOutFree(context, input)
    const kept = await readKept(context, key)
    const admitted = admitPayment(kept)
    if (isRefused(admitted))
      throw new UsageError(`What is kept in ${kept.folder} is no admitted payment.`, 'The files were changed.')
    const wallet = { walletId: admitted.intent.document.wallet_id, rail: admitted.settlement.rail }
    const passphraseOf = () => readyToSign(context, input, wallet)
    return runPayment(context, input, kept, admitted, { mode: 'reconcile', deciders: () => [], passphraseOf })
  },
}
