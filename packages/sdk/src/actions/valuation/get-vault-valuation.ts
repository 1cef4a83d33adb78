import type { Address, Client } from 'viem'
import type { ValuationReadParameters } from './read-valuation.ts'
import { readVaultValuation } from './read-vault-valuation.ts'

/** A valuation of a position in an ERC-4626 vault. */
export type VaultValuation = {
  readonly asset: Address
  readonly vault: Address
  /** Vault shares whose price is followed: one whole share. */
  readonly unitAtomic: bigint
  /** Most that the price may move, in basis points a day. */
  readonly corridorBpsPerDay: number
  /** Price of the unit at the checkpoint, in smallest units of the asset, and when that was. */
  readonly checkpointAtomic: bigint
  readonly checkedAtSec: number
}

/** Parameters of {@link getVaultValuation}. */
export type GetVaultValuationParameters = ValuationReadParameters

/** The terms of an ERC-4626 valuation and the price that it was last checked at. */
export async function getVaultValuation(
  client: Client,
  parameters: GetVaultValuationParameters,
): Promise<VaultValuation> {
  const [asset, vault, unitAtomic, corridorBpsPerDay, checkpointAtomic, checkedAtSec] = await Promise.all([
    readVaultValuation(client, parameters, 'asset', []),
    readVaultValuation(client, parameters, 'VAULT', []),
    readVaultValuation(client, parameters, 'UNIT', []),
    readVaultValuation(client, parameters, 'BPS_PER_DAY', []),
    readVaultValuation(client, parameters, 'price', []),
    readVaultValuation(client, parameters, 'checkedAt', []),
  ])
  return { asset, vault, unitAtomic, corridorBpsPerDay, checkpointAtomic, checkedAtSec }
}
