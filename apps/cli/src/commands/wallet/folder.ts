import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isRail, RAILS, type Rail } from '@oikos/core/economic'
import { openWalletFolder, type WalletFolder, walletsFolder } from '@oikos/runtime/custody'
import type { OptionSpec } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { userFolderOf } from '../../settings.ts'

/** Commands that work with wallets. */
export const CUSTODY_OPTIONS: readonly OptionSpec[] = [
  { flags: '--custody <folder>', text: 'folder of wallets and their rules (OIKOS_CUSTODY; default ~/.oikos/custody)' },
]

/** Where the passphrase of a wallet comes from. */
export const PASSPHRASE_OPTION: OptionSpec = {
  flags: '--passphrase-file <file>',
  text: 'first line is the passphrase (else OIKOS_PASSPHRASE, else a question)',
}

/** The chain of a wallet. */
export const RAIL_OPTION: OptionSpec = { flags: '--rail <rail>', text: 'evm, solana or bitcoin (default evm)' }

/** The folder of custody of one command line. */
export function custodyFolder({ terminal }: Context, input: Input): string {
  const named = input.text('custody') ?? terminal.env['OIKOS_CUSTODY']
  return named === undefined ? join(userFolderOf(terminal), 'custody') : resolve(terminal.cwd, named)
}

/** The wallets of one command line. */
export function walletsOf(context: Context, input: Input): WalletFolder {
  const { entropy, scryptCost } = context.terminal
  const folder = walletsFolder(custodyFolder(context, input))
  const wallets = openWalletFolder(folder, scryptCost === undefined ? { entropy } : { entropy, scryptCost })
  return {
    ...wallets,
    // A folder that nobody has made yet is an empty one.
    list: async () => (existsSync(folder) ? wallets.list() : []),
    find: async (walletId, rail) => (existsSync(folder) ? wallets.find(walletId, rail) : undefined),
  }
}

/** The rail of --rail. Throws UsageError. */
export function railOption(input: Input): Rail {
  const rail = input.text('rail') ?? 'evm'
  if (isRail(rail)) return rail
  throw new UsageError(`--rail: ${JSON.stringify(rail.slice(0, 40))} is no rail.`, `Write one of ${RAILS.join(', ')}.`)
}
