import type {
  Admission,
  BuiltTransaction,
  DocumentKind,
  EventFacts,
  Evidence,
  JournalStep,
  Limits,
  ReadJournal,
  RunResult,
  Sealed,
  SignedTransaction,
  Trace,
  TraceEvent,
} from '../src/economic/index.ts'
import {
  advanceJournal,
  attemptsOf,
  BOUNDARY_MESSAGES,
  buildApprovalRequest,
  buildPlan,
  buildUnsigned,
  checkJournalSize,
  createBuilderBudget,
  EconomicError,
  eventCost,
  failureResult,
  intentCost,
  journalCloneCost,
  journalWriteCost,
  limitExceeded,
  observedResult,
  parseApproval,
  parseInvoice,
  parseReceipt,
  parseReconciliation,
  parseSimulation,
  parseSnapshot,
  policyCost,
  provisionalReceipt,
  provisionalReceiptCost,
  readSigned,
  reserveJournal,
  rollingAction,
  sealEvidence,
  sealTrace,
  traceEvent,
  transitionFault,
  unsignedRefOf,
} from '../src/economic/index.ts'
import { refOf } from '../src/economic/sealed.ts'
import type { Route } from './economic-fixture.ts'
import {
  admissionOf,
  approvalOf,
  invoiceOf,
  observationOf,
  placeholderSigned,
  receiptOf,
  simulationOf,
  snapshotOf,
} from './economic-fixture.ts'

/** The calls of a host whose answer a test may change. */
export type HostCall = 'invoice' | 'snapshot' | 'simulate' | 'approve' | 'sign' | 'broadcast' | 'reconcile'

export type RunOptions = {
  readonly route: Route
  readonly edit?: { readonly [Call in HostCall]?: (bytes: Uint8Array) => Uint8Array }
  readonly limits?: Partial<Limits>
  /** Changes the intent's text before the run. */
  readonly intent?: (text: string) => string
  /** The host does not say what became of the broadcast. */
  readonly isBroadcastUnanswered?: boolean
  /** Bytes that a host charges to the budget itself, as the frozen fixture's did. */
  readonly hostCharge?: bigint
}

export type RunRecord = {
  readonly admission: Admission
  readonly result: RunResult
  readonly calls: readonly string[]
  readonly journals: readonly ReadJournal[]
  readonly rolling: readonly string[]
  readonly documents: { readonly [Kind in DocumentKind]?: Uint8Array }
  readonly built: BuiltTransaction | undefined
  readonly signed: SignedTransaction | undefined
  readonly trace: Sealed<'trace', Trace>
  readonly evidence: Sealed<'evidence', Evidence>
}

/**
 * Plays one fresh run against a host that answers as the recorded one did, with the pure parts alone: the order of calls,
 * writes and charges of the notes, sections 10 and 13. It is how tests see that the parts give the recorded bytes; the
 * engine is another program, which also knows clocks, cancellation, restarts and failing hosts.
 */
