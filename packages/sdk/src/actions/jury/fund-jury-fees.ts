import { juryPanelAbi } from '@oikos/core/abi'
import { zeroAddress } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import { getJuryPromise } from './get-jury-promise.ts'
import type { JuryTenderTarget } from './target.ts'

/** Parameters of {@link fundJuryFees}. */
export type FundJuryFeesParameters = JuryTenderTarget &
  WriteParameters & {
    /** Smallest units of the asset of the fee, greater than zero. */
    amountAtomic: bigint
  }

const write = defineWrite({
  abi: juryPanelAbi,
  eventAbi: juryPanelAbi,
  functionName: 'fundFees',
  event: 'FeeFunded',
  contract: ({ jury }: FundJuryFeesParameters) => jury,
  emitter: ({ jury }) => jury,
  args: ({ task, tokenId, amountAtomic }) => [task, tokenId, amountAtomic],
  value: async (client, { jury, task, tokenId, amountAtomic }) => {
    const promised = await getJuryPromise(client, { jury, task, tokenId })
    return promised?.feeAsset === zeroAddress ? amountAtomic : 0n
  },
})

/** Pays into the escrow of the fees of a tender; anyone may. Native currency goes with the call; of a token, the jury must be
 * approved for the amount first (approveAsset). What is not spent goes to who promised. Simulates, then sends. */
export const fundJuryFees = write.send

/** What {@link fundJuryFees} would do, on the latest state; nothing is sent. */
export const simulateFundJuryFees = write.simulate

/** {@link fundJuryFees}, then waits for the event FeeFunded. */
export const fundJuryFeesAndWait = write.sendAndWait
