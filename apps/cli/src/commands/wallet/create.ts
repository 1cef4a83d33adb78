import { RAIL_NETWORKS } from '@oikos/core/economic'
import { CustodyError, type WalletDescription } from '@oikos/runtime/custody'
import { type CommandSpec, type OptionSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { readPassphrase } from '../../keys/passphrase.ts'
import { factLines } from '../../output/layout.ts'
import { CUSTODY_OPTIONS, PASSPHRASE_OPTION, RAIL_OPTION, railOption, walletsOf } from './folder.ts'

/** Options of commands that write a wallet. */
export const NEW_WALLET_OPTIONS: readonly OptionSpec[] = [
  RAIL_OPTION,
  { flags: '--network <name>', text: 'sepolia, devnet or regtest, as the rail has it; every other is refused' },
  ...CUSTODY_OPTIONS,
  PASSPHRASE_OPTION,
  ...OUTPUT_OPTIONS,
]

/** `oikos wallet create`: a fresh key in an encrypted file. */
export const create: CommandSpec = {
  name: 'create',
  summary: 'make a wallet and keep its key encrypted',
  details:
    'Wallets are for Sepolia, Solana devnet and Bitcoin regtest only. The passphrase comes from a question without echo, OIKOS_PASSPHRASE or --passphrase-file; never from here.',
  args: [['<wallet>', 'wallet id, as a policy names it: a-z 0-9 . _ : -']],
  options: NEW_WALLET_OPTIONS,
  examples: ['oikos wallet create buyer', 'oikos wallet create buyer --rail solana --passphrase-file passphrase.txt'],
  run: async (context, input) => keepWallet(context, input, undefined),
}

/**
 * Writes a wallet with a key, or with a fresh one. Everything that can be refused is refused before a passphrase is asked
 * for. Throws CustodyError, KeyError.
 */
export async function keepWallet(
  context: Context,
  input: Input,
  secretOf: (() => Promise<Uint8Array>) | undefined,
): Promise<ExitCode> {
  const { terminal } = context
  const [walletId, rail] = [input.argument(0), railOption(input)]
  const own = RAIL_NETWORKS[rail].network
  const network = input.text('network') ?? own
  if (network !== own)
    throw new CustodyError('network_refused', `got ${network.slice(0, 40)}; a wallet on ${rail} is one of ${own}`)
  const wallets = walletsOf(context, input)
  if ((await wallets.find(walletId, rail)) !== undefined)
    throw new CustodyError('wallet_exists', `${walletId} on ${rail} exists in ${wallets.folder}`)
  const secret = await secretOf?.()
  const passphrase = await readPassphrase(terminal, walletId, { file: input.text('passphrase-file'), fresh: true })
  const made = await wallets.add({ walletId, rail, network, passphrase, ...(secret === undefined ? {} : { secret }) })
  return report(context, wallets.folder, made)
}

function report({ output }: Context, folder: string, made: WalletDescription): ExitCode {
  const { walletId, rail, network, address } = made
  output.result(
    { ok: true, folder, ...made },
    factLines(
      [
        ['wallet', walletId],
        ['network', `${network} (${rail})`],
        ['address', address],
      ],
      output.paint,
    ),
  )
  output.say(`Kept encrypted in ${folder}. Without the passphrase nobody can open it, you included.`)
  output.say('It pays nobody yet: what it may pay is its own list, beside every policy.')
  output.next(`wallet allow ${walletId} <address> --rail ${rail} --max-amount <amount> --max-fee <amount>`)
  return EXIT.done
}
