import type { Admission } from '../admission.ts'
import { checkIdentifierLength } from '../admission.ts'
import type { Meter } from '../canonical.ts'
import { parseCanonical, precheck, quotedBytes, refuseAs, requireRerender } from '../canonical.ts'
import { documentSchema } from '../catalog.ts'
import { approvalMismatch } from '../diagnostics.ts'
import type { Identifier } from '../identifier.ts'
import { isIdentifier } from '../identifier.ts'
import type { DocumentRef } from '../references.ts'
import { identifierShape, refShape, sameRef } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { refOf, seal, sealText } from '../sealed.ts'
import { anyText, isObject, oneOf, record, u64 } from '../shape.ts'
import type { ApprovalRequest } from './approval-request.ts'
import type { PaymentPlan } from './plan.ts'
import type { Simulation } from './simulation.ts'
import type { ChainSnapshot } from './snapshot.ts'

/** The approver's word on one request. A refusal is any other decision, and ends the run. Source: notes, section 3. */
export type Approval = {
  readonly schema: 'semaprax.economic-agent-approval.v1'
  readonly approval_id: Identifier
  readonly approver_id: Identifier
  readonly policy: DocumentRef<'policy'>
  readonly intent: DocumentRef<'intent'>
  readonly plan: DocumentRef<'plan'>
  readonly simulation: DocumentRef<'simulation'>
  readonly approval_request: DocumentRef<'approval_request'>
  readonly decision: string
  /** Equals the intent's amount. */
  readonly approved_amount_atomic: bigint
  /** Equals the intent's `max_fee_atomic`. */
  readonly approved_fee_atomic: bigint
  readonly expires_at_ms: bigint
}

/** Canonical form of an approval. */
export const approvalShape = record<Approval>({
  schema: oneOf(documentSchema('approval')),
  approval_id: identifierShape,
  approver_id: identifierShape,
  policy: refShape('policy'),
  intent: refShape('intent'),
  plan: refShape('plan'),
  simulation: refShape('simulation'),
  approval_request: refShape('approval_request'),
  decision: anyText,
  approved_amount_atomic: u64,
  approved_fee_atomic: u64,
  expires_at_ms: u64,
})

/** What an approval is compared with. */
export type ApprovalContext = {
  readonly admission: Admission
  readonly snapshot: Sealed<'snapshot', ChainSnapshot>
  readonly plan: Sealed<'plan', PaymentPlan>
  readonly simulation: Sealed<'simulation', Simulation>
  readonly request: Sealed<'approval_request', ApprovalRequest>
}

const refuse = refuseAs('approval')
const disagree = (detail: string): never => {
  throw approvalMismatch(detail)
}

/** Reads an approval of a request. Throws SPX-G216, SPX-G217, SPX-G210 and SPX-G214 in the order of the notes, section 14. */
export function parseApproval(
  bytes: Uint8Array,
  context: ApprovalContext,
  meter?: Meter,
): Sealed<'approval', Approval> {
  const { limits } = context.admission.policy.document
  precheck('approval', bytes, limits, meter)
  const { object, text } = parseCanonical('approval', bytes)
  const fields = approvalShape.readKeys(object, refuse, 'approval')
  const approvalId = anyText.read(fields.approval_id, refuse, 'approval_id')
  const approverId = anyText.read(fields.approver_id, refuse, 'approver_id')
  const decision = anyText.read(fields.decision, refuse, 'decision')
  const amount = u64.read(fields.approved_amount_atomic, refuse, 'approved_amount_atomic')
  const fee = u64.read(fields.approved_fee_atomic, refuse, 'approved_fee_atomic')
  const expires = u64.read(fields.expires_at_ms, refuse, 'expires_at_ms')
  for (const key of ['policy', 'intent', 'plan', 'simulation', 'approval_request'] as const)
    if (!isObject(fields[key])) refuse(`${key}: expected an object`)
  checkIdentifierLength(approvalId, limits)
  checkIdentifierLength(approverId, limits)
  if (!isIdentifier(approvalId) || !isIdentifier(approverId)) return disagree('an id is not an identifier')
  if (decision !== 'approved') return disagree(`decision: got ${decision}`)
  const { settlement } = context.admission
  if (amount !== settlement.amountAtomic || fee !== settlement.maxFeeAtomic) return disagree('other amounts')
  checkWindow(expires, context)
  const approval = approvalShape.read(object, disagree, 'approval')
  checkReferences(approval, context)
  const refs = [approval.policy, approval.intent, approval.plan, approval.simulation, approval.approval_request]
  meter?.charge(quotedBytes(approvalId, approverId, ...refs.flatMap((ref) => [ref.schema, ref.digest])))
  requireRerender('approval', approvalShape, approval, text)
  return sealText('approval', approval, text, bytes)
}

function checkWindow(expires: bigint, context: ApprovalContext): void {
  const observed = context.snapshot.document.observed_at_ms
  const end = context.simulation.document.expires_at_ms
  if (expires <= observed || expires > end)
    disagree(`expires_at_ms: got ${expires}, expected more than ${observed} and at most ${end}`)
}

function checkReferences(approval: Approval, context: ApprovalContext): void {
  const { admission, plan, simulation, request } = context
  const same =
    sameRef(approval.policy, refOf(admission.policy)) &&
    sameRef(approval.intent, refOf(admission.intent)) &&
    sameRef(approval.plan, refOf(plan)) &&
    sameRef(approval.simulation, refOf(simulation)) &&
    sameRef(approval.approval_request, refOf(request))
  if (!same) disagree('a reference names another document')
}

/** What an approver decides about a request. */
export type ApprovalDecision = {
  readonly approval_id: Identifier
  readonly approver_id: Identifier
  readonly decision: 'approved' | 'rejected'
  readonly expires_at_ms: bigint
}

/** Builds the approval of a request, for approvers. */
export function buildApproval(
  request: Sealed<'approval_request', ApprovalRequest>,
  decision: ApprovalDecision,
): Sealed<'approval', Approval> {
  const { document } = request
  return seal('approval', approvalShape, {
    schema: documentSchema('approval'),
    approval_id: decision.approval_id,
    approver_id: decision.approver_id,
    policy: document.policy,
    intent: document.intent,
    plan: document.plan,
    simulation: document.simulation,
    approval_request: refOf(request),
    decision: decision.decision,
    approved_amount_atomic: document.amount_atomic,
    approved_fee_atomic: document.max_fee_atomic,
    expires_at_ms: decision.expires_at_ms,
  })
}
