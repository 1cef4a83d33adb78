import {
  type ChainServer,
  JsonRpcFailure,
  type JsonRpcMethods,
  jsonNumber,
  startJsonRpcServer,
} from '../json-rpc-server.ts'
import { type BcoinCoin, type BcoinEntry, type BcoinTransaction, bcoin, reverseHex } from './bcoin.ts'
import { RefusedTransaction, type Regtest, readTransaction } from './regtest.ts'

/** User and password that the node asks for. */
export const CORE_USER = { name: 'operator', password: 'for tests only' } as const

/** What a node answers with instead of what is so. */
export type CoreOptions = {
  /** Whether transactions can be found by their id; a node without this index refuses that. */
  readonly hasTransactionIndex?: boolean
  /** The chain that the node says it is on. */
  readonly chainName?: string
  /** The fee that the node estimates, BTC per kilobyte; without it there is not enough data, as usual on regtest. */
  readonly estimatedFee?: () => string | undefined
  /** The fee below which the node takes nothing now, BTC per kilobyte. */
  readonly poolFloor?: () => string
}

/**
 * Starts an interface like that of Bitcoin Core 28 on loopback: its methods, its units (BTC with eight decimals), its error
 * codes, and status 500 for errors that answer a request without version 2.0. Source: Bitcoin Core, RPC documentation.
 */
export function startCore(regtest: Regtest, options: CoreOptions = {}): Promise<ChainServer> {
  const pair = Buffer.from(`${CORE_USER.name}:${CORE_USER.password}`, 'utf8').toString('base64')
  return startJsonRpcServer({
    methods: methodsOf(regtest, options),
    authorization: `Basic ${pair}`,
    errorStatus: ({ jsonrpc, code }) => (jsonrpc === '2.0' ? 200 : code === -32601 ? 404 : 500),
  })
}

const MIN_RELAY_FEE = '0.00001000'

