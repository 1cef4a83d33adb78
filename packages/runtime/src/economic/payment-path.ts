import {
  type Approval,
  type ApprovalContext,
  type BroadcastReceipt,
  type BuiltTransaction,
  boundaryFailure,
  buildApprovalRequest,
  buildPlan,
  buildUnsigned,
  type ChainSnapshot,
  intentRejected,
  type PaymentPlan,
  parseApproval,
  parseInvoice,
  parseReceipt,
  parseSimulation,
  parseSnapshot,
  provisionalReceipt,
  provisionalReceiptCost,
  readSigned,
  type Sealed,
  type SignedTransaction,
  type Simulation,
  U64_MAX,
  unsignedRefOf,
  type X402Invoice,
} from '@oikos/core/economic'
import { laterOf } from './boundary.ts'
import { advance } from './journal-write.ts'
import { callAdapter, railOf, requireCall, type Session } from './session.ts'

/** A payment that is planned and rehearsed. */
type Rehearsed = {
  readonly snapshot: Sealed<'snapshot', ChainSnapshot>
  readonly plan: Sealed<'plan', PaymentPlan>
  readonly built: BuiltTransaction
  readonly simulation: Sealed<'simulation', Simulation>
}

/**
 * From a reservation to an actual receipt: invoice, snapshot, plan, simulation, approval, one signature, one broadcast,
 * each made durable before the next. Throws the error that ends the run. Source: notes, section 10.
 */
export async function pay(session: Session): Promise<Sealed<'broadcast', BroadcastReceipt>> {
  const invoice = await fetchInvoice(session)
  const rehearsed = await rehearse(session, invoice)
  const approval = await obtainApproval(session, rehearsed)
  const signed = await sign(session, rehearsed, approval)
  return broadcast(session, rehearsed, approval, signed)
}

async function fetchInvoice(session: Session): Promise<Sealed<'invoice', X402Invoice> | null> {
  const { admission, limits, events, budget, host } = session
  const { x402 } = admission
  if (x402 === null) return null
  requireCall(session, limits.max_invoice_bytes)
  const step = { kind: 'invoice_loaded', input: admission.intent.digest } as const
  const limit = { field: 'invoice_bytes', maxBytes: limits.max_invoice_bytes }
  const answer = await callAdapter(session, limit, (sink) =>
    host.invoice.fetchInvoice(x402.origin, x402.method, x402.resource, sink),
  )
  if (answer.disposition !== 'succeeded') {
    events.record({ ...step, status: 'failed' })
    throw boundaryFailure('SPX-I223')
  }
  const invoice = parseInvoice(answer.takeBytes(), admission, budget)
  session.held.invoice = invoice
  events.record({ ...step, output: invoice.digest, status: 'loaded', outputBytes: invoice.bytes.length })
  return invoice
}

async function rehearse(session: Session, invoice: Sealed<'invoice', X402Invoice> | null): Promise<Rehearsed> {
  const { admission, events, budget, held } = session
  const snapshot = await observeChain(session)
  const built = buildUnsigned(admission, snapshot.document)
  budget.charge(BigInt(built.bytes.length))
  const plan = buildPlan({ admission, invoice, snapshot, unsigned: unsignedRefOf(built) })
  held.plan = plan
  held.built = built
  events.record({ kind: 'plan_built', input: snapshot.digest, output: plan.digest, status: 'built' })
  const simulation = await simulate(session, { snapshot, plan, built })
  await advance(session, {
    kind: 'prepare',
    plan,
    simulation,
    unsigned: built,
    observedAtMs: snapshot.document.observed_at_ms,
  })
  return { snapshot, plan, built, simulation }
}

async function observeChain(session: Session): Promise<Sealed<'snapshot', ChainSnapshot>> {
  const { admission, limits, events, budget } = session
  // The plan's event follows without another call.
  requireCall(session, limits.max_snapshot_bytes, 2)
  const step = { kind: 'snapshot_loaded', input: admission.intent.digest } as const
  const limit = { field: 'snapshot_bytes', maxBytes: limits.max_snapshot_bytes }
  const answer = await callAdapter(session, limit, (sink) => railOf(session).snapshot(admission.intent.text, sink))
  if (answer.disposition !== 'succeeded') {
    events.record({ ...step, status: 'failed' })
    throw boundaryFailure('SPX-I223')
  }
  const snapshot = parseSnapshot(answer.takeBytes(), admission, budget)
  session.held.snapshot = snapshot
  events.record({ ...step, output: snapshot.digest, status: 'loaded', outputBytes: snapshot.bytes.length })
  return snapshot
}

async function simulate(
  session: Session,
  planned: Omit<Rehearsed, 'simulation'>,
): Promise<Sealed<'simulation', Simulation>> {
  const { admission, limits, events, budget } = session
  const { plan, built } = planned
  requireCall(session, limits.max_simulation_bytes)
  const step = { kind: 'simulation_finished', input: plan.digest } as const
  const limit = { field: 'simulation_bytes', maxBytes: limits.max_simulation_bytes }
  const answer = await callAdapter(session, limit, (sink) =>
    railOf(session).simulate(plan.text, new Uint8Array(built.bytes), sink),
  )
  if (answer.disposition !== 'succeeded') {
    events.record({ ...step, status: 'failed' })
    throw boundaryFailure('SPX-I223')
  }
  const simulation = parseSimulation(answer.takeBytes(), { admission, ...planned }, budget)
  session.held.simulation = simulation
  events.record({ ...step, output: simulation.digest, status: 'succeeded', outputBytes: simulation.bytes.length })
  return simulation
}

