import type { Rail } from '@oikos/core/economic'
import { type OptionSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { JOURNAL_OPTIONS } from '../../economic/open-journal.ts'
import { UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { CUSTODY_OPTIONS, PASSPHRASE_OPTION } from '../wallet/folder.ts'
import { SIGNER_OPTIONS } from './custody.ts'

/** What paying and reconciling have in common. */
export const PAYMENT_OPTIONS: readonly OptionSpec[] = [
  { flags: '--rpc <url>', text: 'node of the rail, without a password (OIKOS_RPC_URL; default http://127.0.0.1:8545)' },
  { flags: '--speaks <interface>', text: 'bitcoin only: bitcoin-core (default) or esplora' },
  { flags: '--confirmations <count>', text: 'blocks that must stand on it (default: what the rail holds for final)' },
  { flags: '--timeout <time>', text: 'how long to wait for them (default "1m")' },
  { flags: '--local-server <port>', text: 'the x402 origin is served on this port of 127.0.0.1' },
  { flags: '--out <file>', text: 'where what was bought over x402 is written; must not exist' },
  ...SIGNER_OPTIONS,
  ...CUSTODY_OPTIONS,
  PASSPHRASE_OPTION,
  ...JOURNAL_OPTIONS,
  ...OUTPUT_OPTIONS,
]

/** The node of a rail. A password in an argument can be read by everybody on the machine. Throws UsageError. */
export function endpointOf({ terminal, settings }: Context, input: Input, rail: Rail): string {
  const given = input.text('rpc')
  if (given !== undefined && URL.canParse(given) && new URL(given).username + new URL(given).password !== '')
    throw new UsageError(
      'A password in the command line can be read by everybody on this machine.',
      'Put the URL into OIKOS_RPC_URL.',
    )
  if (rail !== 'evm' && given === undefined && terminal.env['OIKOS_RPC_URL'] === undefined)
    throw new UsageError(`There is no node of ${rail} to ask.`, 'Add --rpc <url>, or set OIKOS_RPC_URL.')
  return settings.rpcUrl
}
