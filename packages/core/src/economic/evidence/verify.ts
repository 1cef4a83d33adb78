import type { Admission } from '../admission.ts'
import { admitIntent } from '../admission.ts'
import { parseCanonical, refuseAs } from '../canonical.ts'
import type { DocumentKind } from '../catalog.ts'
import type { DiagnosticCode } from '../diagnostics.ts'
import { EconomicError, replayMismatch } from '../diagnostics.ts'
import { runIdOf } from '../digest.ts'
import type { Approval } from '../documents/approval.ts'
import { parseApproval } from '../documents/approval.ts'
import type { ApprovalRequest } from '../documents/approval-request.ts'
import { buildApprovalRequest } from '../documents/approval-request.ts'
import type { Evidence } from '../documents/evidence.ts'
import { readEvidence } from '../documents/evidence.ts'
import { parseIntent } from '../documents/intent.ts'
import { parseInvoice } from '../documents/invoice.ts'
import { readJournal } from '../documents/journal.ts'
import type { PaymentPlan } from '../documents/plan.ts'
import { buildPlan } from '../documents/plan.ts'
import { parsePolicy } from '../documents/policy.ts'
import { isProvisional, readReceipt, receiptShape } from '../documents/receipt.ts'
import { readReconciliation, reconciliationShape } from '../documents/reconciliation.ts'
import type { Simulation } from '../documents/simulation.ts'
import { parseSimulation } from '../documents/simulation.ts'
import type { ChainSnapshot } from '../documents/snapshot.ts'
import { parseSnapshot } from '../documents/snapshot.ts'
import { assertJournal } from '../journal/state.ts'
import type { BudgetName } from '../limits.ts'
import type { BuiltTransaction } from '../rails/built.ts'
import { unsignedRefOf } from '../rails/built.ts'
import { buildUnsigned } from '../rails/unsigned.ts'
import { sameRef } from '../references.ts'
import type { Sealed } from '../sealed.ts'
import { refOf } from '../sealed.ts'
import type { Shape } from '../shape.ts'
import type { SourceRunBytes } from '../source-run/read.ts'
import { verifySourceRun } from '../source-run/read.ts'
import { bytesEqual } from '../text.ts'
import { eventsByKind } from '../trace/replay.ts'
import { isObservedStatus } from '../trace/result.ts'
import type { ReplayedEvidence } from './replay.ts'
import { replayEvidence } from './replay.ts'

/**
 * Documents that a run left beside its Evidence. Each one that is given is checked; the more, the deeper. `source_run` is
 * the Agent Runtime run whose final message is the intent, and needs the intent.
 */
export type RunDocuments = { readonly [Kind in Exclude<DocumentKind, 'evidence'>]?: Uint8Array } & {
  readonly source_run?: Omit<SourceRunBytes, 'finalMessage'>
}

/** What a check is about. */
export type CheckedDocument = DocumentKind | 'source_run'

/** One thing that does not hold. */
export type EvidenceFinding = {
  readonly document: CheckedDocument
  readonly code: DiagnosticCode
  readonly message: string
  readonly detail: string | undefined
}

/** Whether Evidence holds, what does not, and what was checked (in the order of the checks). */
export type EvidenceVerdict = {
  readonly ok: boolean
  readonly findings: readonly EvidenceFinding[]
  readonly checked: readonly CheckedDocument[]
}

/**
 * Verifies Evidence offline, for a stranger: replays it and its trace, then derives every document that is given again
 * from those before it (run id, plan with its unsigned transaction, approval request) and compares digests. It stops at the
 * first document that does not hold, since the later ones rest on it. Never throws for hostile bytes.
 */
export function verifyEvidence(bytes: Uint8Array, documents: RunDocuments = {}): EvidenceVerdict {
  const checked: CheckedDocument[] = []
  const findings: EvidenceFinding[] = []
  const check = <T>(document: CheckedDocument, run: () => T): T | undefined => {
    checked.push(document)
    try {
      return run()
    } catch (cause) {
      if (!(cause instanceof EconomicError)) throw cause
      findings.push({ document, code: cause.code, message: cause.message, detail: cause.detail })
      return undefined
    }
  }
  const replayed = check('evidence', () => replayEvidence(readEvidence(bytes)))
  if (replayed !== undefined) verifyDocuments(replayed, documents, check)
  return { ok: findings.length === 0, findings, checked }
}

type Check = <T>(document: CheckedDocument, run: () => T) => T | undefined

