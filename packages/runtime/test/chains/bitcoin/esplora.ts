import { type ChainServer, type HttpAnswer, json, startHttpServer } from '../json-rpc-server.ts'
import { type BcoinEntry, type BcoinTransaction, bcoin, reverseHex } from './bcoin.ts'
import { RefusedTransaction, type Regtest, readTransaction } from './regtest.ts'

/** What the server answers with instead of what is so. */
export type EsploraOptions = {
  /** Satoshi per virtual byte by blocks; empty, as usual on regtest, without it. */
  readonly feeEstimates?: () => Readonly<Record<string, number>>
  /** The first block that the server names instead of its own. */
  readonly genesis?: string
}

/** A path with its parts, and what it answers. */
type Route = { readonly pattern: RegExp; readonly answer: (...parts: readonly string[]) => Promise<HttpAnswer> }

/** Starts an HTTP API like that of Esplora on loopback. Source: Esplora, API.md. */
export function startEsplora(regtest: Regtest, options: EsploraOptions = {}): Promise<ChainServer> {
  const routes = routesOf(regtest, options)
  return startHttpServer(async (request, body) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'POST') return pathname === '/tx' ? postTransaction(regtest, body.trim()) : notFound('path')
    for (const { pattern, answer } of routes) {
      const match = pattern.exec(pathname)
      if (match !== null) return answer(...match.slice(1))
    }
    return notFound('path')
  })
}

function routesOf(regtest: Regtest, { feeEstimates = () => ({}), genesis }: EsploraOptions): readonly Route[] {
  const { chain } = regtest.node
  const withTransaction = async (txid: string, answer: (known: Known) => Promise<HttpAnswer>): Promise<HttpAnswer> => {
    const found = await regtest.locate(txid)
    if (found === undefined || found.at === 'stale') return notFound('Transaction not found')
    return answer({ transaction: found.transaction, block: found.at === 'chain' ? found.block : undefined })
  }
  return [
    { pattern: /^\/blocks\/tip\/height$/, answer: async () => text(200, `${chain.height}`) },
    { pattern: /^\/blocks\/tip\/hash$/, answer: async () => text(200, chain.tip.rhash()) },
    {
      pattern: /^\/block-height\/(\d+)$/,
      answer: async (height = '') => {
        if (height === '0' && genesis !== undefined) return text(200, genesis)
        const entry = Number(height) <= chain.height ? await chain.getEntry(Number(height)) : null
        return entry === null ? notFound('Block not found') : text(200, entry.rhash())
      },
    },
    {
      pattern: /^\/block\/([0-9a-f]{64})$/,
      answer: async (hash = '') => {
        const entry = await chain.getEntry(reverseHex(hash))
        if (entry === null) return notFound('Block not found')
        const { height, time: timestamp } = entry
        return json(200, { id: hash, height, timestamp, previousblockhash: reverseHex(entry.prevBlock) })
      },
    },
    {
      pattern: /^\/block\/([0-9a-f]{64})\/status$/,
      answer: async (hash = '') => {
        const entry = await chain.getEntry(reverseHex(hash))
        if (entry === null || !(await chain.isMainChain(entry))) return json(200, { in_best_chain: false })
        return json(200, { in_best_chain: true, height: entry.height })
      },
    },
    {
      pattern: /^\/tx\/([0-9a-f]{64})$/,
      answer: (txid = '') =>
        withTransaction(txid, async (known) =>
          json(200, { ...describe(known.transaction), status: statusOf(known.block) }),
        ),
    },
    {
      pattern: /^\/tx\/([0-9a-f]{64})\/status$/,
      answer: (txid = '') => withTransaction(txid, async (known) => json(200, statusOf(known.block))),
    },
    {
      pattern: /^\/tx\/([0-9a-f]{64})\/outspend\/(\d+)$/,
      answer: async (txid = '', vout = '') => json(200, await spendingOf(regtest, txid, Number(vout))),
    },
    {
      pattern: /^\/address\/(bcrt1[02-9ac-hj-np-z]+)\/utxo$/,
      answer: async (address = '') => json(200, await unspent(regtest, address)),
    },
    { pattern: /^\/fee-estimates$/, answer: async () => json(200, feeEstimates()) },
  ]
}

