import type { Address, Client } from 'viem'
import { readValuation, type ValuationReadParameters } from './read-valuation.ts'

/** An answer of a valuation. */
export type Valuation = {
  /** Smallest units of the Accept Token. */
  readonly assetsAtomic: bigint
  /** Whether a settlement may rely on it now. */
  readonly isFresh: boolean
}

/** Parameters of {@link getValuation}. */
export type GetValuationParameters = ValuationReadParameters & {
  agent: Address
}

/** What a valuation says that an Agent owns. */
export async function getValuation(client: Client, parameters: GetValuationParameters): Promise<Valuation> {
  const [assetsAtomic, isFresh] = await readValuation(client, parameters, 'valueOf', [parameters.agent])
  return { assetsAtomic, isFresh }
}