function verifyDocuments(replayed: ReplayedEvidence, documents: RunDocuments, check: Check): void {
  const { trace: traceBytes, policy, intent, journal } = documents
  const evidence = replayed.evidence.document
  if (traceBytes !== undefined)
    check('trace', () => requireSame(bytesEqual(traceBytes, replayed.trace.bytes), 'not the trace inside Evidence'))
  verifyOutcome(replayed, documents, check)
  if (documents.source_run !== undefined && intent !== undefined)
    verifySource(evidence, { ...documents.source_run, finalMessage: intent }, check)
  if (policy === undefined || intent === undefined) {
    if (journal !== undefined) check('journal', () => readJournalOf(evidence, journal))
    return
  }
  const admission = verifyAdmission(evidence, policy, intent, check)
  if (admission === undefined) return
  if (journal !== undefined)
    check('journal', () => {
      const read = readJournalOf(evidence, journal)
      if (read.document.version > 0n) assertJournal(read, admission)
    })
  verifyPayment(replayed, admission, documents, check)
}

/** The receipt and the observation, each by its own digest, its transaction and what the run made of it. */
function verifyOutcome({ evidence, trace }: ReplayedEvidence, documents: RunDocuments, check: Check): void {
  const { broadcast: receiptBytes, reconciliation: observationBytes } = documents
  const { result } = evidence.document
  const isNamed = (id: string) => result.transaction_id === null || result.transaction_id === id
  if (receiptBytes !== undefined)
    check('broadcast', () => {
      const claimed = claimedBy('broadcast', receiptShape, receiptBytes)
      const { rail, signed_transaction_digest: signedDigest, transaction_id: transactionId } = claimed
      const receipt = readReceipt(receiptBytes, { rail, signedDigest, transactionId }, 'retained')
      requireRef(receipt, evidence.document.broadcast)
      const signed = eventsByKind(trace.document).get('transaction_signed')?.output_digest ?? null
      requireSame(
        signed === null || signed === (signedDigest as string),
        'the receipt is of another signed transaction',
      )
      requireSame(isNamed(transactionId), 'the receipt is of another transaction')
    })
  if (observationBytes !== undefined)
    check('reconciliation', () => {
      const claimed = claimedBy('reconciliation', reconciliationShape, observationBytes)
      const { rail, transaction_id: transactionId } = claimed
      const observation = readReconciliation(observationBytes, { rail, transactionId }, evidence.document.limits)
      requireRef(observation, evidence.document.reconciliation)
      requireSame(isNamed(transactionId), 'the observation is of another transaction')
      const { status } = observation.document
      requireSame(!isObservedStatus(result.status) || result.status === status, 'the observation has another status')
    })
}

/** What a document says of itself; the caller holds it to its digest. */
function claimedBy<T>(kind: DocumentKind, shape: Shape<T>, bytes: Uint8Array): T {
  return shape.read(parseCanonical(kind, bytes).object, refuseAs(kind), kind)
}

function verifySource(evidence: Evidence, source: SourceRunBytes, check: Check): void {
  check('source_run', () => {
    const verdict = verifySourceRun(source)
    if (!verdict.ok) throw replayMismatch(verdict.reason)
    const own = verdict.run.evidence
    requireSame(
      sameRef(own, evidence.source_agent) && own.run_id === evidence.source_agent.run_id,
      'not the source run that Evidence names',
    )
  })
}

function verifyAdmission(
  evidence: Evidence,
  policyBytes: Uint8Array,
  intentBytes: Uint8Array,
  check: Check,
): Admission | undefined {
  const policy = check('policy', () => {
    const parsed = parsePolicy(policyBytes)
    requireRef(parsed, evidence.policy)
    const counts = [
      [evidence.budget.used_network_policies, parsed.document.network_policies.length],
      [evidence.budget.used_x402_origins, parsed.document.x402_origins.length],
      [evidence.budget.used_recipients, parsed.document.network_policies.flatMap((row) => row.recipients).length],
    ] as const
    requireSame(
      counts.every(([used, count]) => used === BigInt(count)),
      'the counters of rows differ',
    )
    const names = Object.keys(evidence.limits) as (keyof typeof evidence.limits)[]
    requireSame(
      names.every((name) => evidence.limits[name] === parsed.document.limits[name]),
      'the limits differ',
    )
    return parsed
  })
  if (policy === undefined) return undefined
  return check('intent', () => {
    const intent = parseIntent(intentBytes)
    requireRef(intent, evidence.intent)
    const runId = runIdOf({
      sourceEvidence: evidence.source_agent.digest,
      policy: policy.digest,
      intent: intent.digest,
      idempotencyKey: intent.document.idempotency_key,
    })
    requireSame(runId === evidence.run_id, 'the run id is another one')
    return { ...admitIntent(policy, intent), source: evidence.source_agent, runId }
  })
}

