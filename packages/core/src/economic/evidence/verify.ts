import type { Admission } from '../admission.ts'
import { admitIntent } from '../admission.ts'
import type { DocumentKind } from '../catalog.ts'
import type { DiagnosticCode } from '../diagnostics.ts'
import { EconomicError, replayMismatch } from '../diagnostics.ts'
import { runIdOf } from '../digest.ts'
import type { Approval } from '../documents/approval.ts'
import { parseApproval } from '../documents/approval.ts'
import type { ApprovalRequest } from '../documents/approval-request.ts'
import { buildApprovalRequest } from '../documents/approval-request.ts'
import type { Evidence } from '../documents/evidence.ts'
import { parseEvidence } from '../documents/evidence.ts'
import { parseIntent } from '../documents/intent.ts'
import { parseInvoice } from '../documents/invoice.ts'
import { readJournal } from '../documents/journal.ts'
import type { PaymentPlan } from '../documents/plan.ts'
import { buildPlan } from '../documents/plan.ts'
import { parsePolicy } from '../documents/policy.ts'
import { isProvisional } from '../documents/receipt.ts'
import type { Simulation } from '../documents/simulation.ts'
import { parseSimulation } from '../documents/simulation.ts'
import type { ChainSnapshot } from '../documents/snapshot.ts'
import { parseSnapshot } from '../documents/snapshot.ts'
import { assertJournal } from '../journal/state.ts'
import type { BuiltTransaction } from '../rails/built.ts'
import { unsignedRefOf } from '../rails/built.ts'
import { buildUnsigned } from '../rails/unsigned.ts'
import type { Sealed } from '../sealed.ts'
import { refOf } from '../sealed.ts'
import { bytesEqual } from '../text.ts'
import { isObservedStatus } from '../trace/result.ts'
import type { ReplayedEvidence } from './replay.ts'
import { replayEvidence } from './replay.ts'

/** Documents that a run left beside its Evidence. Each one that is given is checked; the more, the deeper. */
export type RunDocuments = { readonly [Kind in Exclude<DocumentKind, 'evidence'>]?: Uint8Array }

/** One thing that does not hold. */
export type EvidenceFinding = {
  readonly document: DocumentKind
  readonly code: DiagnosticCode
  readonly message: string
  readonly detail: string | undefined
}

/** Whether Evidence holds, what does not, and what was checked (in the order of the checks). */
export type EvidenceVerdict = {
  readonly ok: boolean
  readonly findings: readonly EvidenceFinding[]
  readonly checked: readonly DocumentKind[]
}

/**
 * Verifies Evidence offline, for a stranger: replays it and its trace, then derives every document that is given again
 * from those before it (run id, plan with its unsigned transaction, approval request) and compares digests. It stops at the
 * first document that does not hold, since the later ones rest on it. Never throws for hostile bytes.
 */
export function verifyEvidence(bytes: Uint8Array, documents: RunDocuments = {}): EvidenceVerdict {
  const checked: DocumentKind[] = []
  const findings: EvidenceFinding[] = []
  const check = <T>(document: DocumentKind, run: () => T): T | undefined => {
    checked.push(document)
    try {
      return run()
    } catch (cause) {
      if (!(cause instanceof EconomicError)) throw cause
      findings.push({ document, code: cause.code, message: cause.message, detail: cause.detail })
      return undefined
    }
  }
  const replayed = check('evidence', () => replayEvidence(parseEvidence(bytes)))
  if (replayed !== undefined) verifyDocuments(replayed, documents, check)
  return { ok: findings.length === 0, findings, checked }
}

type Check = <T>(document: DocumentKind, run: () => T) => T | undefined

function verifyDocuments(replayed: ReplayedEvidence, documents: RunDocuments, check: Check): void {
  const { trace: traceBytes, policy, intent, journal } = documents
  const evidence = replayed.evidence.document
  if (traceBytes !== undefined)
    check('trace', () => requireSame(bytesEqual(traceBytes, replayed.trace.bytes), 'not the trace inside Evidence'))
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

function requireSame(same: boolean, detail: string): void {
  if (!same) throw replayMismatch(detail)
}
