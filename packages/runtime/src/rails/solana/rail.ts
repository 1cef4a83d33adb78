import { isSolanaAddress } from '@oikos/core/economic'
import type { RailAdapter } from '../../economic/host.ts'
import { type RailFailureListener, runRailCall } from '../adapter/call.ts'
import { type EndpointOptions, parseEndpointOptions, RailOptionError, withinRange } from '../endpoint/index.ts'
import type { SentTransactions } from '../sent/sent-transactions.ts'
import { broadcastSolana } from './broadcast.ts'
import type { SolanaContext, SolanaObservation } from './context.ts'
import { createSolanaNode, type SolanaFinality } from './node.ts'
import { reconcileSolana } from './reconcile.ts'
import { simulateSolana } from './simulate.ts'
import { snapshotSolana } from './snapshot.ts'

/** The genesis hash of devnet. Source: Solana documentation, "Clusters and public RPC endpoints". */
const DEVNET_GENESIS_HASH = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'

/** What a Solana rail works with. */
export type SolanaRailOptions = EndpointOptions & {
  /** The account that pays, base58 of 32 bytes. */
  readonly account: string
  /**
   * The memory of what was sent; one that outlives the process tells a dropped payment after a restart, too. All rails that
   * pay from one account must share one: it also keeps equal payments apart.
   */
  readonly sent: SentTransactions
  /** The genesis hash that every node must have; devnet's when absent. For a cluster of your own. */
  readonly genesisHash?: string
  /** How far the cluster must have agreed on a block before it counts; `finalized`, which is never taken back, when absent. */
  readonly finality?: SolanaFinality
  /** Blocks that must stand on a transaction, its own included. 1 to 1,000; default 1. */
  readonly confirmationTarget?: number
  /** How long a snapshot is good at most, an approval included: a blockhash lives for a minute. 1 to 50,000, the default. */
  readonly validityMs?: number
  /** Milliseconds since 1970; the system's clock when absent. */
  readonly clockMs?: () => bigint
  readonly onFailure?: RailFailureListener
  readonly onObservation?: (observation: SolanaObservation) => void
}

/** A rail whose connections can be closed. */
export type SolanaRail = RailAdapter & { readonly close: () => void }

const MAX_TARGET = 1000
/** A blockhash lives for 150 blocks of 400 ms; the rest of the minute is for the broadcast. */
const MAX_VALIDITY_MS = 50_000

/** Opens a rail to Solana devnet over JSON-RPC. Nothing is asked before the first call. Throws RailOptionError. */
export function createSolanaRail(options: SolanaRailOptions): SolanaRail {
  const { account, sent, finality = 'finalized', genesisHash = DEVNET_GENESIS_HASH, onFailure } = options
  if (!isSolanaAddress(account)) throw new RailOptionError('account', account.slice(0, 64), 'base58 of 32 bytes')
  const context: SolanaContext = {
    nodes: parseEndpointOptions(options).map((endpoint) => createSolanaNode(endpoint, genesisHash)),
    account,
    finality,
    confirmationTarget: BigInt(withinRange('confirmationTarget', options.confirmationTarget ?? 1, MAX_TARGET)),
    sent,
    clockMs: options.clockMs ?? (() => BigInt(Date.now())),
    validityMs: BigInt(withinRange('validityMs', options.validityMs ?? MAX_VALIDITY_MS, MAX_VALIDITY_MS)),
    onObservation: options.onObservation,
    blockhashes: new Map(),
  }
  return {
    snapshot: (intent, sink) => runRailCall('snapshot', onFailure, () => snapshotSolana(context, intent, sink)),
    simulate: (plan, unsigned, sink) =>
      runRailCall('simulate', onFailure, () => simulateSolana(context, plan, unsigned, sink)),
    broadcast: (signed, sink) => runRailCall('broadcast', onFailure, () => broadcastSolana(context, signed, sink)),
    reconcile: (id, sink) => runRailCall('reconcile', onFailure, () => reconcileSolana(context, id, sink)),
    close: () => {
      for (const node of context.nodes) node.close()
    },
  }
}
