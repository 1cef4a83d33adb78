import {
  admitSourceRun,
  type BroadcastReceipt,
  type BuiltTransaction,
  buildPlan,
  buildUnsigned,
  type ChainSnapshot,
  documentDigest,
  type PaymentPlan,
  parsePolicy,
  parseReceipt,
  parseReconciliation,
  parseSimulation,
  parseSnapshot,
  type Reconciliation,
  readSigned,
  readSourceRun,
  type Sealed,
  type SignedTransaction,
  unsignedRefOf,
  utf8,
} from '@oikos/core/economic'
import type { AdapterDisposition, PushSink, RailAdapter } from '../../src/economic/host.ts'
import type { SentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import { createMemorySentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import { SUITE_WALLET } from './proposal.ts'
import type { RailOpening, RailUnderTest, SuitePayment } from './rail-under-test.ts'

/** How a call of an adapter ended, and everything that it pushed. */
export type Answer = { readonly disposition: AdapterDisposition; readonly pushes: readonly Uint8Array[] }

/** Calls an adapter with a sink that takes everything. */
export async function ask(call: (sink: PushSink) => Promise<AdapterDisposition>): Promise<Answer> {
  const pushes: Uint8Array[] = []
  const push = (bytes: Uint8Array): boolean => {
    pushes.push(new Uint8Array(bytes))
    return true
  }
  return { disposition: await call({ push }), pushes }
}

/** The one document of a call that succeeded. Throws when it did not, or pushed another number of documents. */
function documentOf({ disposition, pushes }: Answer): Uint8Array {
  const [bytes, ...more] = pushes
  if (disposition !== 'succeeded' || bytes === undefined || more.length > 0)
    throw new Error(`the call was ${disposition} with ${pushes.length} documents, expected one`)
  return bytes
}

/** A payment that is planned, rehearsed and signed. */
export type SignedPayment = {
  readonly snapshot: Sealed<'snapshot', ChainSnapshot>
  readonly plan: Sealed<'plan', PaymentPlan>
  readonly built: BuiltTransaction
  readonly signed: SignedTransaction
}

/** The engine's place in front of a rail, one step at a time, with all the checks of the engine. */
export type Lab = {
  readonly rail: RailUnderTest
  readonly open: (opening?: Partial<RailOpening>) => Promise<RailAdapter>
  /** A key that was not used before, and now as its time. */
  readonly newPayment: (confirmationTarget?: number) => SuitePayment
  readonly intentOf: (payment: SuitePayment) => string
  /** Snapshot, transaction and plan. Throws where the engine would end the payment. */
  readonly plan: (adapter: RailAdapter, payment?: SuitePayment) => Promise<Omit<SignedPayment, 'signed'>>
  /** Throws unless the simulation is one that the engine accepts. */
  readonly simulate: (
    adapter: RailAdapter,
    planned: Omit<SignedPayment, 'signed'>,
    payment: SuitePayment,
  ) => Promise<void>
  /** Plans, simulates and signs. */
  readonly prepare: (adapter: RailAdapter, confirmationTarget?: number) => Promise<SignedPayment>
  /** The receipt of a broadcast that succeeded. */
  readonly broadcast: (adapter: RailAdapter, payment: SignedPayment) => Promise<BroadcastReceipt>
  /** The observation of a call that succeeded; `target` as the engine demands it. */
  readonly observe: (adapter: RailAdapter, payment: SignedPayment, target?: number) => Promise<Reconciliation>
  /** Status of an observation. */
  readonly status: (adapter: RailAdapter, payment: SignedPayment) => Promise<string>
  /** Closes what was opened, mends the transport, and leaves nothing waiting. */
  readonly clean: () => Promise<void>
}

/** A memory that knows everything that it was told, as a durable and shared one does. */
export function completeMemory(): SentTransactions {
  return { ...createMemorySentTransactions(), isComplete: true }
}

let payments = 0

/** Opens a lab on a rail under test. */
export function createLab(rail: RailUnderTest): Lab {
  const closers: (() => void | Promise<void>)[] = []
  const admissions = (payment: SuitePayment) =>
    admitSourceRun(parsePolicy(utf8(rail.policy)), readSourceRun(rail.source(payment)))

  const newPayment: Lab['newPayment'] = (confirmationTarget = 1) => {
    payments += 1
    return { idempotencyKey: `suite.${process.pid}.${payments}`, createdAtMs: rail.clockMs(), confirmationTarget }
  }
  const plan: Lab['plan'] = async (adapter, payment = newPayment()) => {
    const admission = admissions(payment)
    const bytes = documentOf(await ask((sink) => adapter.snapshot(admission.intent.text, sink)))
    const snapshot = parseSnapshot(bytes, admission)
    const built = buildUnsigned(admission, snapshot.document)
    return {
      snapshot,
      built,
      plan: buildPlan({ admission, invoice: null, snapshot, unsigned: unsignedRefOf(built) }),
    }
  }
  const simulate: Lab['simulate'] = async (adapter, planned, payment) => {
    const bytes = documentOf(await ask((sink) => adapter.simulate(planned.plan.text, planned.built.bytes, sink)))
    parseSimulation(bytes, { admission: admissions(payment), ...planned })
  }
  const observe: Lab['observe'] = async (adapter, { signed }, target = 0) => {
    const bytes = documentOf(await ask((sink) => adapter.reconcile(signed.transactionId, sink)))
    const identity = { rail: rail.rail, transactionId: signed.transactionId }
    const context = { identity, limits: limitsOf(rail), confirmationTarget: BigInt(target) }
    return parseReconciliation(bytes, context).document
  }

  return {
    rail,
    open: async (opening = {}) => {
      const opened = await rail.open({ at: ['node'], ...opening })
      closers.push(opened.close)
      return opened.adapter
    },
    newPayment,
    intentOf: (payment) => admissions(payment).intent.text,
    plan,
    simulate,
    prepare: async (adapter, confirmationTarget) => {
      const payment = newPayment(confirmationTarget)
      const planned = await plan(adapter, payment)
      await simulate(adapter, planned, payment)
      return { ...planned, signed: await signedBy(rail, planned.built) }
    },
    broadcast: async (adapter, { signed }) => {
      const bytes = documentOf(await ask((sink) => adapter.broadcast(signed.bytes, sink)))
      const identity = { rail: rail.rail, signedDigest: signed.digest, transactionId: signed.transactionId }
      return parseReceipt(bytes, identity, limitsOf(rail)).document
    },
    observe,
    status: async (adapter, payment) => (await observe(adapter, payment)).status,
    clean: async () => {
      for (const close of closers.splice(0)) await close()
      rail.setFault(null, 'all')
      await rail.chain.lowerFees?.()
      await rail.chain.fundWallet()
      await rail.chain.mine(2)
    },
  }
}

function limitsOf(rail: RailUnderTest) {
  return parsePolicy(utf8(rail.policy)).document.limits
}

async function signedBy(rail: RailUnderTest, built: BuiltTransaction): Promise<SignedTransaction> {
  const request = {
    walletId: SUITE_WALLET,
    rail: built.rail,
    unsignedTransactionDigest: built.digest,
    unsignedTransaction: built.bytes,
    approvalDigest: documentDigest('approval', utf8('suite')),
  }
  return readSigned(documentOf(await ask((sink) => rail.custody.sign(request, sink))), built, limitsOf(rail))
}