function verifyPayment(
  { evidence: { document: evidence }, trace }: ReplayedEvidence,
  admission: Admission,
  documents: RunDocuments,
  check: Check,
): void {
  const { invoice: invoiceBytes, snapshot: snapshotBytes, plan: planBytes } = documents
  const invoice =
    invoiceBytes === undefined
      ? null
      : check('invoice', () => {
          const parsed = parseInvoice(invoiceBytes, admission)
          requireRef(parsed, evidence.x402_invoice)
          return parsed
        })
  if (snapshotBytes === undefined || invoice === undefined) return
  const snapshot = check('snapshot', () => {
    const parsed = parseSnapshot(snapshotBytes, admission)
    const loaded = trace.document.events.find((event) => event.kind === 'snapshot_loaded')
    requireSame(loaded?.output_digest === (parsed.digest as string), 'not the snapshot of the trace')
    return parsed
  })
  if (snapshot === undefined || (invoice === null && admission.x402 !== null)) return
  const planned = check('plan', () => {
    const built = buildUnsigned(admission, snapshot.document)
    const plan = buildPlan({ admission, invoice, snapshot, unsigned: unsignedRefOf(built) })
    requireRef(plan, evidence.plan)
    if (planBytes !== undefined) requireSame(bytesEqual(planBytes, plan.bytes), 'not the plan that follows')
    const { state } = snapshot.document
    requireUsed(evidence, 'used_unsigned_transaction_bytes', built.bytes.length)
    requireUsed(evidence, 'used_utxos', 'utxos' in state ? state.utxos.length : 0)
    return { plan, built }
  })
  if (planned !== undefined) verifyApproval(evidence, { admission, snapshot, ...planned }, documents, check)
}

type Planned = {
  readonly admission: Admission
  readonly snapshot: Sealed<'snapshot', ChainSnapshot>
  readonly plan: Sealed<'plan', PaymentPlan>
  readonly built: BuiltTransaction
}

function verifyApproval(evidence: Evidence, planned: Planned, documents: RunDocuments, check: Check): void {
  const { simulation: simulationBytes, approval_request: requestBytes, approval: approvalBytes } = documents
  if (simulationBytes === undefined) return
  const simulation = check('simulation', (): Sealed<'simulation', Simulation> => {
    const parsed = parseSimulation(simulationBytes, planned)
    requireRef(parsed, evidence.simulation)
    return parsed
  })
  if (simulation === undefined) return
  const request = check('approval_request', (): Sealed<'approval_request', ApprovalRequest> => {
    const built = buildApprovalRequest(planned.admission, planned.plan, simulation)
    if (requestBytes !== undefined) requireSame(bytesEqual(requestBytes, built.bytes), 'not the request that follows')
    // Without an approval the run may have ended before the request was rendered.
    if (evidence.approval !== null) requireUsed(evidence, 'used_approval_request_bytes', built.bytes.length)
    return built
  })
  if (request === undefined || approvalBytes === undefined) return
  check('approval', (): Sealed<'approval', Approval> => {
    const parsed = parseApproval(approvalBytes, { ...planned, simulation, request })
    requireRef(parsed, evidence.approval)
    return parsed
  })
}

function readJournalOf(evidence: Evidence, bytes: Uint8Array) {
  const journal = readJournal(bytes)
  requireRef(journal, evidence.journal)
  requireSame(journal.document.run_id === evidence.run_id, 'the journal is of another run')
  requireUsed(evidence, 'used_signed_transaction_bytes', journal.document.signed_transaction?.bytes ?? 0n)
  const { receipt, observation } = journal
  // A failed write leaves the journal behind what the run has seen, and a provisional receipt need not be named.
  if (receipt !== null && !isProvisional(receipt.document) && evidence.broadcast !== null)
    requireSame(receipt.digest === evidence.broadcast.digest, 'another receipt')
  if (isObservedStatus(evidence.result.status))
    requireSame(observation?.digest === evidence.reconciliation?.digest, 'another observation')
  return journal
}

function requireRef<Kind extends DocumentKind>(
  sealed: Sealed<Kind, unknown>,
  ref: { readonly digest: string; readonly bytes: bigint } | null,
): void {
  const own = refOf(sealed)
  requireSame(
    ref !== null && own.digest === ref.digest && own.bytes === ref.bytes,
    'not the document that Evidence names',
  )
}

function requireUsed({ budget }: Evidence, name: BudgetName, length: number | bigint): void {
  requireSame(budget[name] === BigInt(length), `budget.${name}: got ${budget[name]}, expected ${length}`)
}

function requireSame(same: boolean, detail: string): void {
  if (!same) throw replayMismatch(detail)
}
