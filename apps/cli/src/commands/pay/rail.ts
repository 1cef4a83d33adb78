import type { Rail, RailAddress } from '@oikos/core/economic'
import type { RailAdapter } from '@oikos/runtime'
import {
  createBitcoinRail,
  createEvmRail,
  createSolanaRail,
  type RailFailureListener,
  type SentTransactions,
} from '@oikos/runtime/rails'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { parseWhole } from '../../input/number.ts'
import { endpointOf } from './options.ts'

/** What a rail pays from, and what it remembers. */
export type RailParts = {
  readonly account: RailAddress
  readonly sent: SentTransactions
  readonly onFailure: RailFailureListener
}

/** The rail of a payment as the command line wants it. Throws UsageError, RailOptionError. */
export function openRail(
  context: Context,
  input: Input,
  rail: Rail,
  parts: RailParts,
): RailAdapter & { readonly close: () => void } {
  const common = { ...parts, endpoints: [endpointOf(context, input, rail)] }
  const wanted = input.text('confirmations')
  const blocks = wanted === undefined ? undefined : Number(parseWhole(wanted, '--confirmations', { min: 1n, max: 64n }))
  if (rail === 'evm') return createEvmRail({ ...common, ...(blocks === undefined ? {} : { finality: blocks }) })
  const target = blocks === undefined ? {} : { confirmationTarget: blocks }
  // A number of blocks is asked for where the cluster has agreed, without waiting until it can never be taken back.
  if (rail === 'solana')
    return createSolanaRail({ ...common, ...target, ...(blocks === undefined ? {} : { finality: 'confirmed' }) })
  return createBitcoinRail({ ...common, ...target, speaks: speaksOf(input) })
}

function speaksOf(input: Input): 'bitcoin-core' | 'esplora' {
  const text = input.text('speaks') ?? 'bitcoin-core'
  if (text === 'bitcoin-core' || text === 'esplora') return text
  throw new UsageError(`--speaks: ${JSON.stringify(text.slice(0, 40))} is not known.`, 'Write bitcoin-core or esplora.')
}
