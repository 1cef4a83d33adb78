import { juryPanelAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { JuryTarget } from './target.ts'

/** The constitution of a jury. It never changes. */
export type Jury = {
  /** In the order of deployment; at most 32. */
  readonly jurors: readonly Address[]
  /** How many have to vouch for a delivery. */
  readonly quorum: bigint
  /** Seconds from the first vote. */
  readonly voteWindowSec: bigint
  /** Shortest judgment window of a tender in which a case can be opened at all. */
  readonly leastJudgmentWindowSec: bigint
}

/** Parameters of {@link getJury}. */
export type GetJuryParameters = JuryTarget & AtBlock

/** Who judges, how many have to agree, and how long they have. */
export async function getJury(client: Client, parameters: GetJuryParameters): Promise<Jury> {
  const view = { abi: juryPanelAbi, address: parameters.jury, args: [] } as const
  const [jurors, quorum, voteWindowSec, leastJudgmentWindowSec] = await Promise.all([
    read(client, parameters, { ...view, functionName: 'jurors' }),
    read(client, parameters, { ...view, functionName: 'quorum' }),
    read(client, parameters, { ...view, functionName: 'voteWindow' }),
    read(client, parameters, { ...view, functionName: 'leastJudgmentWindow' }),
  ])
  return { jurors, quorum, voteWindowSec, leastJudgmentWindowSec }
}
