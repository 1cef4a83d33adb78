import type { Address, Client } from 'viem'
import { type FactoryReadParameters, readFactory } from './read-factory.ts'

/** What all Agents of a factory share. */
export type FactoryTerms = {
  /** Contract that bounds every Agent of the factory. */
  readonly scope: Address
  /** Contract whose code every Agent runs. */
  readonly implementation: Address
  readonly minHorizonSec: bigint
  readonly maxHorizonSec: bigint
  /** Accept Token smallest units per share. */
  readonly maxInitialRate: bigint
}

/** Parameters of {@link getFactoryTerms}. */
export type GetFactoryTermsParameters = FactoryReadParameters

/** What a factory gives to every Agent, and the bounds of a birth. */
export async function getFactoryTerms(client: Client, parameters: GetFactoryTermsParameters): Promise<FactoryTerms> {
  const [scope, implementation, minHorizonSec, maxHorizonSec, maxInitialRate] = await Promise.all([
    readFactory(client, parameters, 'SCOPE', []),
    readFactory(client, parameters, 'IMPLEMENTATION', []),
    readFactory(client, parameters, 'MIN_HORIZON_SEC', []),
    readFactory(client, parameters, 'MAX_HORIZON_SEC', []),
    readFactory(client, parameters, 'MAX_INITIAL_RATE', []),
  ])
  return { scope, implementation, minHorizonSec, maxHorizonSec, maxInitialRate }
}
