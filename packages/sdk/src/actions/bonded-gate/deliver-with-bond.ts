import { bondedGateAbi } from '@oikos/core/abi'
import type { Hex } from 'viem'
import { zeroAddress } from 'viem'
import { defineWrite } from '../define-write.ts'
import type { WriteParameters } from '../target.ts'
import { getGateRule } from './get-gate-rule.ts'
import type { GateTenderTarget } from './target.ts'

/** Parameters of {@link deliverWithBond}. */
export type DeliverWithBondParameters = GateTenderTarget &
  WriteParameters & {
    /** Commitment to the result, 32 bytes, not zero. Where it binds to the fulfiller, that is the desk; see getDesk. */
    resultHash: Hex
    /** Where the result may be found; may be empty. */
    resultURI: string
  }

const write = defineWrite({
  abi: bondedGateAbi,
  eventAbi: bondedGateAbi,
  functionName: 'deliver',
  event: 'Bonded',
  contract: ({ gate }: DeliverWithBondParameters) => gate,
  emitter: ({ gate }) => gate,
  args: ({ tokenId, resultHash, resultURI }) => [tokenId, resultHash, resultURI],
  value: async (client, { gate }) => {
    const { bondAsset, bondAtomic } = await getGateRule(client, { gate })
    return bondAsset === zeroAddress ? bondAtomic : 0n
  },
})

/** Delivers with a bond. The fulfiller of record is the sender's desk, which getDesk tells beforehand. A bond in native
 * currency goes with the call; of a token, the gate must be approved for the bond first (approveAsset). Simulates, then sends. */
export const deliverWithBond = write.send

/** What {@link deliverWithBond} would do, on the latest state; nothing is sent. */
export const simulateDeliverWithBond = write.simulate

/** {@link deliverWithBond}, then waits for the event Bonded. */
export const deliverWithBondAndWait = write.sendAndWait
