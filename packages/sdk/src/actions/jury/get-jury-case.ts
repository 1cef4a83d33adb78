import { juryPanelAbi } from '@oikos/core/abi'
import type { Client } from 'viem'
import { read } from '../read.ts'
import type { AtBlock } from '../target.ts'
import type { JuryCaseTarget } from './target.ts'

/** What a jury has decided about a delivery; twin of Verdict in JuryPanel.sol. */
export type JuryVerdict = 'none' | 'accept' | 'refuse'

/** The votes on one delivery. */
export type JuryCase = {
  /** Unix seconds of the first vote. */
  readonly openedAtSec: number
  /** Last second in which jurors vote. */
  readonly deadlineSec: bigint
  readonly verdict: JuryVerdict
  /** Accepted, and waiting for a time when the task contract takes it. */
  readonly isKept: boolean
  /** The verdict has had its effect. */
  readonly isClosed: boolean
  /** One bit a juror, in the order of {@link Jury.jurors}: 1 is the first. */
  readonly ayes: number
  readonly noes: number
}

const VERDICTS: readonly JuryVerdict[] = ['none', 'accept', 'refuse']

/** Parameters of {@link getJuryCase}. */
export type GetJuryCaseParameters = JuryCaseTarget & AtBlock

/** How the votes on a delivery stand, or undefined while no vote was cast. */
export async function getJuryCase(client: Client, parameters: GetJuryCaseParameters): Promise<JuryCase | undefined> {
  const { jury, task, tokenId, submissionId } = parameters
  const call = { abi: juryPanelAbi, address: jury, functionName: 'caseOf' } as const
  const [found, deadlineSec] = await read(client, parameters, { ...call, args: [task, tokenId, submissionId] })
  const { openedAt, ayes, noes, kept, closed } = found
  if (openedAt === 0) return undefined
  const verdict = VERDICTS[found.verdict] ?? 'none'
  return { openedAtSec: openedAt, deadlineSec, verdict, isKept: kept, isClosed: closed, ayes, noes }
}