async function obtainApproval(session: Session, rehearsed: Rehearsed): Promise<Sealed<'approval', Approval>> {
  const { admission, limits, events, budget, host, held } = session
  const { snapshot, plan, simulation } = rehearsed
  const request = buildApprovalRequest(admission, plan, simulation)
  held.request = request
  requireCall(session, limits.max_approval_bytes)
  const step = { kind: 'approval_finished', input: request.digest } as const
  const limit = { field: 'approval_bytes', maxBytes: limits.max_approval_bytes }
  const answer = await callAdapter(session, limit, (sink) => host.approver.approve(request.text, sink))
  if (answer.disposition !== 'succeeded') {
    events.record({ ...step, status: 'failed' })
    throw boundaryFailure('SPX-I224')
  }
  const context: ApprovalContext = { admission, snapshot, plan, simulation, request }
  const approval = parseApproval(answer.takeBytes(), context, budget)
  held.approval = approval
  events.record({ ...step, output: approval.digest, status: 'approved', outputBytes: approval.bytes.length })
  await advance(session, { kind: 'approve', approval })
  return approval
}

/** Signs once. After its marker the payment is never tried again, whatever comes. */
async function sign(
  session: Session,
  { snapshot, plan, built, simulation }: Rehearsed,
  approval: Sealed<'approval', Approval>,
): Promise<SignedTransaction> {
  const { admission, limits, events, host, held } = session
  const maxBytes = limits.max_signed_transaction_bytes
  requireCall(session, maxBytes)
  const ends = [plan.document.expires_at_ms, simulation.document.expires_at_ms, approval.document.expires_at_ms]
  requireFresh(session, snapshot, ends)
  await advance(session, { kind: 'begin_sign' })
  requireCall(session, maxBytes)
  const step = { kind: 'transaction_signed', input: built.digest } as const
  const request = {
    walletId: admission.intent.document.wallet_id,
    rail: built.rail,
    unsignedTransactionDigest: built.digest,
    unsignedTransaction: new Uint8Array(built.bytes),
    approvalDigest: approval.digest,
  }
  const limit = { field: 'signed_transaction_bytes', maxBytes }
  const answer = await callAdapter(session, limit, (sink) => host.custody.sign(request, sink))
  try {
    if (answer.disposition !== 'succeeded') throw boundaryFailure('SPX-I225')
    held.signed = readSigned(answer.takeBytes(), built, limits)
  } catch (cause) {
    events.record({ ...step, status: 'failed' })
    throw cause
  }
  const { signed } = held
  events.record({ ...step, output: signed.digest, status: 'signed', outputBytes: signed.bytes.length })
  await advance(session, { kind: 'sign', signed })
  return signed
}

/** Broadcasts once, under a transaction id that is durable before. */
async function broadcast(
  session: Session,
  { snapshot, plan }: Rehearsed,
  approval: Sealed<'approval', Approval>,
  signed: SignedTransaction,
): Promise<Sealed<'broadcast', BroadcastReceipt>> {
  const { limits, events, budget, held } = session
  requireFresh(session, snapshot, [plan.document.expires_at_ms, approval.document.expires_at_ms])
  const identity = { rail: signed.rail, signedDigest: signed.digest, transactionId: signed.transactionId }
  const provisional = provisionalReceipt(identity)
  budget.charge(provisionalReceiptCost(provisional.document))
  const maxBytes = limits.max_broadcast_receipt_bytes
  requireCall(session, maxBytes)
  held.receipt = provisional
  await advance(session, { kind: 'begin_broadcast', receipt: provisional })
  requireCall(session, maxBytes)
  const step = { kind: 'broadcast_finished', input: signed.digest } as const
  const limit = { field: 'broadcast_receipt_bytes', maxBytes }
  const answer = await callAdapter(session, limit, (sink) =>
    railOf(session).broadcast(new Uint8Array(signed.bytes), sink),
  )
  if (answer.disposition !== 'succeeded') {
    events.record({ ...step, output: provisional.digest, status: 'unknown' })
    throw boundaryFailure('SPX-I226')
  }
  held.receipt = null
  const receipt = parseReceipt(answer.takeBytes(), identity, limits, budget)
  held.receipt = receipt
  const { disposition } = receipt.document
  events.record({ ...step, output: receipt.digest, status: disposition, outputBytes: receipt.bytes.length })
  await advance(session, { kind: 'broadcast', receipt })
  if (disposition === 'unknown') throw boundaryFailure('SPX-I226')
  if (disposition === 'rejected') throw boundaryFailure('SPX-I223')
  return receipt
}

/** Throws SPX-G212 `expired` at or after the earliest of the ends. No wall clock: the snapshot's time plus what has passed. */
function requireFresh(
  session: Session,
  snapshot: Sealed<'snapshot', ChainSnapshot>,
  endsAtMs: readonly bigint[],
): void {
  const createdAtMs = session.admission.intent.document.created_at_ms
  const observedAtMs = snapshot.document.observed_at_ms
  const nowMs = laterOf(createdAtMs, observedAtMs) + session.boundary.elapsedMs()
  if (nowMs > U64_MAX || endsAtMs.some((endMs) => nowMs >= endMs)) throw intentRejected('expired', `it is ${nowMs}`)
}
