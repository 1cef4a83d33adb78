import type { Stage } from '../market/stage.ts'
import { playBenchmark } from './benchmark/play.ts'
import { playConfidentialOpinion } from './confidential-opinion/play.ts'
import { playExclusiveBuild } from './exclusive-build/play.ts'
import { playLabelling } from './labelling/play.ts'
import { playMediaReport } from './media-report/play.ts'
import type { MarketOutcome } from './stage/outcome.ts'

/** The worked markets, in the order in which they are played. */
const markets = {
  labelling: playLabelling,
  'media-report': playMediaReport,
  'exclusive-build': playExclusiveBuild,
  'confidential-opinion': playConfidentialOpinion,
  benchmark: playBenchmark,
} as const satisfies Record<string, (stage: Stage) => Promise<MarketOutcome>>

/** Name of a worked market, which is also its folder. */
export type MarketName = keyof typeof markets

/** All names, in the order of play. */
export const marketNames = Object.keys(markets) as MarketName[]

/**
 * Plays markets on the chain and the content store of `stage`, one after the other. The story is the same each time: the same
 * parties, deliveries, amounts and refusals. Drawn afresh are what must be secret, receipts and keys of sealed packages, and
 * with them the hashes over these. Throws when a market ends otherwise than its story says, by as little as one unit.
 */
export async function playMarkets(
  stage: Stage,
  names: readonly MarketName[] = marketNames,
): Promise<ReadonlyMap<MarketName, MarketOutcome>> {
  const outcomes = new Map<MarketName, MarketOutcome>()
  for (const name of marketNames) if (names.includes(name)) outcomes.set(name, await markets[name](stage))
  return outcomes
}
