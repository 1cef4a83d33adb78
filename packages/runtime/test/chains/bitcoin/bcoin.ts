import { createRequire } from 'node:module'

/** The part of bcoin 1.0.2 that the test chain uses; the package has no types of its own. Hashes are in internal order. */
type Bcoin = {
  readonly FullNode: new (options: Readonly<Record<string, unknown>>) => BcoinNode
  readonly TX: { fromRaw(raw: Uint8Array): BcoinTransaction }
  readonly Address: {
    fromString(text: string, network: string): BcoinAddress
    fromScript(script: BcoinScript): BcoinAddress | null
  }
  readonly Network: { get(name: string): { readonly addressPrefix: { bech32: string } } }
}

type BcoinAddress = { toString(network: string): string }
type BcoinScript = { toRaw(): Buffer }
export type BcoinTransaction = {
  readonly inputs: readonly {
    readonly prevout: { readonly hash: string; readonly index: number; rhash(): string }
    readonly sequence: number
  }[]
  readonly outputs: readonly { readonly value: number; readonly script: BcoinScript }[]
  readonly version: number
  readonly locktime: number
  hash(encoding: 'hex'): string
  txid(): string
  toRaw(): Buffer
  getVirtualSize(): number
  getWeight(): number
  isCoinbase(): boolean
}
export type BcoinCoin = {
  readonly hash: string
  readonly index: number
  readonly value: number
  readonly height: number
  readonly coinbase: boolean
  readonly script: BcoinScript
}
type BcoinBlock = { readonly txs: readonly BcoinTransaction[] }
export type BcoinEntry = {
  readonly hash: string
  readonly height: number
  readonly prevBlock: string
  readonly time: number
  rhash(): string
}
export type BcoinMeta = { readonly tx: BcoinTransaction; readonly height: number; readonly block: string | null }
type BcoinMempoolEntry = { readonly tx: BcoinTransaction; readonly fee: number }
type BcoinJob = {
  readonly attempt: {
    readonly items: unknown[]
    fees: number
    pushTX(transaction: BcoinTransaction): boolean
    refresh(): void
  }
  mineAsync(): Promise<BcoinBlock>
}

/** A full node with its chain, mempool and miner. */
export type BcoinNode = {
  readonly chain: {
    readonly height: number
    readonly tip: BcoinEntry
    synced: boolean
    add(block: BcoinBlock): Promise<BcoinEntry | null>
    getEntry(place: number | string): Promise<BcoinEntry | null>
    getBlock(place: number | string): Promise<BcoinBlock | null>
    getCoin(hash: string, index: number): Promise<BcoinCoin | null>
    getCoinsByAddress(addresses: readonly BcoinAddress[]): Promise<readonly BcoinCoin[]>
    getMeta(hash: string): Promise<BcoinMeta | null>
    getMetaByAddress(addresses: readonly BcoinAddress[]): Promise<readonly BcoinMeta[]>
    isMainChain(entry: BcoinEntry): Promise<boolean>
  }
  readonly mempool: {
    readonly map: ReadonlyMap<string, BcoinMempoolEntry>
    addTX(transaction: BcoinTransaction): Promise<readonly string[] | null>
    getEntry(hash: string): BcoinMempoolEntry | undefined
    getSpent(hash: string, index: number): BcoinMempoolEntry | undefined
    evictEntry(entry: BcoinMempoolEntry): void
    removeOrphan(hash: string): boolean
  }
  readonly miner: { addresses: readonly BcoinAddress[]; createJob(tip?: BcoinEntry): Promise<BcoinJob> }
  readonly http: { open(): Promise<void>; close(): Promise<void> }
  on(event: 'error', listener: (cause: unknown) => void): void
  open(): Promise<void>
  close(): Promise<void>
}

const require = createRequire(import.meta.url)

function load(): Bcoin | undefined {
  try {
    return require('bcoin') as Bcoin
  } catch {
    return undefined
  }
}

const loaded = load()

/** Whether this machine has the package: parts of it are compiled when it is installed. Tests that need it skip visibly. */
export const hasBcoin = loaded !== undefined

/** The package, as far as it is described here. Only where {@link hasBcoin}. */
export const bcoin = loaded as Bcoin

/** Turns a hash around: between internal order and the order in which hashes are shown. */
export function reverseHex(hash: string): string {
  return Buffer.from(hash, 'hex').reverse().toString('hex')
}
