import { type Address, type Client, type Hash, zeroHash } from 'viem'
import { readAttestedValuation } from './read-attested-valuation.ts'
import type { ValuationReadParameters } from './read-valuation.ts'

/** A value that two parties attest. */
export type AttestedValuation = {
  readonly asset: Address
  /** The one Agent that it values. */
  readonly agent: Address
  readonly proposer: Address
  readonly accepter: Address
  /** Most that the value may move, in basis points a day. */
  readonly corridorBpsPerDay: number
  /** The corridor is measured from at least this value, in smallest units. */
  readonly floorAtomic: bigint
  /** Age from which on no settlement may rely on the value. */
  readonly maxAgeSec: number
  readonly valueAtomic: bigint
  readonly attestedAtSec: number
  /** What waits for the accepter. */
  readonly proposal: { readonly valueAtomic: bigint; readonly evidenceHash: Hash } | undefined
}

/** Parameters of {@link getAttestedValuation}. */
export type GetAttestedValuationParameters = ValuationReadParameters

/** The terms of an attested valuation, its value and what is proposed. */
export async function getAttestedValuation(
  client: Client,
  parameters: GetAttestedValuationParameters,
): Promise<AttestedValuation> {
  const [asset, agent, proposer, accepter, corridorBpsPerDay, floorAtomic, maxAgeSec, ...state] = await Promise.all([
    readAttestedValuation(client, parameters, 'asset', []),
    readAttestedValuation(client, parameters, 'AGENT', []),
    readAttestedValuation(client, parameters, 'PROPOSER', []),
    readAttestedValuation(client, parameters, 'ACCEPTER', []),
    readAttestedValuation(client, parameters, 'BPS_PER_DAY', []),
    readAttestedValuation(client, parameters, 'FLOOR', []),
    readAttestedValuation(client, parameters, 'MAX_AGE_SEC', []),
    readAttestedValuation(client, parameters, 'value', []),
    readAttestedValuation(client, parameters, 'attestedAt', []),
    readAttestedValuation(client, parameters, 'proposedValue', []),
    readAttestedValuation(client, parameters, 'proposedEvidence', []),
  ])
  const [valueAtomic, attestedAtSec, proposedAtomic, evidenceHash] = state
  const proposal = evidenceHash === zeroHash ? undefined : { valueAtomic: proposedAtomic, evidenceHash }
  return {
    ...{ asset, agent, proposer, accepter, corridorBpsPerDay, floorAtomic, maxAgeSec },
    ...{ valueAtomic, attestedAtSec, proposal },
  }
}