export function playRun(options: RunOptions): RunRecord {
  const admission = admissionOf(options.route, options.limits, options.intent)
  const { limits } = admission.policy.document
  const budget = createBuilderBudget(limits)
  const state: Mutable = { events: [], journals: [], calls: [], rolling: [], documents: {} }

  const record = (facts: EventFacts) => {
    const event = traceEvent(state.events.length, admission.settlement.rail, facts)
    budget.charge(eventCost(event))
    state.events.push(event)
  }
  const push = (field: string, maximum: bigint, bytes: Uint8Array): Uint8Array => {
    if (BigInt(bytes.length) > maximum) throw limitExceeded(field, maximum)
    budget.charge(BigInt(bytes.length))
    return bytes
  }
  const ask = (call: HostCall, bytes: Uint8Array): Uint8Array => {
    state.calls.push(call)
    return options.edit?.[call]?.(bytes) ?? bytes
  }
  const write = (next: ReadJournal) => {
    checkJournalSize(next.bytes, limits)
    budget.charge(journalWriteCost(next))
    state.calls.push('cas')
    const previous = state.journals.at(-1) ?? null
    const fault = transitionFault(previous, next)
    if (fault !== undefined) throw new Error(`illegal transition: ${fault}`)
    state.rolling.push(rollingAction(previous?.document ?? null, next.document))
    state.journals.push(next)
    record({ kind: 'journal_committed', status: 'committed', input: next.digest, inputBytes: next.bytes.length })
  }
  const current = (): ReadJournal => {
    const journal = state.journals.at(-1)
    if (journal === undefined) throw new Error('nothing was written')
    return journal
  }
  const advance = (step: JournalStep, copies: boolean) => {
    if (copies) budget.charge(journalCloneCost(current().document))
    write(advanceJournal(current(), step))
  }

  const pay = () => {
    budget.charge(policyCost(admission.policy))
    budget.charge(intentCost(admission.intent))
    budget.raiseFloor()
    budget.charge(admission.source.bytes)
    state.documents.policy = admission.policy.bytes
    state.documents.intent = admission.intent.bytes
    record({
      kind: 'run_started',
      status: 'started',
      input: admission.source.digest,
      output: admission.policy.digest,
    })
    state.calls.push('load')
    record({ kind: 'journal_loaded', status: 'missing' })
    const first = reserveJournal(admission)
    write(first)
    record({ kind: 'intent_reserved', status: 'reserved', input: admission.intent.digest, output: first.digest })

    const read = (kind: 'invoice_loaded' | 'snapshot_loaded', document: Sealed<'invoice' | 'snapshot', unknown>) =>
      record({
        kind,
        status: 'loaded',
        input: admission.intent.digest,
        output: document.digest,
        outputBytes: document.bytes.length,
      })
    let invoice = null
    if (admission.x402 !== null) {
      const bytes = push('invoice_bytes', limits.max_invoice_bytes, ask('invoice', invoiceOf(options.route).bytes))
      invoice = parseInvoice(bytes, admission, budget)
      state.invoice = invoice
      state.documents.invoice = bytes
      read('invoice_loaded', invoice)
    }
    const snapshotBytes = push(
      'snapshot_bytes',
      limits.max_snapshot_bytes,
      ask('snapshot', snapshotOf(options.route).bytes),
    )
    const snapshot = parseSnapshot(snapshotBytes, admission, budget)
    state.snapshot = snapshot
    state.documents.snapshot = snapshotBytes
    read('snapshot_loaded', snapshot)

    const built = buildUnsigned(admission, snapshot.document)
    state.built = built
    budget.charge(BigInt(built.bytes.length))
    const plan = buildPlan({ admission, invoice, snapshot, unsigned: unsignedRefOf(built) })
    state.plan = plan
    state.documents.plan = plan.bytes
    record({ kind: 'plan_built', status: 'built', input: snapshot.digest, output: plan.digest })

    const fee = { evm: 63_000n, solana: built.feeAtomic, bitcoin: built.feeAtomic }[built.rail]
    const simulationBytes = push(
      'simulation_bytes',
      limits.max_simulation_bytes,
      ask('simulate', simulationOf(plan, admission, fee)),
    )
    const simulation = parseSimulation(simulationBytes, { admission, snapshot, plan, built }, budget)
    state.simulation = simulation
    state.documents.simulation = simulationBytes
    record({
      kind: 'simulation_finished',
      status: 'succeeded',
      input: plan.digest,
      output: simulation.digest,
      outputBytes: simulation.bytes.length,
    })
    advance(
      { kind: 'prepare', plan, simulation, unsigned: built, observedAtMs: snapshot.document.observed_at_ms },
      true,
    )

    const request = buildApprovalRequest(admission, plan, simulation)
    state.documents.approval_request = request.bytes
    state.requestBytes = BigInt(request.bytes.length)
    const approvalBytes = push('approval_bytes', limits.max_approval_bytes, ask('approve', approvalOf(request)))
    const approval = parseApproval(approvalBytes, { admission, snapshot, plan, simulation, request }, budget)
    state.approval = approval
    state.documents.approval = approvalBytes
    record({
      kind: 'approval_finished',
      status: 'approved',
      input: request.digest,
      output: approval.digest,
      outputBytes: approval.bytes.length,
    })
    advance({ kind: 'approve', approval }, true)
    advance({ kind: 'begin_sign' }, true)

    const signed = sign(built)
    advance({ kind: 'sign', signed }, true)
    const provisional = provisionalReceipt({
      rail: signed.rail,
      signedDigest: signed.digest,
      transactionId: signed.transactionId,
    })
    budget.charge(provisionalReceiptCost(provisional.document))
    state.receipt = provisional
    advance({ kind: 'begin_broadcast', receipt: provisional }, true)

    const identity = { rail: signed.rail, signedDigest: signed.digest, transactionId: signed.transactionId }
    if (options.isBroadcastUnanswered === true) {
      // The recorded host pushed its receipt and then said that it failed: what it pushed is charged and ignored.
      push('broadcast_receipt_bytes', limits.max_broadcast_receipt_bytes, ask('broadcast', receiptOf(signed)))
      record({ kind: 'broadcast_finished', status: 'unknown', input: signed.digest, output: provisional.digest })
      throw failure('SPX-I226')
    }
    delete state.receipt
    const receiptBytes = push(
      'broadcast_receipt_bytes',
      limits.max_broadcast_receipt_bytes,
      ask('broadcast', receiptOf(signed)),
    )
    const receipt = parseReceipt(receiptBytes, identity, limits, budget)
    state.documents.broadcast = receiptBytes
    state.receipt = receipt
    record({
      kind: 'broadcast_finished',
      status: receipt.document.disposition,
      input: signed.digest,
      output: receipt.digest,
      outputBytes: receipt.bytes.length,
    })
    advance({ kind: 'broadcast', receipt }, true)
    if (receipt.document.disposition === 'unknown') throw failure('SPX-I226')
    if (receipt.document.disposition === 'rejected') throw failure('SPX-I223')

    advance({ kind: 'begin_observe' }, false)
    const { settlement } = admission
    const observationBytes = push(
      'reconciliation_bytes',
      limits.max_reconciliation_bytes,
      ask('reconcile', observationOf(signed)),
    )
    const confirmationTarget = settlement.rail === 'bitcoin' ? settlement.confirmationTarget : 0n
    const observation = parseReconciliation(observationBytes, { identity, limits, confirmationTarget }, budget)
    state.documents.reconciliation = observationBytes
    record({
      kind: 'reconciliation_finished',
      status: observation.document.status,
      input: receipt.digest,
      output: observation.digest,
      outputBytes: observation.bytes.length,
    })
    advance({ kind: 'observe', observation }, false)
    budget.charge(options.hostCharge ?? 0n)
    return observedResult(observation.document.status, signed.transactionId)
  }

  const sign = (built: BuiltTransaction): SignedTransaction => {
    const answer = ask('sign', placeholderSigned(built))
    let signed: SignedTransaction
    try {
      const bytes = push('signed_transaction_bytes', limits.max_signed_transaction_bytes, answer)
      signed = readSigned(bytes, built, limits)
    } catch (cause) {
      record({ kind: 'transaction_signed', status: 'failed', input: built.digest })
      throw cause
    }
    state.signed = signed
    record({
      kind: 'transaction_signed',
      status: 'signed',
      input: built.digest,
      output: signed.digest,
      outputBytes: signed.bytes.length,
    })
    return signed
  }

  let result: RunResult
  try {
    result = pay()
  } catch (cause) {
    if (!(cause instanceof EconomicError)) throw cause
    result = failureResult(cause)
    const last = current().document
    budget.charge(journalCloneCost(last))
    const touched = state.events.some((event) => event.usage.signatures > 0n || event.usage.broadcasts > 0n)
    if (!touched && last.version <= 3n) {
      const ended = result.status === 'cancelled' || result.status === 'rejected' ? result.status : 'failed'
      const end = cause.code === 'SPX-G214' ? 'rejected' : ended
      advance({ kind: 'end', state: end, updatedAtMs: last.updated_at_ms }, false)
    }
  }
  budget.releaseFloor()
  record({ kind: 'run_finished', status: result.status })
  const trace = sealTrace(admission, state.events, result)
  budget.charge(BigInt(trace.bytes.length))
  const journal = current()
  const evidence = sealEvidence({
    admission,
    trace,
    references: {
      x402_invoice: state.invoice === undefined ? null : refOf(state.invoice),
      plan: state.plan === undefined ? null : refOf(state.plan),
      simulation: state.simulation === undefined ? null : refOf(state.simulation),
      approval: state.approval === undefined ? null : refOf(state.approval),
      journal: refOf(journal),
      broadcast: state.receipt === undefined ? null : refOf(state.receipt),
      reconciliation: journal.observation === null ? null : refOf(journal.observation),
    },
    counters: {
      used_snapshot_bytes: BigInt(state.snapshot?.bytes.length ?? 0),
      used_approval_request_bytes: state.requestBytes ?? 0n,
      used_unsigned_transaction_bytes: state.plan?.document.unsigned_transaction.bytes ?? 0n,
      used_signed_transaction_bytes: BigInt(state.signed?.bytes.length ?? 0),
      ...(options.isBroadcastUnanswered === true && { used_broadcast_receipt_bytes: 0n }),
      used_utxos: utxosOf(state),
      used_reconciliations: state.events.some((event) => event.usage.reconciliations > 0n)
        ? attemptsOf(journal).count
        : 0n,
      used_elapsed_ms: 0n,
    },
    builderUsed: budget.used(),
  })
  return {
    admission,
    result,
    calls: state.calls,
    journals: state.journals,
    rolling: state.rolling,
    documents: { ...state.documents, journal: journal.bytes, trace: trace.bytes },
    built: state.built,
    signed: state.signed,
    trace,
    evidence,
  }
}

type Mutable = {
  readonly events: TraceEvent[]
  readonly journals: ReadJournal[]
  readonly calls: string[]
  readonly rolling: string[]
  readonly documents: { [Kind in DocumentKind]?: Uint8Array }
  invoice?: ReturnType<typeof parseInvoice>
  snapshot?: ReturnType<typeof parseSnapshot>
  plan?: ReturnType<typeof buildPlan>
  simulation?: ReturnType<typeof parseSimulation>
  approval?: ReturnType<typeof parseApproval>
  requestBytes?: bigint
  receipt?: Sealed<'broadcast', unknown>
  built?: BuiltTransaction
  signed?: SignedTransaction
}

function utxosOf({ snapshot, plan }: Mutable): bigint {
  if (snapshot?.document.rail !== 'bitcoin' || plan === undefined) return 0n
  return BigInt(snapshot.document.state.utxos.length)
}

function failure(code: keyof typeof BOUNDARY_MESSAGES): EconomicError {
  return new EconomicError(code, BOUNDARY_MESSAGES[code])
}
