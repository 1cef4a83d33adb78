import { juryPanelAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { JuryTenderTarget } from './target.ts'

/** Parameters of {@link getKeptVerdictCount}. */
export type GetKeptVerdictCountParameters = JuryTenderTarget & AtBlock

/** How many acceptances of a tender wait for their execution. */
export function getKeptVerdictCount(client: Client, parameters: GetKeptVerdictCountParameters): Promise<bigint> {
  const { jury, task, tokenId } = parameters
  const call = { abi: juryPanelAbi, address: jury, functionName: 'keptOf' } as const
  return read(client, parameters, { ...call, args: [task, tokenId] })
}
