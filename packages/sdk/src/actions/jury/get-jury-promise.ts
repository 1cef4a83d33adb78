import { juryPanelAbi } from '@oikos/core/abi'
import { type Address, type Client, zeroAddress } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { JuryTenderTarget } from './target.ts'

/** What jurors are paid for accepting deliveries of one tender. */
export type JuryPromise = {
  /** Who made the promise, and gets what is not spent. */
  readonly sponsor: Address
  /** Token contract; the zero address is the native currency. */
  readonly feeAsset: Address
  /** Smallest units for each accepted delivery. */
  readonly feeAtomic: bigint
  /** What is there to pay it from; a short escrow pays what it has. */
  readonly escrowAtomic: bigint
}

/** Parameters of {@link getJuryPromise}. */
export type GetJuryPromiseParameters = JuryTenderTarget & AtBlock

/** What the jurors of a tender are promised, or undefined while there is no promise. */
export async function getJuryPromise(
  client: Client,
  parameters: GetJuryPromiseParameters,
): Promise<JuryPromise | undefined> {
  const { jury, task, tokenId } = parameters
  const call = { abi: juryPanelAbi, address: jury, functionName: 'promiseOf' } as const
  const [sponsor, feeAsset, feeAtomic, escrowAtomic] = await read(client, parameters, {
    ...call,
    args: [task, tokenId],
  })
  return sponsor === zeroAddress ? undefined : { sponsor, feeAsset, feeAtomic, escrowAtomic }
}
