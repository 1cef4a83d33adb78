import type { TenderAuditReport } from '@oikos/runtime/audit'
import { listSubmissions, type Submission, type TaskTarget } from '@oikos/sdk'
import type { Stage } from '../../market/stage.ts'
import type { MoneyReport } from './money.ts'

/** How a market ended: what became of every delivery, where all the money is, and what the audit says. */
export type MarketOutcome = {
  readonly target: TaskTarget
  readonly deliveries: readonly Submission[]
  readonly money: MoneyReport
  readonly audit: TenderAuditReport
}

/** The deliveries to a tender, oldest first. */
export async function listDeliveries(stage: Stage, target: TaskTarget): Promise<readonly Submission[]> {
  return (await listSubmissions(stage.client.stranger, { ...target, order: 'oldest' })).submissions
}
