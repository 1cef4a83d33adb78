import type { ConfirmationStatus, EvmAddress, TransactionId } from '@oikos/core/economic'
import { askAll } from '../endpoint/index.ts'
import type { SentTransactions } from '../sent/sent-transactions.ts'
import type { EvmBlock, EvmNode, EvmSlot } from './node.ts'

/**
 * When an inclusion counts as final: so many blocks, its own included, or a block that the consensus layer calls safe or
 * finalized.
 */
export type EvmFinality = number | 'safe' | 'finalized'

/** Why an observation has its status, for the operator. */
export type EvmObservation = {
  readonly transactionId: TransactionId
  readonly status: ConfirmationStatus
  readonly reason:
    | 'included'
    /** Included, but the transfer failed: only the fee moved. */
    | 'failed'
    | 'in-pool'
    /** In no block and no pool, but nothing prevents its inclusion. */
    | 'not-seen'
    /** Its nonce is taken, as far as can be seen by another transaction. */
    | 'replaced'
    /** The block in which it was seen is no longer canonical. */
    | 'block-gone'
    /** A complete memory does not hold it. */
    | 'never-sent'
  /** The transaction that has its nonce, where it could be found. */
  readonly replacedBy: string | null
}

/** What the four calls of the rail share. */
export type EvmContext = {
  readonly nodes: readonly EvmNode[]
  /** The account that pays. */
  readonly account: EvmAddress
  readonly sent: SentTransactions
  /** Milliseconds since 1970. */
  readonly clockMs: () => bigint
  readonly finality: EvmFinality
  readonly validityMs: bigint
  /** Wei per gas; what the node suggests when undefined. */
  readonly priorityFeePerGas: bigint | undefined
  /** How old the newest block may be; any age when undefined. */
  readonly maxHeadAgeMs: bigint | undefined
  readonly onObservation: ((observation: EvmObservation) => void) | undefined
}

/** How long nodes may take once another one has answered, milliseconds. */
export const GRACE_MS = 1000

/** A node that answered, and where it stands. */
export type SurveyedNode = { readonly node: EvmNode; readonly head: EvmBlock }

/**
 * Asks all nodes for their network and newest block; the one that is furthest is first. Nodes of another network and nodes
 * that fail are left out. Throws EndpointsExhaustedError when none is left.
 */
export async function surveyNodes({ nodes }: Pick<EvmContext, 'nodes'>): Promise<readonly SurveyedNode[]> {
  const look = async (node: EvmNode): Promise<EvmBlock> => {
    const [head] = await Promise.all([node.getHead(), node.checkNetwork()])
    return head
  }
  const { answers } = await askAll(nodes, look, GRACE_MS)
  return answers
    .map(({ endpoint, result }) => ({ node: endpoint, head: result }))
    .sort((left, right) => Number(right.head.height - left.head.height))
}

/** The highest number of transactions that any of the nodes knows of an account, those that wait included. */
export async function nextNonce(nodes: readonly EvmNode[], account: string): Promise<bigint> {
  const { answers } = await askAll(nodes, (node) => node.getNonce(account, 'pending'), GRACE_MS)
  let highest = 0n
  for (const { result } of answers) if (result > highest) highest = result
  return highest
}

const FACTS = /^from=(0x[0-9a-f]{40}) nonce=(\d{1,20})$/

/** The form in which the memory keeps whose transaction it was, and which. */
export function factsOf({ from, nonce }: EvmSlot): string {
  return `from=${from} nonce=${nonce}`
}

/** Reads what {@link factsOf} wrote. Throws TypeError when it is something else. */
export function readFacts(facts: string): EvmSlot {
  const [, from, nonce] = FACTS.exec(facts) ?? []
  if (from === undefined || nonce === undefined) throw new TypeError(`sent transactions: unreadable facts ${facts}`)
  return { from, nonce: BigInt(nonce) }
}
