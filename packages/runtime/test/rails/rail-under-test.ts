import type { Rail, SourceRunBytes } from '@oikos/core/economic'
import type { RailAdapter, WalletCustody } from '../../src/economic/host.ts'
import type { RailFailureListener } from '../../src/rails/adapter/call.ts'
import type { SentTransactions } from '../../src/rails/sent/sent-transactions.ts'
import type { TransportFault } from './transport-fault.ts'

/**
 * Where a rail can be sent to look for its chain. `node`: the node itself; `faulty`: the same node behind
 * {@link RailUnderTest.setFault}; `behind`: a node of the same network that has not seen the last blocks and transactions;
 * `other-network`: a node of another network; `nobody`: an address at which nothing listens.
 */
export type Whereabouts = 'node' | 'faulty' | 'behind' | 'other-network' | 'nobody'

/** How the suite opens a rail. */
export type RailOpening = {
  /** The list of endpoints, in order. */
  readonly at: readonly Whereabouts[]
  /** A memory of the suite's own; one that is not complete when absent. */
  readonly sent?: SentTransactions
  /** Blocks that must stand on a transaction, its own included. Default 1. On Bitcoin the intent says it, too. */
  readonly confirmationTarget?: number
  readonly timeoutMs?: number
  readonly maxResponseBytes?: number
  readonly cancellation?: AbortSignal
  readonly onFailure?: RailFailureListener
}

/** A rail that was opened. */
type OpenRail = { readonly adapter: RailAdapter; readonly close: () => void | Promise<void> }

/** The chain beneath a rail, in the hand of the suite. Nothing is mined unless the suite says so. */
type ChainController = {
  /** Adds blocks that hold what waits and is paid for. */
  readonly mine: (blocks: number) => Promise<void>
  /**
   * Replaces the last `depth` blocks by as many others and one more. `without`: the transactions that they held are gone from
   * the chain and from the pool; `again`: they are in the first of the new blocks.
   */
  readonly reorganise: (depth: number, transactions: 'without' | 'again') => Promise<void>
  /** Makes the node forget a transaction that waits, though it could still be included. */
  readonly forget: (transactionId: string) => Promise<void>
  /**
   * Makes it impossible that a transaction is ever included: another one with its nonce or input is mined, or its blockhash
   * expires. Mines what that takes. Answers the id of what took its place, null where there is no such thing.
   */
  readonly displace: (transactionId: string) => Promise<string | null>
  /** Raises fees above what any payment of the suite may pay; null where the chain has no such thing. */
  readonly raiseFees: (() => Promise<void>) | null
  /** Takes fees back to normal. Present when `raiseFees` is. */
  readonly lowerFees: (() => Promise<void>) | null
  /** Leaves the paying wallet with less than one payment costs. */
  readonly drainWallet: () => Promise<void>
  /** Gives the wallet enough for every payment of the suite; undoes `drainWallet`. */
  readonly fundWallet: () => Promise<void>
  /** How many payments of the suite's amount the recipient has received on the chain as it stands now. */
  readonly countPayments: () => Promise<number>
  /** The newest height. */
  readonly height: () => Promise<bigint>
}

/** A payment that the suite proposes. */
export type SuitePayment = {
  readonly idempotencyKey: string
  readonly createdAtMs: bigint
  /** Blocks, for Bitcoin's intents; other rails ignore it. */
  readonly confirmationTarget: number
}

/** All that a rail brings to its conformance tests. Made once; each test opens rails on it and leaves no block unmined. */
export type RailUnderTest = {
  readonly rail: Rail
  /** A transaction id in the rail's form that no chain knows. */
  readonly strangerId: string
  readonly chain: ChainController
  readonly open: (opening: RailOpening) => Promise<OpenRail>
  /**
   * Breaks the transport of `faulty` for requests of a kind until it is set again; null mends it. A request that would have
   * an effect is a `broadcast`, every other one a `read`.
   */
  readonly setFault: (fault: TransportFault | null, requests: 'broadcast' | 'read' | 'all') => void
  /** How many requests with an effect have reached the node itself, over `node` and `faulty`. */
  readonly countBroadcasts: () => number
  /** The canonical text of a policy that admits every payment of the suite, with the fees of an ordinary day. */
  readonly policy: string
  /** The source run that proposes a payment of one fixed amount to one fixed recipient. */
  readonly source: (payment: SuitePayment) => SourceRunBytes
  /** Signs with the wallet's real key. */
  readonly custody: WalletCustody
  /** The chain's clock, milliseconds since 1970; what the rail stamps its documents with. */
  readonly clockMs: () => bigint
  readonly close: () => Promise<void>
}