function methodsOf(regtest: Regtest, options: CoreOptions): JsonRpcMethods {
  const { hasTransactionIndex = true, chainName = 'regtest', estimatedFee, poolFloor = () => MIN_RELAY_FEE } = options
  const { node } = regtest
  const { chain, mempool } = node
  return {
    getblockchaininfo: () => ({
      ...{ chain: chainName, blocks: chain.height, headers: chain.height, bestblockhash: chain.tip.rhash() },
      ...{ initialblockdownload: false, pruned: false, warnings: [] },
    }),
    getindexinfo: ([name]) =>
      hasTransactionIndex && (name === undefined || name === 'txindex')
        ? { txindex: { synced: true, best_block_height: chain.height } }
        : {},
    getblockcount: () => chain.height,
    getbestblockhash: () => chain.tip.rhash(),
    getblockhash: async ([height]) => {
      if (Number(height) > chain.height || Number(height) < 0) throw new JsonRpcFailure(-8, 'Block height out of range')
      return (await entryAt(regtest, Number(height))).rhash()
    },
    getblockheader: async ([hash]) => headerOf(regtest, await entryAt(regtest, reverseHex(String(hash)))),
    getblock: async ([hash, verbosity]) => {
      const entry = await entryAt(regtest, reverseHex(String(hash)))
      const { txs } = (await chain.getBlock(entry.hash)) ?? { txs: [] }
      const tx = verbosity === 2 ? txs.map((each) => describe(each)) : txs.map((each) => each.txid())
      return { ...(await headerOf(regtest, entry)), nTx: txs.length, tx }
    },
    getrawtransaction: async ([txid, verbose, blockhash]) => {
      if (blockhash !== undefined) return transactionIn(regtest, String(txid), String(blockhash))
      const found = await regtest.locate(String(txid))
      if (found === undefined || (found.at !== 'mempool' && !hasTransactionIndex))
        throw new JsonRpcFailure(
          -5,
          hasTransactionIndex
            ? 'No such mempool or blockchain transaction. Use gettransaction for wallet transactions.'
            : 'No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries.',
        )
      if (verbose !== true && verbose !== 1) return found.transaction.toRaw().toString('hex')
      const shown = { ...describe(found.transaction), hex: found.transaction.toRaw().toString('hex') }
      if (found.at === 'mempool') return shown
      const confirmations = found.at === 'stale' ? 0 : chain.height - found.block.height + 1
      return { ...shown, blockhash: found.block.rhash(), confirmations }
    },
    gettxout: async ([txid, vout, withMempool]) => {
      const hash = reverseHex(String(txid))
      if (withMempool !== false && mempool.getSpent(hash, Number(vout)) !== undefined) return null
      const coin = await chain.getCoin(hash, Number(vout))
      if (coin !== null)
        return {
          ...{ bestblock: chain.tip.rhash(), confirmations: chain.height - coin.height + 1, value: btc(coin.value) },
          ...{ scriptPubKey: { hex: coin.script.toRaw().toString('hex') }, coinbase: coin.coinbase },
        }
      const output = withMempool === false ? undefined : mempool.getEntry(hash)?.tx.outputs[Number(vout)]
      if (output === undefined) return null
      return {
        ...{ bestblock: chain.tip.rhash(), confirmations: 0, value: btc(output.value), coinbase: false },
        scriptPubKey: { hex: output.script.toRaw().toString('hex') },
      }
    },
    scantxoutset: async ([action, scanned]) => {
      if (action !== 'start' || !Array.isArray(scanned)) throw new JsonRpcFailure(-8, 'Invalid action')
      const coins = (await Promise.all(scanned.map((text) => coinsOf(regtest, String(text))))).flat()
      return {
        ...{ success: true, txouts: coins.length, height: chain.height, bestblock: chain.tip.rhash() },
        unspents: coins.map((coin) => ({
          ...{ txid: reverseHex(coin.hash), vout: coin.index, scriptPubKey: coin.script.toRaw().toString('hex') },
          ...{ desc: scanned[0], amount: btc(coin.value), coinbase: coin.coinbase, height: coin.height },
        })),
        total_amount: btc(coins.reduce((sum, { value }) => sum + value, 0)),
      }
    },
    getmempoolinfo: () => ({
      ...{ loaded: true, size: mempool.map.size, minrelaytxfee: jsonNumber(MIN_RELAY_FEE) },
      mempoolminfee: jsonNumber(poolFloor()),
    }),
    gettxspendingprevout: ([outpoints]) =>
      (Array.isArray(outpoints) ? outpoints : []).map(({ txid, vout }: { txid: string; vout: number }) => {
        const spender = mempool.getSpent(reverseHex(txid), vout)
        return { txid, vout, ...(spender === undefined ? {} : { spendingtxid: spender.tx.txid() }) }
      }),
    getmempoolentry: ([txid]) => {
      const entry = mempool.getEntry(reverseHex(String(txid)))
      if (entry === undefined) throw new JsonRpcFailure(-5, 'Transaction not in mempool')
      return { vsize: entry.tx.getVirtualSize(), fees: { base: btc(entry.fee) } }
    },
    estimatesmartfee: () => {
      const feerate = estimatedFee?.()
      if (feerate === undefined) return { errors: ['Insufficient data or no feerate found'], blocks: 2 }
      return { feerate: jsonNumber(feerate), blocks: 2 }
    },
    sendrawtransaction: ([hex]) => sendRaw(regtest, String(hex)),
  }
}

/** A transaction in a block that is named, of the chain or not. */
async function transactionIn(regtest: Regtest, txid: string, blockhash: string): Promise<unknown> {
  const entry = await entryAt(regtest, reverseHex(blockhash))
  const found = (await regtest.node.chain.getBlock(entry.hash))?.txs.find((each) => each.txid() === txid)
  if (found === undefined) throw new JsonRpcFailure(-5, 'No such transaction found in the provided block.')
  const { confirmations } = await headerOf(regtest, entry)
  return {
    ...{ in_active_chain: confirmations > 0, ...describe(found), hex: found.toRaw().toString('hex') },
    ...{ blockhash, confirmations: Math.max(confirmations, 0) },
  }
}

