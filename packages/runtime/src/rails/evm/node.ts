import type { EvmAddress } from '@oikos/core/economic'

/** A block as far as the rail reads it. Fee in wei per gas. */
export type EvmBlock = {
  readonly height: bigint
  /** `0x` and 64 digits. */
  readonly blockId: string
  readonly timestampSec: bigint
  readonly baseFeePerGas: bigint
}

/** Where a transaction is included, and whether it did what it was made for: a failed one moved nothing but its fee. */
export type EvmInclusion = { readonly height: bigint; readonly blockId: string; readonly hasSucceeded: boolean }

/** Who sent a transaction, and its place in their order: only one transaction can ever have both. */
export type EvmSlot = { readonly from: string; readonly nonce: bigint }

/** A plain transfer that is tried. Value in wei. */
type EvmTransfer = { readonly from: EvmAddress; readonly to: string; readonly value: bigint }

/** A block by height or by how final it is. */
export type EvmBlockTag = bigint | 'safe' | 'finalized'

/**
 * A node of the chain. Its answers are checked for form and range; what is off is an EndpointFaultError `malformed`. Every
 * method but `send` changes nothing.
 */
export type EvmNode = {
  readonly origin: string
  /** Throws WrongNetworkError unless the node says Sepolia, each time. */
  readonly checkNetwork: () => Promise<void>
  readonly getHead: () => Promise<EvmBlock>
  readonly getBlock: (at: EvmBlockTag) => Promise<EvmBlock | undefined>
  /** The transactions of a block by id; undefined when there is no such block. */
  readonly listSlots: (height: bigint) => Promise<readonly (EvmSlot & { readonly transactionId: string })[] | undefined>
  /** How many transactions an account has sent up to a block, or with those that wait. */
  readonly getNonce: (account: string, at: EvmBlockTag | 'latest' | 'pending') => Promise<bigint>
  /** Wei. */
  readonly getBalance: (account: string, at: 'latest' | 'pending') => Promise<bigint>
  /** What the node suggests, wei per gas. */
  readonly getPriorityFee: () => Promise<bigint>
  /** Gas that a transfer takes. Throws RpcAnswerError when it would fail. */
  readonly estimateGas: (transfer: EvmTransfer) => Promise<bigint>
  readonly getInclusion: (transactionId: string) => Promise<EvmInclusion | undefined>
  /** A transaction that is in a block or in the pool. */
  readonly getTransaction: (transactionId: string) => Promise<EvmSlot | undefined>
  /** Sends a signed transaction, once. Gives the id that the node names. */
  readonly send: (signedTransaction: Uint8Array) => Promise<string>
  readonly close: () => void
}
