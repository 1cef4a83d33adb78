import type { JudgedCitation } from '@oikos/sdk'
import type { Address } from 'viem'
import type { Stage } from '../market/stage.ts'
import { tellRate } from './act.ts'
import { playAudit } from './audit.ts'
import { agentName, playBirth } from './birth.ts'
import { type Left, playLeaving, playRaising, type Raised } from './capital.ts'
import { type Invested, playInvesting } from './invest.ts'

export { agentName }

/** How the life of the Agent went, in smallest units. */
export type TreasuryOutcome = {
  agent: Address
  raised: Raised
  /** Rate when the work was done and paid. */
  rateAfterWork: bigint
  invested: Invested
  left: Left
  records: readonly JudgedCitation[]
}

/**
 * The life of an Agent: three holders buy in, it works for tenders and is paid, saves what is idle, cannot be made to do
 * more, lets a holder out, and is audited.
 * @param work what the Agent does between the two
 */
export async function playTreasury(
  stage: Stage,
  onBirth: (agent: Address) => Promise<void>,
  work: (agent: Address) => Promise<void>,
): Promise<TreasuryOutcome> {
  const { say } = stage
  say.chapter('An Agent is born, and three holders buy in')
  const agent = await playBirth(stage)
  await onBirth(agent)
  const raised = await playRaising(stage, agent)
  await work(agent)

  say.chapter('What the Agent earned: the rate, a boundary that holds, and a way out')
  say.step('Its holders', 'look at what their shares are worth, now that two tenders have paid the Agent.')
  const rateAfterWork = await tellRate(stage, agent)
  const invested = await playInvesting(stage, agent)
  const left = await playLeaving(stage, agent, 'cleo')
  const records = await playAudit(stage, agent)
  return { agent, raised, rateAfterWork, invested, left, records }
}
