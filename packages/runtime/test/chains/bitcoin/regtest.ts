import { p2wpkh, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { type BcoinEntry, type BcoinMeta, type BcoinNode, type BcoinTransaction, bcoin, reverseHex } from './bcoin.ts'

/** Address parameters of regtest. Source: Bitcoin Core, chainparams. */
export const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef } as const

/** A transaction that the mempool refused. `reason` is bcoin's word; `missing` stands for an input that is not there. */
export class RefusedTransaction extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(`the mempool refused a transaction: ${reason}`)
    this.reason = reason
  }
}

/** Where a transaction is. `stale`: only in a block that is no longer part of the chain. */
type Whereabouts =
  | { readonly at: 'mempool'; readonly transaction: BcoinTransaction }
  | { readonly at: 'chain' | 'stale'; readonly transaction: BcoinTransaction; readonly block: BcoinEntry }

/** A regtest chain with one node, in memory. Blocks come when asked for. */
export type Regtest = {
  readonly node: BcoinNode
  readonly treasury: string
  readonly height: () => number
  readonly mine: (blocks?: number) => Promise<void>
  /** Mines one block with exactly these transactions, whatever the mempool holds. */
  readonly mineExactly: (transactions: readonly Uint8Array[]) => Promise<void>
  /** Throws {@link RefusedTransaction}. */
  readonly submit: (transaction: BcoinTransaction) => Promise<void>
  /** Pays outputs from one coinbase of the treasury, in a block of its own. Gives the transaction id. */
  readonly fund: (outputs: readonly { readonly address: string; readonly amount: bigint }[]) => Promise<string>
  /**
   * Replaces the newest blocks by one more, the first with exactly the transactions that are given. Those of the old blocks
   * are in it too, wait again where they still can, or are lost.
   */
  readonly reorganize: (
    depth: number,
    transactions: 'are included' | 'wait again' | 'are lost',
    instead?: readonly Uint8Array[],
  ) => Promise<void>
  /** Forgets a transaction that waits. */
  readonly evict: (txid: string) => void
  readonly locate: (txid: string) => Promise<Whereabouts | undefined>
  /** The transaction that spends an output: one that waits, or one in the chain. */
  readonly findSpender: (txid: string, vout: number) => Promise<BcoinMeta | undefined>
  readonly close: () => Promise<void>
}

/** Blocks until segregated witness is active on bcoin's regtest, and some more. */
const FIRST_BLOCKS = 440
const TREASURY_KEY = new Uint8Array(32).fill(1)

/**
 * Opens a chain of 440 blocks whose coins belong to a treasury, or one that has the blocks of another as they are now and
 * gets no more of them.
 */
