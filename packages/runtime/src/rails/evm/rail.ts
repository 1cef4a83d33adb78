import { isEvmAddress, MAX_VALIDITY_MS } from '@oikos/core/economic'
import type { RailAdapter } from '../../economic/host.ts'
import { type RailFailureListener, runRailCall } from '../adapter/call.ts'
import { type EndpointOptions, parseEndpointOptions, RailOptionError, withinRange } from '../endpoint/index.ts'
import type { SentTransactions } from '../sent/sent-transactions.ts'
import { broadcastEvm } from './broadcast.ts'
import type { EvmContext, EvmFinality, EvmObservation } from './context.ts'
import { createJsonRpcNode } from './json-rpc-node.ts'
import type { EvmNode } from './node.ts'
import { reconcileEvm } from './reconcile.ts'
import { simulateEvm } from './simulate.ts'
import { snapshotEvm } from './snapshot.ts'

/** Settings of an EVM rail, whatever its nodes are. */
export type EvmRailSettings = {
  /** The account that pays: `0x` and 40 digits. */
  readonly account: string
  /** What the rail remembers; it decides what can be said after a restart. */
  readonly sent: SentTransactions
  /** 1 to 64 blocks, `safe` or `finalized`. Default 3. */
  readonly finality?: EvmFinality
  /** How long a snapshot is good, an approval included. 1 to 600,000; default 300,000. */
  readonly validityMs?: number
  /** Wei per gas; what the node suggests when absent. */
  readonly priorityFeePerGas?: bigint
  /** Refuses to plan on a chain whose newest block is older; 1 to 3,600,000. Any age when absent. */
  readonly maxHeadAgeMs?: number
  /** Milliseconds since 1970; the system clock when absent. */
  readonly clockMs?: () => bigint
  readonly onFailure?: RailFailureListener
  readonly onObservation?: (observation: EvmObservation) => void
}

/** Settings of an EVM rail over JSON-RPC. */
export type EvmRailOptions = EvmRailSettings & EndpointOptions

/** A rail, and how to let go of its connections. */
export type EvmRail = RailAdapter & { readonly close: () => void }

const DEFAULT_FINALITY = 3
const MAX_FINALITY = 64
const DEFAULT_VALIDITY_MS = 300_000
const MAX_HEAD_AGE_MS = 3_600_000

/** Pays ether on Sepolia over JSON-RPC, and on no other chain. Throws {@link RailOptionError}. */
export function createEvmRail(options: EvmRailOptions): EvmRail {
  return createEvmRailOn(parseEndpointOptions(options).map(createJsonRpcNode), options)
}

/** As {@link createEvmRail}, on nodes that are already there. */
export function createEvmRailOn(nodes: readonly EvmNode[], settings: EvmRailSettings): EvmRail {
  const context = contextOf(nodes, settings)
  const { onFailure } = settings
  return {
    snapshot: (intent, sink) => runRailCall('snapshot', onFailure, () => snapshotEvm(context, intent, sink)),
    simulate: (plan, unsigned, sink) =>
      runRailCall('simulate', onFailure, () => simulateEvm(context, plan, unsigned, sink)),
    broadcast: (signed, sink) => runRailCall('broadcast', onFailure, () => broadcastEvm(context, signed, sink)),
    reconcile: (id, sink) => runRailCall('reconcile', onFailure, () => reconcileEvm(context, id, sink)),
    close: () => {
      for (const node of nodes) node.close()
    },
  }
}

function contextOf(nodes: readonly EvmNode[], settings: EvmRailSettings): EvmContext {
  const { account, sent, finality = DEFAULT_FINALITY, priorityFeePerGas, maxHeadAgeMs, onObservation } = settings
  if (!isEvmAddress(account)) throw new RailOptionError('account', account.slice(0, 80), '0x and 40 lower-case digits')
  if (priorityFeePerGas !== undefined && priorityFeePerGas < 0n)
    throw new RailOptionError('priorityFeePerGas', `${priorityFeePerGas}`, 'zero or more')
  if (typeof finality === 'number') withinRange('finality', finality, MAX_FINALITY)
  const validityMs = withinRange('validityMs', settings.validityMs ?? DEFAULT_VALIDITY_MS, Number(MAX_VALIDITY_MS))
  return {
    nodes,
    account,
    sent,
    finality,
    priorityFeePerGas,
    onObservation,
    clockMs: settings.clockMs ?? (() => BigInt(Date.now())),
    validityMs: BigInt(validityMs),
    maxHeadAgeMs:
      maxHeadAgeMs === undefined ? undefined : BigInt(withinRange('maxHeadAgeMs', maxHeadAgeMs, MAX_HEAD_AGE_MS)),
  }
}
