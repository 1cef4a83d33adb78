import { type Identifier, utf8 } from '@oikos/core/economic'
import type { PaymentApprover } from '../economic/host.ts'
import type { ApprovalHistory, ApprovalLog, LoggedApproval, Verdict } from './approval-log.ts'
import { ApprovalError, type ApprovalFailureListener } from './errors.ts'
import { type RequestContext, type RequestView, readRequest } from './request-view.ts'

/**
 * Somebody, or something, that decides about requests. `judge` is asked inside the step that records the decision; a
 * decider that is not responsible for a request gives undefined. Throws {@link ApprovalError} when it cannot decide.
 */
export type Decider = {
  readonly consider: (view: RequestView) => Promise<((history: ApprovalHistory) => Verdict) | undefined>
}

/** What an approver is made of. */
export type ApproverOptions = {
  /** Asked in their order; the first that has an opinion decides. */
  readonly deciders: readonly Decider[]
  readonly log: ApprovalLog
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
  /** How long an approval is valid at most, milliseconds; never longer than the request. Default 120,000. */
  readonly validityMs?: number
  /** What else is known of a request. What it throws counts as nothing known. */
  readonly contextOf?: (requestText: string) => Promise<RequestContext>
  readonly onFailure?: ApprovalFailureListener
}

const DEFAULT_VALIDITY_MS = 120_000

/**
 * The approver of the engine. A decision is recorded, synced to disk, before it is given; a request that was decided before
 * gets the same Approval again. A refusal is an Approval, too, with another decision: the engine records who refused.
 */
export function createApprover(options: ApproverOptions): PaymentApprover {
  return {
    approve: async (requestText, sink) => {
      try {
        sink.push(utf8((await decide(requestText, options)).document))
        return 'succeeded'
      } catch (cause) {
        if (!(cause instanceof ApprovalError)) throw cause
        options.onFailure?.(cause)
        return cause.disposition
      }
    },
  }
}

async function decide(requestText: string, options: ApproverOptions): Promise<LoggedApproval> {
  const { deciders, log, clockMs, validityMs = DEFAULT_VALIDITY_MS } = options
  const view = readRequest(requestText, await contextOf(requestText, options))
  const { request } = view
  const endMs = request.document.expires_at_ms
  const known = log.findByRequest(request.digest)
  if (known !== undefined) return known
  assertOpen(endMs, clockMs())
  const judge = await firstOpinion(deciders, view)
  const nowMs = clockMs()
  // People take their time: what they approved too late is not approved.
  assertOpen(endMs, nowMs)
  const latest = BigInt(nowMs + validityMs)
  return log.decide(request, { nowMs, expiresAtMs: latest < endMs ? latest : endMs }, judge)
}

async function contextOf(requestText: string, { contextOf: ask }: ApproverOptions): Promise<RequestContext> {
  try {
    return (await ask?.(requestText)) ?? {}
  } catch {
    return {}
  }
}

function assertOpen(endMs: bigint, nowMs: number): void {
  if (BigInt(nowMs) >= endMs)
    throw new ApprovalError('request_expired', `the request ended at ${endMs}, it is ${nowMs}`)
}

async function firstOpinion(
  deciders: readonly Decider[],
  view: RequestView,
): Promise<(history: ApprovalHistory) => Verdict> {
  for (const decider of deciders) {
    const judge = await decider.consider(view)
    if (judge !== undefined) return judge
  }
  throw new ApprovalError('nobody_decided', 'no approver is responsible for this request')
}

/** A decision that needs no history. */
export function decided(
  decision: Verdict['decision'],
  approverId: Identifier,
  reason: string,
): (history: ApprovalHistory) => Verdict {
  return () => ({ decision, approverId, reason })
}