export async function openRegtest(original?: Regtest): Promise<Regtest> {
  // bcoin 1 still says `rb`.
  bcoin.Network.get('regtest').addressPrefix.bech32 = REGTEST.bech32
  const node = new bcoin.FullNode({
    network: 'regtest',
    memory: true,
    workers: false,
    listen: false,
    noDns: true,
    logLevel: 'none',
    logConsole: false,
    indexTX: true,
    indexAddress: true,
    requireStandard: true,
  })
  node.on('error', () => {})
  // Its own interface stays closed: what tests ask has the form of Bitcoin Core's and of Esplora's.
  node.http.open = async () => {}
  node.http.close = async () => {}
  await node.open()
  // Otherwise transactions of a disconnected block are not offered to the mempool again.
  node.chain.synced = true
  const treasury = p2wpkh(pubECDSA(TREASURY_KEY), REGTEST)
  node.miner.addresses = [bcoin.Address.fromString(treasury.address ?? '', 'regtest')]
  const stale = new Map<string, { readonly transaction: BcoinTransaction; readonly block: BcoinEntry }>()
  let nextCoinbase = 1

  const connect = async (parent: BcoinEntry, transactions: 'of the mempool' | readonly BcoinTransaction[]) => {
    const job = await node.miner.createJob(parent)
    if (transactions !== 'of the mempool') {
      job.attempt.items.length = 0
      job.attempt.fees = 0
      for (const transaction of transactions) job.attempt.pushTX(transaction)
      job.attempt.refresh()
    }
    const entry = await node.chain.add(await job.mineAsync())
    if (entry === null) throw new Error(`regtest: the block after ${parent.height} was not accepted`)
    return entry
  }
  const mine = async (count = 1): Promise<void> => {
    for (let index = 0; index < count; index += 1) await connect(node.chain.tip, 'of the mempool')
  }
  const submit = async (transaction: BcoinTransaction): Promise<void> => {
    // bcoin keeps what lacks an input and then calls it known; Bitcoin Core does not keep what it is sent.
    node.mempool.removeOrphan(transaction.hash('hex'))
    const missing = await node.mempool.addTX(transaction).catch((cause: { readonly reason?: string }) => {
      throw new RefusedTransaction(cause.reason ?? String(cause))
    })
    node.mempool.removeOrphan(transaction.hash('hex'))
    if (missing !== null) throw new RefusedTransaction('missing')
  }
  const entryAt = async (place: number | string): Promise<BcoinEntry> => {
    const entry = await node.chain.getEntry(place)
    if (entry === null) throw new Error(`regtest: got no block at ${place}`)
    return entry
  }

  if (original === undefined) await mine(FIRST_BLOCKS)
  else await copyBlocks(original.node, node)

  return {
    node,
    mine,
    submit,
    treasury: treasury.address ?? '',
    height: (): number => node.chain.height,
    mineExactly: async (transactions: readonly Uint8Array[]): Promise<void> => {
      await connect(node.chain.tip, transactions.map(readTransaction))
    },
    fund: async (outputs: readonly { readonly address: string; readonly amount: bigint }[]): Promise<string> => {
      const [coinbase] = (await node.chain.getBlock(nextCoinbase))?.txs ?? []
      const [reward] = coinbase?.outputs ?? []
      if (coinbase === undefined || reward === undefined) throw new Error('regtest: the treasury is empty')
      nextCoinbase += 1
      const transaction = new Transaction()
      const spent = { script: treasury.script, amount: BigInt(reward.value) }
      transaction.addInput({ txid: coinbase.txid(), index: 0, witnessUtxo: spent })
      for (const { address, amount } of outputs) transaction.addOutputAddress(address, amount, REGTEST)
      const rest = spent.amount - outputs.reduce((sum, { amount }) => sum + amount, 0n)
      transaction.addOutputAddress(treasury.address ?? '', rest, REGTEST)
      transaction.sign(TREASURY_KEY)
      transaction.finalize()
      await connect(node.chain.tip, [readTransaction(transaction.extract())])
      return transaction.id
    },
    reorganize: async (depth, transactions, instead = []) => {
      const removed: { readonly transaction: BcoinTransaction; readonly block: BcoinEntry }[] = []
      for (let height = node.chain.height - depth + 1; height <= node.chain.height; height += 1) {
        const block = await entryAt(height)
        const { txs } = (await node.chain.getBlock(block.hash)) ?? { txs: [] }
        removed.push(...txs.filter((each) => !each.isCoinbase()).map((transaction) => ({ transaction, block })))
      }
      const again = transactions === 'are included' ? removed.map(({ transaction }) => transaction) : []
      let parent = await entryAt(node.chain.height - depth)
      for (let index = 0; index <= depth; index += 1)
        parent = await connect(parent, index === 0 ? [...instead.map(readTransaction), ...again] : [])
      for (const { transaction, block } of removed) {
        stale.set(transaction.txid(), { transaction, block })
        const waiting = node.mempool.getEntry(transaction.hash('hex'))
        if (transactions === 'are lost' && waiting !== undefined) node.mempool.evictEntry(waiting)
        if (transactions === 'wait again' && waiting === undefined) await submit(transaction).catch(ignoreRefusal)
      }
    },
    evict: (txid: string): void => {
      const waiting = node.mempool.getEntry(reverseHex(txid))
      if (waiting !== undefined) node.mempool.evictEntry(waiting)
    },
    locate: async (txid: string): Promise<Whereabouts | undefined> => {
      const waiting = node.mempool.getEntry(reverseHex(txid))
      if (waiting !== undefined) return { at: 'mempool', transaction: waiting.tx }
      const meta = await node.chain.getMeta(reverseHex(txid))
      if (meta?.block) return { at: 'chain', transaction: meta.tx, block: await entryAt(meta.block) }
      const old = stale.get(txid)
      return old === undefined ? undefined : { at: 'stale', ...old }
    },
    findSpender: async (txid: string, vout: number): Promise<BcoinMeta | undefined> => {
      const hash = reverseHex(txid)
      const waiting = node.mempool.getSpent(hash, vout)
      if (waiting !== undefined) return { tx: waiting.tx, height: -1, block: null }
      const script = (await node.chain.getMeta(hash))?.tx.outputs[vout]?.script
      const address = script === undefined ? null : bcoin.Address.fromScript(script)
      const metas = address === null ? [] : await node.chain.getMetaByAddress([address])
      return metas.find(({ tx }) => tx.inputs.some(({ prevout }) => prevout.hash === hash && prevout.index === vout))
    },
    close: (): Promise<void> => node.close(),
  }
}

async function copyBlocks(from: BcoinNode, to: BcoinNode): Promise<void> {
  for (let height = 1; height <= from.chain.height; height += 1) {
    const block = await from.chain.getBlock(height)
    if (block === null || (await to.chain.add(block)) === null) throw new Error(`regtest: cannot copy block ${height}`)
  }
}

/** Reads a transaction. Throws when the bytes are none. */
export function readTransaction(raw: Uint8Array): BcoinTransaction {
  return bcoin.TX.fromRaw(Buffer.from(raw))
}

function ignoreRefusal(cause: unknown): void {
  if (!(cause instanceof RefusedTransaction)) throw cause
}
