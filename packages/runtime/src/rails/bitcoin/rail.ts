import { bitcoinScript, isBitcoinAddress, MAX_VALIDITY_MS } from '@oikos/core/economic'
import type { RailAdapter } from '../../economic/host.ts'
import { type RailFailureListener, runRailCall } from '../adapter/call.ts'
import { type EndpointOptions, parseEndpointOptions, RailOptionError, withinRange } from '../endpoint/index.ts'
import type { SentTransactions } from '../sent/sent-transactions.ts'
import { broadcastBitcoin } from './broadcast.ts'
import type { BitcoinContext, BitcoinObservation } from './context.ts'
import { createCoreNode } from './core-node.ts'
import { createEsploraNode } from './esplora-node.ts'
import type { BitcoinNode } from './node.ts'
import { reconcileBitcoin } from './reconcile.ts'
import { simulateBitcoin } from './simulate.ts'
import { snapshotBitcoin } from './snapshot.ts'

/** What the endpoints speak: Bitcoin Core's JSON-RPC, or Esplora's HTTP API. */
export type BitcoinInterface = 'bitcoin-core' | 'esplora'

/** What a Bitcoin rail works with. */
export type BitcoinRailOptions = EndpointOptions & {
  readonly speaks: BitcoinInterface
  /** The address that pays: `bcrt1q…`, pay to witness public key hash. */
  readonly account: string
  /**
   * The memory of what was sent; one that outlives the process tells a double spend after a restart, too. All rails that pay
   * from one account must share one: it also keeps equal payments apart.
   */
  readonly sent: SentTransactions
  /** Blocks that must stand on a transaction at least, its own included; an intent may ask for more. 1 to 144; default 1. */
  readonly confirmationTarget?: number
  /** Within how many blocks a payment should be included, for the estimate of the fee. 1 to 1,008; default 6. */
  readonly feeTargetBlocks?: number
  /** Satoshi per virtual byte, in place of what the node estimates. 1 to 10,000. */
  readonly feeRateSatVbyte?: number
  /** How long a snapshot is good, an approval included. 1 to 600,000; default 300,000. */
  readonly validityMs?: number
  /** Milliseconds since 1970; the system's clock when absent. */
  readonly clockMs?: () => bigint
  readonly onFailure?: RailFailureListener
  readonly onObservation?: (observation: BitcoinObservation) => void
}

/** A rail, and how to let go of its connections. */
export type BitcoinRail = RailAdapter & { readonly close: () => void }

const MAX_TARGET = 144
const DEFAULT_FEE_TARGET = 6
/** The longest that Bitcoin Core estimates for. Source: Bitcoin Core, estimatesmartfee. */
const MAX_FEE_TARGET = 1008
const MAX_FEE_RATE = 10_000
const DEFAULT_VALIDITY_MS = 300_000

/** Pays on Bitcoin's regtest, and on no other chain. Nothing is asked before the first call. Throws RailOptionError. */
export function createBitcoinRail(options: BitcoinRailOptions): BitcoinRail {
  const createNode = options.speaks === 'esplora' ? createEsploraNode : createCoreNode
  const nodes = parseEndpointOptions(options).map(createNode)
  const context = contextOf(nodes, options)
  const { onFailure } = options
  return {
    snapshot: (intent, sink) => runRailCall('snapshot', onFailure, () => snapshotBitcoin(context, intent, sink)),
    simulate: (plan, unsigned, sink) =>
      runRailCall('simulate', onFailure, () => simulateBitcoin(context, plan, unsigned, sink)),
    broadcast: (signed, sink) => runRailCall('broadcast', onFailure, () => broadcastBitcoin(context, signed, sink)),
    reconcile: (id, sink) => runRailCall('reconcile', onFailure, () => reconcileBitcoin(context, id, sink)),
    close: () => {
      for (const node of nodes) node.close()
    },
  }
}

function contextOf(nodes: readonly BitcoinNode[], options: BitcoinRailOptions): BitcoinContext {
  const { account, sent, feeRateSatVbyte: rate, onObservation } = options
  if (!isBitcoinAddress(account)) throw new RailOptionError('account', account.slice(0, 80), 'an address bcrt1q…')
  const validityMs = withinRange('validityMs', options.validityMs ?? DEFAULT_VALIDITY_MS, Number(MAX_VALIDITY_MS))
  return {
    nodes,
    account,
    script: Buffer.from(bitcoinScript(account)).toString('hex'),
    sent,
    onObservation,
    clockMs: options.clockMs ?? (() => BigInt(Date.now())),
    validityMs: BigInt(validityMs),
    confirmationTarget: BigInt(withinRange('confirmationTarget', options.confirmationTarget ?? 1, MAX_TARGET)),
    feeTargetBlocks: withinRange('feeTargetBlocks', options.feeTargetBlocks ?? DEFAULT_FEE_TARGET, MAX_FEE_TARGET),
    feeRateSatVbyte: rate === undefined ? undefined : BigInt(withinRange('feeRateSatVbyte', rate, MAX_FEE_RATE)),
    targets: new Map(),
  }
}
