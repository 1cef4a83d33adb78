/**
 * What the engine needs from its host, and all it can reach. Source: Economic Agent v1, "Public injected contract".
 *
 * Every method may be slow and may fail: a method that throws counts as `failed_uncertain`, as does a word outside its
 * disposition. Bytes that a method receives are copies; what it pushes is copied. Nothing is ever called twice for one
 * step of a run.
 */

/** What a read of the journal found. Only `present` may have pushed a document. */
export type JournalLoadDisposition = 'missing' | 'present' | 'definitely_not_started' | 'failed_uncertain'

/**
 * How a call to an adapter ended. `definitely_not_started`: nothing has changed outside. `failed_uncertain`: something
 * may have changed. `policy_rejected`: refused by a rule of the adapter, nothing has changed.
 */
export type AdapterDisposition = 'succeeded' | 'definitely_not_started' | 'failed_uncertain' | 'policy_rejected'

/**
 * Takes the bytes that an adapter delivers, in as many pieces as it likes. `push` answers false when the piece was
 * refused; from then on it refuses everything. It gives nothing back and no reason, and is dead once the call is over.
 */
export type PushSink = { readonly push: (bytes: Uint8Array) => boolean }

/** The share of a rolling 24-hour window that a payment takes. Amounts in the smallest unit of the asset. */
export type RollingReservation = {
  readonly walletId: string
  readonly rail: string
  readonly network: string
  readonly asset: string
  /** When the payment was proposed, milliseconds since 1970. A journal refuses a time that is far from its own clock. */
  readonly requestedAtMs: bigint
  readonly amountAtomic: bigint
  /** What all payments of this wallet, rail, network and asset may sum up to within 24 hours. */
  readonly maxRolling24hAtomic: bigint
}

/**
 * What a compare-and-swap does to the rolling window, in the same atomic step: take a share (with version 1 only), leave
 * it, or give it back (versions 2 to 4 only, when nothing can have been signed).
 */
export type RollingInstruction =
  | { readonly kind: 'reserve'; readonly reservation: RollingReservation }
  | { readonly kind: 'retain' }
  | { readonly kind: 'release' }

/** The durable record of payments, by idempotency key. */
export type PaymentJournal = {
  /** Pushes the newest journal document of the key, if there is one. */
  readonly load: (idempotencyKey: string, sink: PushSink) => Promise<JournalLoadDisposition>
  /**
   * Writes version `expectedVersion + 1` if and only if the newest version is `expectedVersion` (0: there is none), and
   * applies `rolling` in the same step. `succeeded` means durable. A lost race is `definitely_not_started`; a window that
   * is full, a time that is stale and an illegal instruction are `policy_rejected`.
   */
  readonly compareAndSwap: (
    idempotencyKey: string,
    expectedVersion: bigint,
    journal: string,
    rolling: RollingInstruction,
  ) => Promise<AdapterDisposition>
}

/** Fetches an x402 invoice. It gets the three parts of the address and nothing else. */
export type X402InvoiceAdapter = {
  readonly fetchInvoice: (
    origin: string,
    method: string,
    resource: string,
    sink: PushSink,
  ) => Promise<AdapterDisposition>
}

/** The four calls of one payment rail. Documents are canonical text, transactions are bytes. */
export type RailAdapter = {
  /** Observes the chain for an intent; pushes a Chain Snapshot. */
  readonly snapshot: (intent: string, sink: PushSink) => Promise<AdapterDisposition>
  /** Tries the unsigned transaction of a plan; pushes a Simulation. */
  readonly simulate: (plan: string, unsignedTransaction: Uint8Array, sink: PushSink) => Promise<AdapterDisposition>
  /** Sends the signed transaction, once; pushes a Broadcast Receipt. */
  readonly broadcast: (signedTransaction: Uint8Array, sink: PushSink) => Promise<AdapterDisposition>
  /** Looks a transaction up; pushes a Reconciliation. */
  readonly reconcile: (transactionId: string, sink: PushSink) => Promise<AdapterDisposition>
}

/** Approves or rejects exactly one Approval Request; pushes an Approval. */
export type PaymentApprover = {
  readonly approve: (approvalRequest: string, sink: PushSink) => Promise<AdapterDisposition>
}

/** All that custody is told. */
export type SigningRequest = {
  readonly walletId: string
  readonly rail: string
  readonly unsignedTransactionDigest: string
  readonly unsignedTransaction: Uint8Array
  readonly approvalDigest: string
}

/** Holds the keys, which never leave it; pushes the signed transaction. */
export type WalletCustody = {
  readonly sign: (request: SigningRequest, sink: PushSink) => Promise<AdapterDisposition>
}

/** A pure observation of local time. */
export type EconomicBoundaryProbe = {
  /** Milliseconds on a monotonic clock with any zero. A reading below the first one counts as a passed deadline. */
  readonly elapsedMs: () => bigint
}

/** Everything outside the engine, in one object. */
export type EconomicAgentHost = {
  readonly journal: PaymentJournal
  readonly invoice: X402InvoiceAdapter
  readonly rails: { readonly evm: RailAdapter; readonly solana: RailAdapter; readonly bitcoin: RailAdapter }
  readonly approver: PaymentApprover
  readonly custody: WalletCustody
  readonly boundaryProbe: () => EconomicBoundaryProbe
}

/** Whether the caller has given up; an `AbortSignal` is one. Read before every call and at every push. */
export type Cancellation = { readonly aborted: boolean }
