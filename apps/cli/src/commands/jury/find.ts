import type { Jury, JuryTenderTarget } from '@oikos/sdk'
import type { Address } from 'viem'
import { judgmentText, readJudgment } from '../../chain/authority.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'

/** A tender with the jury that judges it. */
export type JuryView = TaskView & {
  readonly jury: Jury
  readonly address: Address
  /** The tender as the jury knows it: at the task contract, or at the bonded gate in front of it. */
  readonly at: JuryTenderTarget
}

/** Finds the jury of a task: in its judgment slot, or behind a bonded gate. Throws UsageError where nobody like it judges. */
export async function openJury(context: Context, text: string): Promise<JuryView> {
  const view = await openTask(context, text)
  const { connection, target, tender } = view
  const deployment = await connection.knownDeployment()
  const judgment = await readJudgment(connection, target, tender.acceptanceAuthority, deployment)
  const ruling = judgment.kind === 'gate' ? judgment.judge : judgment
  if (ruling?.kind !== 'jury') {
    throw new UsageError(
      `Task ${target.tokenId} is decided by the ${judgmentText(judgment)} ${judgment.address}, not by a jury.`,
      'Check the number of the task.',
    )
  }
  const { address, jury } = ruling
  const task = judgment.kind === 'gate' ? judgment.address : target.task
  return { ...view, jury, address, at: { jury: address, task, tokenId: target.tokenId } }
}
