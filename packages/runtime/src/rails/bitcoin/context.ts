import type { BitcoinAddress, ConfirmationStatus, TransactionId } from '@oikos/core/economic'
import { askAll, EndpointsExhaustedError } from '../endpoint/index.ts'
import type { SentTransactions } from '../sent/sent-transactions.ts'
import type { BitcoinNode, Outpoint } from './node.ts'

/** Why an observation has its status, for the operator. */
export type BitcoinObservation = {
  readonly transactionId: TransactionId
  readonly status: ConfirmationStatus
  readonly reason:
    | 'included'
    | 'in-pool'
    /** In no block and no pool, but nothing prevents its inclusion. */
    | 'not-seen'
    /** Another transaction spends one of its inputs. */
    | 'double-spent'
    /** The block in which it was seen is no longer canonical. */
    | 'block-gone'
    /** A complete memory does not hold it. */
    | 'never-sent'
  /** The transaction that spends its input, where there is one. */
  readonly spentBy: string | null
}

/** What the four calls of the rail share. */
export type BitcoinContext = {
  readonly nodes: readonly BitcoinNode[]
  /** The address that pays, and its script in hexadecimal. */
  readonly account: BitcoinAddress
  readonly script: string
  readonly sent: SentTransactions
  /** Milliseconds since 1970. */
  readonly clockMs: () => bigint
  readonly validityMs: bigint
  /** Blocks that must stand on a transaction at least, its own included; an intent may ask for more. */
  readonly confirmationTarget: bigint
  /** Within how many blocks a payment should be included. */
  readonly feeTargetBlocks: number
  /** Satoshi per virtual byte; what the node says when undefined. */
  readonly feeRateSatVbyte: bigint | undefined
  readonly onObservation: ((observation: BitcoinObservation) => void) | undefined
  /** Confirmation targets by the digest of their intent and, once it is planned, by transaction id; newest last. */
  readonly targets: Map<string, bigint>
}

/** Targets that are remembered. */
const MAX_REMEMBERED = 1000

/** Remembers a target; the oldest is forgotten when there are too many. */
export function rememberTarget({ targets }: BitcoinContext, key: string, target: bigint): void {
  targets.delete(key)
  targets.set(key, target)
  const [oldest] = targets.keys()
  if (targets.size > MAX_REMEMBERED && oldest !== undefined) targets.delete(oldest)
}

/** How long nodes may take once another one has answered, milliseconds. */
export const GRACE_MS = 1000

/**
 * The nodes, the one that is furthest first; those of another network and those that do not answer now come last. A single
 * node needs no survey.
 */
export async function furthestFirst({ nodes }: Pick<BitcoinContext, 'nodes'>): Promise<readonly BitcoinNode[]> {
  if (nodes.length === 1) return nodes
  const look = async (node: BitcoinNode): Promise<bigint> => {
    const [height] = await Promise.all([node.getHeight(), node.checkNetwork()])
    return height
  }
  try {
    const { answers } = await askAll(nodes, look, GRACE_MS)
    const surveyed = answers
      .toSorted((left, right) => Number(right.result - left.result))
      .map(({ endpoint }) => endpoint)
    return [...surveyed, ...nodes.filter((node) => !surveyed.includes(node))]
  } catch (cause) {
    if (cause instanceof EndpointsExhaustedError) return nodes
    throw cause
  }
}

/** What the memory keeps of a transaction. `height`: that of the chain when it was planned, at which its inputs were unspent. */
export type BitcoinFacts = {
  readonly target: bigint
  readonly height: bigint
  readonly inputs: readonly Outpoint[]
}

const FACTS = /^target=(\d{1,20}) height=(\d{1,20}) inputs=((?:[0-9a-f]{64}:\d{1,10},?)*)$/

/** The form in which the memory keeps them. */
export function factsOf({ target, height, inputs }: BitcoinFacts): string {
  return `target=${target} height=${height} inputs=${inputs.map(({ txid, vout }) => `${txid}:${vout}`).join()}`
}

/** Reads what {@link factsOf} wrote. Throws TypeError when it is something else. */
export function readFacts(facts: string): BitcoinFacts {
  const [, target, height, list] = FACTS.exec(facts) ?? []
  if (target === undefined || height === undefined || list === undefined)
    throw new TypeError(`sent transactions: unreadable facts ${facts.slice(0, 200)}`)
  const inputs = list.split(',').map((input) => {
    const [txid = '', vout = '0'] = input.split(':')
    return { txid, vout: BigInt(vout) }
  })
  return { target: BigInt(target), height: BigInt(height), inputs }
}
