import { juryPanelAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { JuryTarget } from './target.ts'

/** Parameters of {@link isJuror}. */
export type IsJurorParameters = JuryTarget &
  AtBlock & {
    account: Address
  }

/** Whether an account has a vote in a jury. */
export function isJuror(client: Client, parameters: IsJurorParameters): Promise<boolean> {
  const { jury, account } = parameters
  const call = { abi: juryPanelAbi, address: jury, functionName: 'isJuror' } as const
  return read(client, parameters, { ...call, args: [account] })
}
