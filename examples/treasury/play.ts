import type { TaskTarget } from '@oikos/sdk'
import type { Address } from 'viem'
import type { HiredOperator } from '../market/operators.ts'
import { hireOperator } from '../market/operators.ts'
import type { Stage } from '../market/stage.ts'
import { type Audits, playAudits } from './audit.ts'
import { characters, playBirth } from './birth.ts'
import { type Left, playLeaving, playRaising, type Raised, type Staff } from './capital.ts'
import { type Invested, playInvesting } from './invest.ts'
import { tellRate } from './rate.ts'
import { labelRules, reportRules } from './rules.ts'

/** How the lives of the Agents went, in smallest units. */
export type TreasuryOutcome = {
  agents: Readonly<Record<keyof Staff, Address>>
  raised: Raised
  /** Rates when the work was done and paid. */
  ratesAfterWork: Readonly<Record<keyof Staff, bigint>>
  invested: Invested
  left: Left
  audits: Audits
}

/**
 * The lives of two Agents, each run by an operator: three holders buy in, the Agents work for tenders and are paid, one saves what
 * is idle, neither can be made to do more, a holder leaves, and all of it is audited.
 * @param work what the Agents do between the two; gives the tenders that they worked for
 */
export async function playTreasury(
  stage: Stage,
  onBirth: (key: string, agent: Address) => Promise<void>,
  work: (staff: Staff) => Promise<readonly TaskTarget[]>,
): Promise<TreasuryOutcome> {
  const { say } = stage
  say.chapter('Two Agents are born, and three holders buy in')
  const staff = { atlas: await hire(stage, 'atlas', onBirth), mira: await hire(stage, 'mira', onBirth) }
  try {
    const raised = await playRaising(stage, staff)
    const tenders = await work(staff)

    say.chapter('What the Agents earned: the rates, a boundary that holds, and a way out')
    say.step('The holders', 'look at what their shares are worth, now that the tenders have paid the Agents.')
    const ratesAfterWork = {
      atlas: await tellRate(stage, staff.atlas.agent),
      mira: await tellRate(stage, staff.mira.agent),
    }
    const invested = await playInvesting(stage, staff.atlas)
    const left = await playLeaving(stage, staff.atlas, 'cleo')
    const audits = await playAudits(stage, { operators: [staff.atlas, staff.mira], tenders })
    const agents = { atlas: staff.atlas.agent, mira: staff.mira.agent }
    return { agents, raised, ratesAfterWork, invested, left, audits }
  } finally {
    await staff.atlas.close()
    await staff.mira.close()
  }
}

async function hire(
  stage: Stage,
  key: keyof Staff,
  onBirth: (key: string, agent: Address) => Promise<void>,
): Promise<HiredOperator> {
  const character = characters[key]
  const agent = await playBirth(stage, character)
  await onBirth(key, agent)
  const { name, executor } = character
  return hireOperator(stage, { name, agent, executor, rules: key === 'atlas' ? reportRules : labelRules })
}
