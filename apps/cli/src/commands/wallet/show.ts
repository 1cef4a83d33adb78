import { type AllowedDestination, CustodyError, openAllowList, type WalletDescription } from '@oikos/runtime/custody'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { nativeAmount } from '../../economic/amount.ts'
import { EXIT } from '../../exit-codes.ts'
import { factLines } from '../../output/layout.ts'
import { CUSTODY_OPTIONS, custodyFolder, walletsOf } from './folder.ts'

/** `oikos wallet show`: what is public about wallets, and what they may pay. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'show wallets with their addresses, and whom they may pay',
  args: [['[wallet]', 'only this one']],
  options: [...CUSTODY_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos wallet show', 'oikos wallet show buyer --json'],
  run: async (context, input) => {
    const { output } = context
    const folder = custodyFolder(context, input)
    const named = input.optionalArgument(0)
    const wallets = (await walletsOf(context, input).list()).filter(
      ({ walletId }) => named === undefined || walletId === named,
    )
    if (named !== undefined && wallets.length === 0)
      throw new CustodyError('wallet_unknown', `${named.slice(0, 128)} is not in ${folder}`)
    const rows = await openAllowList(folder).list()
    const described = wallets.map((wallet) => ({
      ...wallet,
      allowed: rows.filter(({ walletId, rail }) => walletId === wallet.walletId && rail === wallet.rail),
    }))
    output.result(
      { ok: true, folder, wallets: described },
      described.length === 0 ? [`No wallets in ${folder}.`] : described.flatMap((one) => linesOf(one, output.paint)),
    )
    if (described.length === 0) output.next('wallet create <wallet>')
    return EXIT.done
  },
}

function linesOf(
  wallet: WalletDescription & { readonly allowed: readonly AllowedDestination[] },
  paint: Parameters<typeof factLines>[1],
): string[] {
  const { walletId, rail, network, address, allowed } = wallet
  const amount = (atomic: bigint) => nativeAmount(atomic, rail)
  return factLines(
    [
      ['wallet', `${walletId} on ${network} (${rail})`],
      ['address', address],
      [
        'may pay',
        allowed.length === 0
          ? 'nobody'
          : allowed.map(
              ({ destination, maxAmountAtomic, maxFeeAtomic }) =>
                `${destination}, at most ${amount(maxAmountAtomic)}, fee at most ${amount(maxFeeAtomic)}`,
            ),
      ],
    ],
    paint,
  )
}
