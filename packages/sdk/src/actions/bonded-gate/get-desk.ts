import { bondedGateAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { GateTarget } from './target.ts'

/** Parameters of {@link getDesk}. */
export type GetDeskParameters = GateTarget &
  AtBlock & {
    deliverer: Address
  }

/** The fulfiller of record of the deliveries that an account makes through a gate, whether or not it has made any. */
export function getDesk(client: Client, parameters: GetDeskParameters): Promise<Address> {
  const { gate, deliverer } = parameters
  const call = { abi: bondedGateAbi, address: gate, functionName: 'deskOf' } as const
  return read(client, parameters, { ...call, args: [deliverer] })
}
