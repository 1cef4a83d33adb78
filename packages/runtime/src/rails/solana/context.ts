import type { ConfirmationStatus, SolanaAddress, TransactionId } from '@oikos/core/economic'
import { askAll, EndpointsExhaustedError } from '../endpoint/index.ts'
import type { SentTransactions } from '../sent/sent-transactions.ts'
import type { SolanaFinality, SolanaNode, SolanaTip } from './node.ts'

/** How long a blockhash is good for: the last block height, and where the node stood when it was given out. */
export type BlockhashLife = { readonly lastValidBlockHeight: bigint; readonly slot: bigint }

/** Why an observation has its status, for the operator. */
export type SolanaObservation = {
  readonly transactionId: TransactionId
  readonly status: ConfirmationStatus
  readonly reason:
    | 'included'
    /** Included, but the transfer failed: only the fee moved. */
    | 'failed'
    /** In no block, but its blockhash is still good, or what becomes of it is not known. */
    | 'not-seen'
    /** In no block, and its blockhash is no longer good. */
    | 'expired'
    /** The block in which it was seen is no longer canonical. */
    | 'block-gone'
    /** A complete memory does not hold it. */
    | 'never-sent'
}

/** What the four calls of the rail share. */
export type SolanaContext = {
  readonly nodes: readonly SolanaNode[]
  /** The account that pays. */
  readonly account: SolanaAddress
  /** How far the cluster must have agreed on what counts as final. */
  readonly finality: SolanaFinality
  /** Blocks that must stand on a transaction, its own included. */
  readonly confirmationTarget: bigint
  readonly sent: SentTransactions
  /** Milliseconds since 1970. */
  readonly clockMs: () => bigint
  readonly validityMs: bigint
  readonly onObservation: ((observation: SolanaObservation) => void) | undefined
  /** The blockhashes that snapshots gave out, newest last. */
  readonly blockhashes: Map<string, BlockhashLife>
}

/** Blocks that a blockhash lives at most. Source: Agave, MAX_PROCESSING_AGE. */
export const BLOCKHASH_LIFE = 150n

/** Blockhashes that are remembered: far more than can be alive at once. */
const MAX_BLOCKHASHES = 1000

/** Remembers a blockhash; the oldest is forgotten when there are too many. */
export function rememberBlockhash({ blockhashes }: SolanaContext, blockhash: string, life: BlockhashLife): void {
  blockhashes.set(blockhash, life)
  const [oldest] = blockhashes.keys()
  if (blockhashes.size > MAX_BLOCKHASHES && oldest !== undefined) blockhashes.delete(oldest)
}

const FACTS = /^lastValidBlockHeight=(\d{1,20}) slot=(\d{1,20})$/

/** The form in which the memory keeps the life of a transaction. */
export function factsOf({ lastValidBlockHeight, slot }: BlockhashLife): string {
  return `lastValidBlockHeight=${lastValidBlockHeight} slot=${slot}`
}

/** Reads what {@link factsOf} wrote. Throws TypeError when it is something else. */
export function readFacts(facts: string): BlockhashLife {
  const [, height, slot] = FACTS.exec(facts) ?? []
  if (height === undefined || slot === undefined) throw new TypeError(`sent transactions: unreadable facts ${facts}`)
  return { lastValidBlockHeight: BigInt(height), slot: BigInt(slot) }
}

/** How long nodes may take once another one has answered, milliseconds. */
export const GRACE_MS = 1000

/**
 * The nodes, the one that is furthest first; those of another network and those that do not answer now come last. A single
 * node needs no survey.
 */
export async function furthestFirst({ nodes }: Pick<SolanaContext, 'nodes'>): Promise<readonly SolanaNode[]> {
  if (nodes.length === 1) return nodes
  const look = async (node: SolanaNode): Promise<SolanaTip> => {
    const [tip] = await Promise.all([node.getTip('confirmed'), node.checkNetwork()])
    return tip
  }
  try {
    const { answers } = await askAll(nodes, look, GRACE_MS)
    const surveyed = answers
      .toSorted((left, right) => Number(right.result.slot - left.result.slot))
      .map(({ endpoint }) => endpoint)
    return [...surveyed, ...nodes.filter((node) => !surveyed.includes(node))]
  } catch (cause) {
    if (cause instanceof EndpointsExhaustedError) return nodes
    throw cause
  }
}
