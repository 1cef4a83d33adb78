import type { RailAddress } from '@oikos/core/economic'

/** A plain transfer as a chain has it. */
export type ObservedTransfer = {
  readonly payer: RailAddress
  readonly recipient: RailAddress
  /** In the smallest unit of the native asset: what the recipient got by this transaction. */
  readonly amountAtomic: bigint
  /** Blocks on top of it, the one that holds it included. */
  readonly confirmations: number
  /** When its block was made, as the chain says; milliseconds since 1970. */
  readonly blockTimeMs: number
}

/**
 * What a chain says about a transaction. `other`: it is there, and it is no plain transfer of one payer to the recipient
 * that was asked for.
 */
export type TransferSighting =
  | { readonly status: 'unknown' }
  | { readonly status: 'pending' }
  | { readonly status: 'failed' }
  | { readonly status: 'other' }
  | { readonly status: 'transferred'; readonly transfer: ObservedTransfer }

/**
 * Looks a transaction up on one chain, for a seller. The seller trusts the node behind it. Throws when the node does not
 * answer, or serves another network.
 */
export type TransferLookup = (transactionId: string, recipient: RailAddress) => Promise<TransferSighting>

/** Asks a node over JSON-RPC by method and parameters. Integers of an answer may come as number or bigint. */
export type NodeReader = { readonly read: (method: string, params: readonly NodeValue[]) => Promise<unknown> }

/** A JSON value that a node is asked with; a bigint is a JSON number. */
export type NodeValue = string | bigint | boolean | null | readonly NodeValue[] | { readonly [key: string]: NodeValue }

/** A node answered with something that is no answer to the question, or for another network. Retryable on another node. */
export class NodeAnswerError extends Error {
  override readonly name = 'NodeAnswerError'
  readonly retryable = true

  constructor(method: string, expected: string) {
    super(`${method}: the node's answer is not ${expected}`)
  }
}

/** The members of an object that a node answered with. */
export function nodeObject(value: unknown, method: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new NodeAnswerError(method, 'an object')
}

/** A text that a node answered with. */
export function nodeText(value: unknown, method: string): string {
  if (typeof value === 'string') return value
  throw new NodeAnswerError(method, 'a text')
}

/** An integer that a node answered with, not negative. */
export function nodeInteger(value: unknown, method: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new NodeAnswerError(method, 'a whole number')
}
