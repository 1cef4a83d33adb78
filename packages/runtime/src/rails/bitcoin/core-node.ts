import type { SeenBlock } from '../adapter/documents.ts'
import {
  createHttpEndpoint,
  createRpcEndpoint,
  type ExactJson,
  memberOf,
  type ParsedEndpoint,
  RpcAnswerError,
  type RpcEndpoint,
  WrongNetworkError,
} from '../endpoint/index.ts'
import { type AnswerReader, answerReader, MAX_INPUTS } from './answers.ts'
import {
  type BitcoinBlock,
  type BitcoinCoin,
  type BitcoinNode,
  type BitcoinPlace,
  MAX_COINS,
  type Outpoint,
  outpointName,
  REGTEST_GENESIS,
  type Spending,
} from './node.ts'

/** Invalid address or key: also what is not found. Source: Bitcoin Core, rpc/protocol.h. */
const NOT_FOUND = -5n
/** Out of range, such as a height above the tip. Source: as above. */
const OUT_OF_RANGE = -8n
/** Blocks above the height at which an output was unspent that are searched for what spends it. */
const MAX_SEARCHED_ABOVE = 1000n
/** Blocks below it that are searched then, since a reorganisation may have put that spending there. */
const MAX_SEARCHED_BELOW = 100n
/** Transactions that a block can have: one takes at least 60 of the 1,000,000 bytes without witnesses. */
const MAX_BLOCK_TRANSACTIONS = 16_666

/**
 * Opens a node that speaks Bitcoin Core's JSON-RPC, version 25 or later, without a wallet. A transaction index (`txindex=1`)
 * is not needed, but makes observations cheaper. Source: Bitcoin Core, RPC documentation.
 */
export function createCoreNode(endpoint: ParsedEndpoint): BitcoinNode {
  const rpc = createRpcEndpoint(createHttpEndpoint(endpoint))
  const { origin } = rpc
  const read = answerReader(origin)
  const core: Core = { rpc, read }
  let isChecked = false
  return {
    origin,
    checkNetwork: async () => {
      if (isChecked) return
      const [info, genesis] = await Promise.all([rpc.read('getblockchaininfo', []), rpc.read('getblockhash', [0n])])
      const chain = memberOf(info, 'chain')
      const first = read.hash('getblockhash', genesis)
      if (chain !== 'regtest' || first !== REGTEST_GENESIS)
        throw new WrongNetworkError(origin, `${String(chain).slice(0, 32)} with first block ${first}`, 'regtest')
      isChecked = true
    },
    getHeight: async () => read.u64('getblockcount', await rpc.read('getblockcount', [])),
    listCoins: (address) => listCoins(core, address),
    isReward: async (txid) => {
      const answer = await rpc.read('gettxout', [txid, 0n, false])
      return read.flag('gettxout', memberOf(answer, 'coinbase'))
    },
    getFees: async (targetBlocks) => {
      const [pool, estimate] = await Promise.all([
        rpc.read('getmempoolinfo', []),
        rpc.read('estimatesmartfee', [BigInt(targetBlocks)]),
      ])
      const floors = ['minrelaytxfee', 'mempoolminfee'].map((key) =>
        read.bitcoin('getmempoolinfo', memberOf(pool, key)),
      )
      const rate = memberOf(estimate, 'feerate')
      return {
        floorPerKvb: floors.toSorted((left, right) => Number(right - left))[0] ?? 0n,
        estimatePerKvb: rate === undefined ? undefined : read.bitcoin('estimatesmartfee', rate),
      }
    },
    getUnspent: async ({ txid, vout }) => {
      const answer = await rpc.read('gettxout', [txid, vout, true])
      if (answer === null) return undefined
      return {
        valueAtomic: read.bitcoin('gettxout', memberOf(answer, 'value')),
        script: read.script('gettxout', memberOf(memberOf(answer, 'scriptPubKey'), 'hex')),
      }
    },
    locate: (txid, seenIn) => locate(core, txid, seenIn),
    findSpending: (outpoints, since) => findSpending(core, outpoints, since),
    getBlockId: async (height) => {
      const answer = await unlessCode(OUT_OF_RANGE, rpc.read('getblockhash', [height]))
      return answer === undefined ? undefined : read.hash('getblockhash', answer)
    },
    send: async (hex) => read.hash('sendrawtransaction', await rpc.send('sendrawtransaction', [hex])),
    close: () => rpc.close(),
  }
}

type Core = { readonly rpc: RpcEndpoint; readonly read: AnswerReader }

/** What a call gives; undefined when it is answered with an error of this code. */
async function unlessCode(code: bigint, call: Promise<ExactJson>): Promise<ExactJson | undefined> {
  try {
    return await call
  } catch (cause) {
    if (cause instanceof RpcAnswerError && cause.code === code) return undefined
    throw cause
  }
}

async function listCoins({ rpc, read }: Core, address: string) {
  const at = 'scantxoutset'
  const answer = await rpc.read(at, ['start', [`addr(${address})`]])
  if (memberOf(answer, 'success') !== true) throw read.malformed(at, 'the search was broken off')
  const height = read.u64(at, memberOf(answer, 'height'))
  const found = read.list(at, memberOf(answer, 'unspents'), MAX_COINS).map(
    (row): BitcoinCoin => ({
      ...read.outpoint(at, row),
      valueAtomic: read.bitcoin(at, memberOf(row, 'amount')),
      height: read.u64(at, memberOf(row, 'height')),
      isReward: read.flag(at, memberOf(row, 'coinbase')),
    }),
  )
  return { height, coins: await withoutSpent({ rpc, read }, found) }
}

