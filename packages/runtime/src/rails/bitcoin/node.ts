import type { SeenBlock } from '../adapter/documents.ts'

/** An output by its transaction, in display order, and its index. */
export type Outpoint = { readonly txid: string; readonly vout: bigint }

/** An unspent output of a wallet that no waiting transaction spends. */
export type BitcoinCoin = Outpoint & {
  readonly valueAtomic: bigint
  readonly height: bigint
  /** Whether it is the reward of a block, which can be spent only 100 blocks later; undefined where that must be asked. */
  readonly isReward: boolean | undefined
}

/** A block of the chain. */
export type BitcoinBlock = { readonly height: bigint; readonly blockId: string }

/** Where a node has a transaction, and what it spends. `stale`: only in a block that is no longer part of the chain. */
export type BitcoinPlace =
  | { readonly kind: 'block'; readonly block: SeenBlock; readonly inputs: readonly Outpoint[] }
  | { readonly kind: 'pool'; readonly inputs: readonly Outpoint[] }
  | { readonly kind: 'stale' | 'absent' }

/** What has become of an output. `block` is null while the transaction that spends it waits. */
export type Spending = { readonly txid: string; readonly block: BitcoinBlock | null }

/** An output that a transaction is about to spend, as a node has it. */
type UnspentOutput = { readonly valueAtomic: bigint; readonly script: string }

/** Fees in satoshi per 1000 virtual bytes. */
export type BitcoinFees = {
  /** What a transaction must pay to be relayed. */
  readonly floorPerKvb: bigint
  /** What a transaction should pay; undefined when the node has no opinion. */
  readonly estimatePerKvb: bigint | undefined
}

/**
 * A node of the chain, whatever it speaks. Its answers are checked for form and range; what is off is an EndpointFaultError
 * `malformed`. Every method but `send` changes nothing.
 */
export type BitcoinNode = {
  readonly origin: string
  /** Throws WrongNetworkError unless the node is on regtest. */
  readonly checkNetwork: () => Promise<void>
  /** The height of the newest block. */
  readonly getHeight: () => Promise<bigint>
  /** The confirmed outputs of an address that no waiting transaction spends, and the height of the chain then. */
  readonly listCoins: (address: string) => Promise<{ readonly height: bigint; readonly coins: readonly BitcoinCoin[] }>
  /** Whether a transaction of the chain is the reward of a block. */
  readonly isReward: (txid: string) => Promise<boolean>
  /** `targetBlocks`: within how many blocks a transaction should be included. */
  readonly getFees: (targetBlocks: number) => Promise<BitcoinFees>
  /** An output that is unspent, also by what waits; undefined when there is none. */
  readonly getUnspent: (outpoint: Outpoint) => Promise<UnspentOutput | undefined>
  /** Looks for a transaction; `seenIn` is a block in which it was. */
  readonly locate: (txid: string, seenIn: BitcoinBlock | null) => Promise<BitcoinPlace>
  /**
   * What spends one of some outputs: in a block if there is such a spending, else what waits, else undefined. `since`: the
   * height at which all of them were unspent.
   */
  readonly findSpending: (outpoints: readonly Outpoint[], since: bigint) => Promise<Spending | undefined>
  /** The block at a height; undefined when the chain is not that long. */
  readonly getBlockId: (height: bigint) => Promise<string | undefined>
  /**
   * Sends a signed transaction in hexadecimal, once. Gives the id that the node names. A refusal is an RpcAnswerError with
   * Bitcoin Core's code.
   */
  readonly send: (hex: string) => Promise<string>
  readonly close: () => void
}

/** The first block of regtest. Source: Bitcoin Core, chainparams. */
export const REGTEST_GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'

/** The most outputs of a wallet that are read. */
export const MAX_COINS = 10_000

/** What an output is called. */
export function outpointName({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`
}

/** A block and the blocks on it, its own included, in a chain of a height; one that came since is itself the newest. */
export function seenBlock({ height, blockId }: BitcoinBlock, newest: bigint): SeenBlock {
  return { height, blockId, confirmations: newest < height ? 1n : newest - height + 1n }
}
