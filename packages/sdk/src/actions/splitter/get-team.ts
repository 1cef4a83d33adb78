import { splitterAbi } from '@oikos/core/abi'
import type { Address, Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { SplitterTarget } from './target.ts'

/** A member of a team. */
export type TeamMember = {
  readonly account: Address
  /** Share of everything that the team is paid, in basis points. */
  readonly bps: number
}

/** Parameters of {@link getTeam}. */
export type GetTeamParameters = SplitterTarget & AtBlock

/** The members of a team in the order of deployment; at most 32, with 10,000 basis points in all. */
export function getTeam(client: Client, parameters: GetTeamParameters): Promise<readonly TeamMember[]> {
  const call = { abi: splitterAbi, address: parameters.splitter, functionName: 'members' } as const
  return read(client, parameters, { ...call, args: [] })
}