/** The set of outputs is that of the chain: what a waiting transaction spends is still in it. */
async function withoutSpent({ rpc, read }: Core, coins: readonly BitcoinCoin[]): Promise<readonly BitcoinCoin[]> {
  if (coins.length === 0) return coins
  const at = 'gettxspendingprevout'
  const asked = coins.map(({ txid, vout }) => ({ txid, vout }))
  const rows = read.list(at, await rpc.read(at, [asked]), coins.length)
  const isSpent = rows.map((row) => memberOf(row, 'spendingtxid') !== undefined)
  if (isSpent.length !== coins.length) throw read.malformed(at, `expected ${coins.length} rows`)
  return coins.filter((_, index) => isSpent[index] === false)
}

async function locate({ rpc, read }: Core, txid: string, seenIn: BitcoinBlock | null): Promise<BitcoinPlace> {
  const at = 'getrawtransaction'
  const found =
    (await unlessCode(NOT_FOUND, rpc.read(at, [txid, true]))) ??
    (seenIn === null ? undefined : await unlessCode(NOT_FOUND, rpc.read(at, [txid, true, seenIn.blockId])))
  if (found === undefined) return { kind: 'absent' }
  if (memberOf(found, 'txid') !== txid) throw read.malformed(at, 'another transaction')
  const inputs = read.list(at, memberOf(found, 'vin'), MAX_INPUTS).map((row) => read.outpoint(at, row))
  const blockId = memberOf(found, 'blockhash')
  if (blockId === undefined) return { kind: 'pool', inputs }
  const block = await canonicalBlock({ rpc, read }, read.hash(at, blockId))
  return block === undefined ? { kind: 'stale' } : { kind: 'block', block, inputs }
}

/** A block of the chain; undefined when it is not, or no longer, part of it. */
async function canonicalBlock({ rpc, read }: Core, blockId: string): Promise<SeenBlock | undefined> {
  const at = 'getblockheader'
  const header = await unlessCode(NOT_FOUND, rpc.read(at, [blockId]))
  const depth = memberOf(header, 'confirmations')
  if (header === undefined || (typeof depth === 'bigint' && depth < 1n)) return undefined
  return { height: read.u64(at, memberOf(header, 'height')), blockId, confirmations: read.u64(at, depth) }
}

async function findSpending(core: Core, outpoints: readonly Outpoint[], since: bigint): Promise<Spending | undefined> {
  const { rpc, read } = core
  const unspent = await Promise.all(outpoints.map(({ txid, vout }) => rpc.read('gettxout', [txid, vout, false])))
  // What is gone is spent in the chain, or no longer there at all; no index tells which, or by what.
  const gone = outpoints.filter((_, index) => unspent[index] === null)
  const found = gone.length === 0 ? undefined : await searchBlocks(core, new Set(gone.map(outpointName)), since)
  if (found !== undefined) return found
  const at = 'gettxspendingprevout'
  const asked = outpoints.map(({ txid, vout }) => ({ txid, vout }))
  const rows = read.list(at, await rpc.read(at, [asked]), outpoints.length)
  const spender = rows.map((row) => memberOf(row, 'spendingtxid')).find((txid) => txid !== undefined)
  return spender === undefined ? undefined : { txid: read.hash(at, spender), block: null }
}

async function searchBlocks(core: Core, names: ReadonlySet<string>, since: bigint): Promise<Spending | undefined> {
  const { rpc, read } = core
  const tip = read.u64('getblockcount', await rpc.read('getblockcount', []))
  const last = since + MAX_SEARCHED_ABOVE < tip ? since + MAX_SEARCHED_ABOVE : tip
  for (let height = since + 1n; height <= last; height += 1n) {
    const found = await spendingAt(core, names, height)
    if (found !== undefined) return found
  }
  const first = since > MAX_SEARCHED_BELOW ? since - MAX_SEARCHED_BELOW : 1n
  for (let height = since < tip ? since : tip; height >= first; height -= 1n) {
    const found = await spendingAt(core, names, height)
    if (found !== undefined) return found
  }
  return undefined
}

async function spendingAt(
  { rpc, read }: Core,
  names: ReadonlySet<string>,
  height: bigint,
): Promise<Spending | undefined> {
  const at = 'getblock'
  const hash = await unlessCode(OUT_OF_RANGE, rpc.read('getblockhash', [height]))
  if (hash === undefined) return undefined
  const blockId = read.hash('getblockhash', hash)
  const block = await rpc.read(at, [blockId, 2n])
  const spends = (row: ExactJson): boolean => names.has(`${memberOf(row, 'txid')}:${memberOf(row, 'vout')}`)
  const found = read
    .list(at, memberOf(block, 'tx'), MAX_BLOCK_TRANSACTIONS)
    .find((row) => read.list(at, memberOf(row, 'vin'), MAX_INPUTS).some(spends))
  return found === undefined ? undefined : { txid: read.hash(at, memberOf(found, 'txid')), block: { height, blockId } }
}
