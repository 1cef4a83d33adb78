import { isIdentifier, isRail, type Rail, U64_MAX } from '@oikos/core/economic'
import type { ApprovalHistory, Verdict } from './approval-log.ts'
import { type Decider, decided } from './approver.ts'
import { ApprovalError } from './errors.ts'
import { type QuietHours, quietHoursTest } from './quiet-hours.ts'
import { amountText, type RequestView } from './request-view.ts'

/** What may be approved without a person, for one wallet on one rail. Amounts in the smallest unit of the asset. */
export type RuleLimits = {
  readonly walletId: string
  readonly rail: Rail
  /** The only recipients; the policy's when absent. */
  readonly recipients?: readonly string[]
  /** The only x402 origins; absent: every one of the policy. An empty list approves plain payments only. */
  readonly origins?: readonly string[]
  readonly maxAmountAtomic: bigint
  readonly maxFeeAtomic: bigint
  /** The length of the window in which payments are counted, milliseconds. */
  readonly windowMs: number
  /** What may be approved within a window, this payment included. */
  readonly maxWindowAtomic: bigint
  /** How many payments may be approved within a window, this one included. */
  readonly maxWindowPayments: number
}

/** A rule for unattended use. */
export type ApprovalRule = {
  /** Who approves: recorded in every Approval. */
  readonly approverId: string
  readonly limits: readonly RuleLimits[]
  readonly quietHours?: readonly QuietHours[]
  /**
   * What happens to a request outside the rule: `reject` refuses it, `pass` leaves it to the next approver, such as a
   * person. Default `reject`.
   */
  readonly otherwise?: 'reject' | 'pass'
}

/**
 * An approver by rule. It approves what is within every limit, outside quiet hours. The window is counted over the log of
 * approvals in the step that records the decision, so that requests which come at once cannot exceed it together. Throws
 * {@link ApprovalError} `setting_malformed` for a rule that cannot be meant.
 */
export function createRuleDecider(rule: ApprovalRule, clockMs: () => number): Decider {
  const { approverId, limits, quietHours = [], otherwise = 'reject' } = rule
  if (!isIdentifier(approverId)) throw new ApprovalError('setting_malformed', `${approverId} is no identifier`)
  for (const row of limits) assertLimits(row)
  const quiet = quietHours.map(quietHoursTest)
  const refusal = (reason: string) => (otherwise === 'pass' ? undefined : decided('rejected', approverId, reason))
  return {
    consider: async (view) => {
      const nowMs = clockMs()
      const row = limits.find(({ walletId, rail }) => isFor(view, walletId, rail))
      if (row === undefined) return refusal('the rule has nothing for this wallet and rail')
      if (quiet.some((isQuiet) => isQuiet(nowMs))) return refusal('these are quiet hours')
      const fault = faultOf(view, row)
      if (fault !== undefined) return refusal(fault)
      return (history) => judgeWindow(view, row, approverId, history, nowMs)
    },
  }
}

function assertLimits(row: RuleLimits): void {
  const isAmount = (amount: bigint) => amount >= 0n && amount <= U64_MAX
  const legal =
    isIdentifier(row.walletId) &&
    isRail(row.rail) &&
    isAmount(row.maxAmountAtomic) &&
    isAmount(row.maxFeeAtomic) &&
    isAmount(row.maxWindowAtomic) &&
    Number.isSafeInteger(row.windowMs) &&
    row.windowMs > 0 &&
    Number.isSafeInteger(row.maxWindowPayments) &&
    row.maxWindowPayments >= 0
  if (!legal)
    throw new ApprovalError('setting_malformed', `the limits of ${row.walletId} on ${row.rail} cannot be meant`)
}

function isFor({ request }: RequestView, walletId: string, rail: Rail): boolean {
  return request.document.wallet_id === walletId && request.document.rail === rail
}

/** The first limit that a request exceeds by itself. */
function faultOf({ request }: RequestView, row: RuleLimits): string | undefined {
  const { amount_atomic: amount, max_fee_atomic: fee, recipient, origin } = request.document
  if (amount > row.maxAmountAtomic) return `it pays more than ${amountText(row.rail, row.maxAmountAtomic)}`
  if (fee > row.maxFeeAtomic) return `its fee may exceed ${amountText(row.rail, row.maxFeeAtomic)}`
  if (row.recipients !== undefined && !row.recipients.includes(recipient)) return 'the recipient is not in the rule'
  if (origin !== null && row.origins !== undefined && !row.origins.includes(origin))
    return 'the origin is not in the rule'
  return undefined
}

/** A limit of the window refuses, whatever the rule leaves to others: it was seen in the step that records the decision. */
function judgeWindow(
  { request }: RequestView,
  row: RuleLimits,
  approverId: string,
  history: ApprovalHistory,
  nowMs: number,
): Verdict {
  if (!isIdentifier(approverId)) throw new ApprovalError('setting_malformed', `${approverId} is no identifier`)
  const { payments, amountAtomic } = history.approvedSince(row, nowMs - row.windowMs + 1)
  const refuse = (reason: string): Verdict => ({ decision: 'rejected', approverId, reason })
  if (payments + 1n > BigInt(row.maxWindowPayments)) return refuse(`${payments} payments were approved in the window`)
  if (amountAtomic + request.document.amount_atomic > row.maxWindowAtomic)
    return refuse(`${amountText(row.rail, amountAtomic)} were approved in the window`)
  return { decision: 'approved', approverId, reason: 'within the limits of the rule' }
}
