import type { Asset, TenderTerms } from '@oikos/sdk'
import type { Connection } from '../chain/connect.ts'
import type { OptionSpec } from '../command.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { findAsset, parseAssetAmount } from './asset.ts'
import { parseDuration } from './duration.ts'
import type { Input } from './input.ts'
import { parseMoment } from './moment.ts'
import { parseCount } from './number.ts'

/** The terms of a tender as options. */
export const TERM_OPTIONS: readonly OptionSpec[] = [
  { flags: '--reward <amount>', text: 'for each completion, with its unit: "0.25 ETH", "250 USDC"' },
  { flags: '--asset <token>', text: 'token address or configured symbol, where the unit does not say it' },
  { flags: '--completions <count>', text: 'how many are paid, or "unlimited" (default 1)' },
  { flags: '--window <time>', text: 'how long the judge has for a delivery: "3d", "12 hours"' },
  { flags: '--submit-by <moment>', text: 'last moment to deliver: 2030-12-31T00:00Z, "7 days", never (default)' },
  { flags: '--settle-by <moment>', text: 'last moment to rule; never by default' },
  { flags: '--epoch <time>', text: 'length of an epoch, with --per-epoch' },
  { flags: '--per-epoch <count>', text: 'most completions in one epoch' },
]

/**
 * Reads the terms of a tender.
 * @param nowSec the chain's clock, from which relative moments count
 * @throws UsageError, AmountFormatError
 */
export async function readTerms(
  context: Context,
  connection: Connection,
  input: Input,
  nowSec: bigint,
): Promise<{ terms: TenderTerms; asset: Asset }> {
  const reward = required(input, 'reward', 'how much a completion pays', '--reward "0.25 ETH"')
  const window = required(input, 'window', 'how long the judge has', '--window 3d')
  const [epoch, perEpoch] = [input.text('epoch'), input.text('per-epoch')]
  if ((epoch === undefined) !== (perEpoch === undefined)) {
    throw new UsageError(
      'An epoch needs a length and a number of completions.',
      'Give --epoch and --per-epoch, or none.',
    )
  }
  const asset = await findAsset(context, connection, input.text('asset'), reward)
  const terms: TenderTerms = {
    asset: asset.address,
    rewardPerCompletionAtomic: parseAssetAmount(context, reward, asset),
    maxCompletions: parseCount(input.text('completions') ?? '1', '--completions'),
    submitBySec: parseMoment(input.text('submit-by') ?? 'never', '--submit-by', nowSec),
    settleBySec: parseMoment(input.text('settle-by') ?? 'never', '--settle-by', nowSec),
    epochLengthSec: epoch === undefined ? 0n : parseDuration(epoch, '--epoch'),
    maxCompletionsPerEpoch: perEpoch === undefined ? 0n : parseCount(perEpoch, '--per-epoch'),
    judgmentWindowSec: parseDuration(window, '--window'),
  }
  return { terms, asset }
}

function required(input: Input, option: string, what: string, example: string): string {
  const text = input.text(option)
  if (text !== undefined) return text
  throw new UsageError(`The terms do not say ${what}.`, `Add ${example}.`)
}
