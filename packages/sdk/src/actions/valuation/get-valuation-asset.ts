import type { Address, Client } from 'viem'
import { readValuation, type ValuationReadParameters } from './read-valuation.ts'

/** Parameters of {@link getValuationAsset}. */
export type GetValuationAssetParameters = ValuationReadParameters

/** Token in whose smallest units a valuation answers. */
export function getValuationAsset(client: Client, parameters: GetValuationAssetParameters): Promise<Address> {
  return readValuation(client, parameters, 'asset', [])
}
