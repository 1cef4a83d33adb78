export {
  type Answer,
  answerBytes,
  type KnownApprover,
  type Question,
  readSignedAnswer,
  type SignedAnswer,
} from './answer.ts'
export {
  type ApprovalHistory,
  type ApprovalLog,
  type ApprovedTotals,
  approvedIn,
  type LoggedApproval,
  MAX_LISTED,
  openApprovalLog,
  type Verdict,
} from './approval-log.ts'
export { type ApproverOptions, createApprover, type Decider } from './approver.ts'
export {
  type ApproverKey,
  type ApproverKeyOptions,
  approverKeyOf,
  createApproverKey,
  openApproverKey,
} from './approver-key.ts'
export { type ApprovalDesk, type ApprovalDeskOptions, createApprovalDesk, type WaitingRequest } from './desk.ts'
export { type DeskServer, type DeskServerOptions, startDeskServer } from './desk-server.ts'
export { type ApprovalEffect, ApprovalError, type ApprovalErrorCode, type ApprovalFailureListener } from './errors.ts'
export type { QuietHours } from './quiet-hours.ts'
export { payerContext } from './request-context.ts'
export {
  amountText,
  describeRequest,
  type RequestContext,
  type RequestView,
  readRequest,
  type ViewLine,
} from './request-view.ts'
export { type ApprovalRule, createRuleDecider, type RuleLimits } from './rule.ts'
export { type ApproverTerminal, createTerminalDecider, type TerminalDeciderOptions } from './terminal.ts'
export { createWebhookDecider, type WebhookDeciderOptions } from './webhook.ts'