type Known = { readonly transaction: BcoinTransaction; readonly block: BcoinEntry | undefined }

async function postTransaction(regtest: Regtest, hex: string): Promise<HttpAnswer> {
  const refuse = (code: number, message: string) =>
    text(400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`)
  let transaction: BcoinTransaction
  try {
    transaction = readTransaction(Buffer.from(hex, 'hex'))
  } catch {
    return refuse(-22, 'TX decode failed. Make sure the tx has at least one input.')
  }
  const found = await regtest.locate(transaction.txid())
  if (found?.at === 'mempool') return text(200, transaction.txid())
  if (found?.at === 'chain') return refuse(-27, 'Transaction outputs already in utxo set')
  try {
    await regtest.submit(transaction)
    return text(200, transaction.txid())
  } catch (cause) {
    if (!(cause instanceof RefusedTransaction)) throw cause
    if (cause.reason === 'missing') return refuse(-25, 'bad-txns-inputs-missingorspent')
    return refuse(-26, cause.reason === 'bad-txns-inputs-spent' ? 'txn-mempool-conflict' : cause.reason)
  }
}

async function spendingOf(regtest: Regtest, txid: string, vout: number): Promise<unknown> {
  const spender = await regtest.findSpender(txid, vout)
  if (spender === undefined) return { spent: false }
  const block = spender.block === null ? null : await regtest.node.chain.getEntry(spender.block)
  const vin = spender.tx.inputs.findIndex(({ prevout }) => prevout.rhash() === txid && prevout.index === vout)
  return { spent: true, txid: spender.tx.txid(), vin, status: statusOf(block ?? undefined) }
}

async function unspent(regtest: Regtest, address: string): Promise<readonly unknown[]> {
  const { chain, mempool } = regtest.node
  const script = bcoin.Address.fromString(address, 'regtest')
  const coins = (await chain.getCoinsByAddress([script])).filter(
    ({ hash, index }) => mempool.getSpent(hash, index) === undefined,
  )
  const confirmed = coins.map(async ({ hash, index, value, height }) => {
    const block = await chain.getEntry(height)
    return { txid: reverseHex(hash), vout: index, value, status: statusOf(block ?? undefined) }
  })
  const waiting = [...mempool.map.values()].flatMap(({ tx }) =>
    tx.outputs.flatMap((output, vout) =>
      bcoin.Address.fromScript(output.script)?.toString('regtest') === address &&
      mempool.getSpent(tx.hash('hex'), vout) === undefined
        ? [{ txid: tx.txid(), vout, value: output.value, status: statusOf(undefined) }]
        : [],
    ),
  )
  return [...(await Promise.all(confirmed)), ...waiting]
}

function statusOf(block: BcoinEntry | undefined) {
  if (block === undefined) return { confirmed: false }
  return { confirmed: true, block_height: block.height, block_hash: block.rhash(), block_time: block.time }
}

function describe(transaction: BcoinTransaction) {
  return {
    ...{ txid: transaction.txid(), version: transaction.version, locktime: transaction.locktime },
    ...{ size: transaction.toRaw().length, weight: transaction.getWeight() },
    vin: transaction.inputs.map(({ prevout, sequence }) => ({
      ...{ txid: prevout.rhash(), vout: prevout.index, is_coinbase: transaction.isCoinbase(), sequence },
    })),
    vout: transaction.outputs.map(({ value, script }) => ({ scriptpubkey: script.toRaw().toString('hex'), value })),
  }
}

function text(status: number, body: string): HttpAnswer {
  return { status, type: 'text/plain', body }
}

function notFound(what: string): HttpAnswer {
  return text(404, what)
}
