import { parseDecimal } from '@oikos/sdk'
import { UsageError } from '../errors.ts'

/** Basis points of the whole. */
const WHOLE_BPS = 10_000n

/**
 * Reads a part in percent, exactly: `2.5%`, `60 %`.
 * @returns basis points, from 0 to 10,000
 * @throws UsageError for every other text, and for more than two decimals
 */
export function parsePercent(text: string, option: string): number {
  const match = /^(\S+?)\s*%$/.exec(text.trim())
  const bps = match === null ? undefined : parseDecimal(match[1] ?? '', 2)
  if (bps !== undefined && bps <= WHOLE_BPS) return Number(bps)
  throw new UsageError(
    `${option}: ${JSON.stringify(text.slice(0, 80))} is no part of the whole.`,
    'Write it like "2.5%", with at most two decimals, up to 100%.',
  )
}
