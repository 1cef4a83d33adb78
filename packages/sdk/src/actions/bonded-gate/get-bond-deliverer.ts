import { bondedGateAbi } from '@oikos/core/abi'
import { type Address, type Client, zeroAddress } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { GateDeliveryTarget } from './target.ts'

/** Parameters of {@link getBondDeliverer}. */
export type GetBondDelivererParameters = GateDeliveryTarget & AtBlock

/** Who put up the bond that is held for a delivery, or undefined where none is held. */
export async function getBondDeliverer(
  client: Client,
  parameters: GetBondDelivererParameters,
): Promise<Address | undefined> {
  const { gate, tokenId, submissionId } = parameters
  const call = { abi: bondedGateAbi, address: gate, functionName: 'delivererOf' } as const
  const deliverer = await read(client, parameters, { ...call, args: [tokenId, submissionId] })
  return deliverer === zeroAddress ? undefined : deliverer
}