async function sendRaw(regtest: Regtest, hex: string): Promise<string> {
  const transaction = decode(hex)
  const found = await regtest.locate(transaction.txid())
  // What waits already is announced again, which is a success.
  if (found?.at === 'mempool') return transaction.txid()
  if (found?.at === 'chain' && (await hasUnspentOutput(regtest, transaction)))
    throw new JsonRpcFailure(-27, 'Transaction outputs already in utxo set')
  try {
    await regtest.submit(transaction)
  } catch (cause) {
    if (!(cause instanceof RefusedTransaction)) throw cause
    throw refusalOf(cause.reason)
  }
  return transaction.txid()
}

function refusalOf(reason: string): JsonRpcFailure {
  switch (reason) {
    case 'missing':
    case 'bad-txns-inputs-missingorspent':
      return new JsonRpcFailure(-25, 'bad-txns-inputs-missingorspent')
    case 'bad-txns-inputs-spent':
      return new JsonRpcFailure(-26, 'txn-mempool-conflict')
    case 'insufficient priority':
      return new JsonRpcFailure(-26, 'min relay fee not met')
    default:
      return new JsonRpcFailure(-26, reason)
  }
}

function decode(hex: string): BcoinTransaction {
  try {
    const transaction = readTransaction(Buffer.from(hex, 'hex'))
    if (transaction.toRaw().toString('hex') === hex) return transaction
  } catch {
    // answered below
  }
  throw new JsonRpcFailure(-22, 'TX decode failed. Make sure the tx has at least one input.')
}

async function hasUnspentOutput({ node }: Regtest, transaction: BcoinTransaction): Promise<boolean> {
  const coins = transaction.outputs.map((_, index) => node.chain.getCoin(transaction.hash('hex'), index))
  return (await Promise.all(coins)).some((coin) => coin !== null)
}

/** The unspent outputs of `addr(…)` or `raw(…)`. */
async function coinsOf({ node }: Regtest, descriptor: string): Promise<readonly BcoinCoin[]> {
  const address = /^addr\((bcrt1[02-9ac-hj-np-z]+)\)(?:#\w{8})?$/.exec(descriptor)?.[1]
  if (address === undefined) throw new JsonRpcFailure(-5, `'${descriptor}' is not a valid descriptor function`)
  return node.chain.getCoinsByAddress([bcoin.Address.fromString(address, 'regtest')])
}

async function entryAt({ node }: Regtest, place: number | string): Promise<BcoinEntry> {
  const entry = await node.chain.getEntry(place)
  if (entry === null) throw new JsonRpcFailure(-5, 'Block not found')
  return entry
}

async function headerOf({ node }: Regtest, entry: BcoinEntry) {
  const isMain = await node.chain.isMainChain(entry)
  return {
    ...{ hash: entry.rhash(), height: entry.height, time: entry.time },
    ...{ confirmations: isMain ? node.chain.height - entry.height + 1 : -1 },
    previousblockhash: reverseHex(entry.prevBlock),
  }
}

function describe(transaction: BcoinTransaction) {
  return {
    ...{ txid: transaction.txid(), version: transaction.version, locktime: transaction.locktime },
    ...{ vsize: transaction.getVirtualSize(), weight: transaction.getWeight() },
    vin: transaction.inputs.map(({ prevout, sequence }) =>
      transaction.isCoinbase() ? { coinbase: '', sequence } : { txid: prevout.rhash(), vout: prevout.index, sequence },
    ),
    vout: transaction.outputs.map(({ value, script }, n) => ({
      ...{ value: btc(value), n, scriptPubKey: { hex: script.toRaw().toString('hex') } },
    })),
  }
}

/** An amount as Bitcoin Core writes it. */
function btc(satoshi: number): string {
  return jsonNumber((satoshi / 1e8).toFixed(8))
}
