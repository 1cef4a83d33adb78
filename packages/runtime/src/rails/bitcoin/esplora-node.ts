import {
  createHttpEndpoint,
  EndpointFaultError,
  type ExactJson,
  type HttpEndpoint,
  isExactObject,
  memberOf,
  type ParsedEndpoint,
  parseExactJson,
  RpcAnswerError,
  WrongNetworkError,
} from '../endpoint/index.ts'
import { type AnswerReader, answerReader, MAX_INPUTS } from './answers.ts'
import {
  type BitcoinBlock,
  type BitcoinCoin,
  type BitcoinNode,
  MAX_COINS,
  REGTEST_GENESIS,
  type Spending,
  seenBlock,
} from './node.ts'

/** What a transaction must pay to be relayed, satoshi per 1000 virtual bytes; Esplora does not tell. Source: Bitcoin Core 29. */
const USUAL_FLOOR_PER_KVB = 1000n

/** Opens a node behind Esplora's HTTP API. Source: Esplora, API.md. */
export function createEsploraNode(endpoint: ParsedEndpoint): BitcoinNode {
  const http = createHttpEndpoint(endpoint)
  const { origin } = http
  const read = answerReader(origin)
  const esplora: Esplora = { http, read }
  let isChecked = false
  /** By transaction id; what was answered never changes. */
  const rewards = new Map<string, Promise<boolean>>()
  return {
    origin,
    checkNetwork: async () => {
      if (isChecked) return
      const first = read.hash('/block-height/0', await askText(esplora, '/block-height/0'))
      if (first !== REGTEST_GENESIS) throw new WrongNetworkError(origin, `a chain with first block ${first}`, 'regtest')
      isChecked = true
    },
    getHeight: () => tipHeight(esplora),
    listCoins: async (address) => {
      const rows = await ask(esplora, `/address/${address}/utxo`)
      const height = await tipHeight(esplora)
      const confirmed = read
        .list('/utxo', rows, MAX_COINS)
        .filter((row) => memberOf(memberOf(row, 'status'), 'confirmed') === true)
      return { height, coins: confirmed.map((row) => readCoin(esplora, row)) }
    },
    isReward: (txid) => {
      const known = rewards.get(txid)
      if (known !== undefined) return known
      const asked = isReward(esplora, txid)
      if (rewards.size >= MAX_COINS) rewards.clear()
      rewards.set(txid, asked)
      asked.catch(() => rewards.delete(txid))
      return asked
    },
    getFees: async (targetBlocks) => {
      const estimates = await ask(esplora, '/fee-estimates')
      const estimate = memberOf(estimates, `${targetBlocks}`)
      if (!isExactObject(estimates)) throw read.malformed('/fee-estimates', 'expected an object')
      return {
        floorPerKvb: USUAL_FLOOR_PER_KVB,
        estimatePerKvb: estimate === undefined ? undefined : read.scaledUp('/fee-estimates', estimate, 3),
      }
    },
    getUnspent: async ({ txid, vout }) => {
      const [transaction, spending] = await Promise.all([
        askUnlessMissing(esplora, `/tx/${txid}`),
        ask(esplora, `/tx/${txid}/outspend/${vout}`),
      ])
      if (transaction === undefined || read.flag('/outspend', memberOf(spending, 'spent'))) return undefined
      const output = read.list('/tx', memberOf(transaction, 'vout'), MAX_OUTPUTS)[Number(vout)]
      if (output === undefined) return undefined
      return {
        valueAtomic: read.satoshi('/tx', memberOf(output, 'value')),
        script: read.script('/tx', memberOf(output, 'scriptpubkey')),
      }
    },
    locate: async (txid) => {
      const [found, height] = await Promise.all([askUnlessMissing(esplora, `/tx/${txid}`), tipHeight(esplora)])
      if (found === undefined) return { kind: 'absent' }
      if (memberOf(found, 'txid') !== txid) throw read.malformed('/tx', 'another transaction')
      const inputs = read.list('/tx', memberOf(found, 'vin'), MAX_INPUTS).map((row) => read.outpoint('/tx', row))
      const block = blockOf(read, memberOf(found, 'status'))
      return block === null ? { kind: 'pool', inputs } : { kind: 'block', block: seenBlock(block, height), inputs }
    },
    findSpending: async (outpoints) => {
      let waiting: Spending | undefined
      for (const { txid, vout } of outpoints) {
        const answer = await ask(esplora, `/tx/${txid}/outspend/${vout}`)
        if (!read.flag('/outspend', memberOf(answer, 'spent'))) continue
        const block = blockOf(read, memberOf(answer, 'status'))
        const spending = { txid: read.hash('/outspend', memberOf(answer, 'txid')), block }
        if (block !== null) return spending
        waiting ??= spending
      }
      return waiting
    },
    getBlockId: async (height) => {
      const answer = await exchange(esplora, `/block-height/${height}`)
      return answer.status === NOT_FOUND
        ? undefined
        : read.hash('/block-height', textOf(esplora, '/block-height', answer))
    },
    send: (hex) => send(esplora, hex),
    close: () => http.close(),
  }
}

type Esplora = { readonly http: HttpEndpoint; readonly read: AnswerReader }
type Answer = { readonly status: number; readonly text: string }

const OK = 200
const BAD_REQUEST = 400
const NOT_FOUND = 404
/** Outputs that a transaction can have: one takes at least 9 of the 1,000,000 bytes of a block without witnesses. */
const MAX_OUTPUTS = 111_111

/** Asks for something that changes nothing; a second time when a connection that was kept open turns out dead. */
async function exchange({ http }: Esplora, path: string): Promise<Answer> {
  try {
    return await http.exchange({ method: 'GET', path, isolated: false })
  } catch (cause) {
    if (!(cause instanceof EndpointFaultError) || cause.fault !== 'connection-lost') throw cause
    return http.exchange({ method: 'GET', path, isolated: true })
  }
}

function textOf({ http }: Esplora, at: string, { status, text }: Answer): string {
  if (status === OK) return text
  throw new EndpointFaultError(http.origin, 'status', 'uncertain', `${at} was answered with status ${status}`)
}

async function askText(esplora: Esplora, path: string): Promise<string> {
  return textOf(esplora, path, await exchange(esplora, path))
}

async function ask(esplora: Esplora, path: string): Promise<ExactJson> {
  return jsonOf(esplora, path, await exchange(esplora, path))
}

function jsonOf(esplora: Esplora, path: string, answer: Answer): ExactJson {
  const value = parseExactJson(textOf(esplora, path, answer))
  if (value === undefined) throw esplora.read.malformed(path, 'not JSON')
  return value
}

async function askUnlessMissing(esplora: Esplora, path: string): Promise<ExactJson | undefined> {
  const answer = await exchange(esplora, path)
  return answer.status === NOT_FOUND ? undefined : jsonOf(esplora, path, answer)
}

async function tipHeight(esplora: Esplora): Promise<bigint> {
  return esplora.read.u64('/blocks/tip/height', await ask(esplora, '/blocks/tip/height'))
}

function blockOf(read: AnswerReader, status: ExactJson | undefined): BitcoinBlock | null {
  if (!read.flag('status', memberOf(status, 'confirmed'))) return null
  return {
    height: read.u64('status', memberOf(status, 'block_height')),
    blockId: read.hash('status', memberOf(status, 'block_hash')),
  }
}

async function isReward(esplora: Esplora, txid: string): Promise<boolean> {
  const { read } = esplora
  const [first] = read.list('/tx', memberOf(await ask(esplora, `/tx/${txid}`), 'vin'), MAX_INPUTS)
  return read.flag('/tx', memberOf(first, 'is_coinbase'))
}

function readCoin({ read }: Esplora, row: ExactJson): BitcoinCoin {
  return {
    ...read.outpoint('/utxo', row),
    valueAtomic: read.satoshi('/utxo', memberOf(row, 'value')),
    height: read.u64('/utxo', memberOf(memberOf(row, 'status'), 'block_height')),
    isReward: undefined,
  }
}

/** Esplora passes on what Bitcoin Core answered, in one of two forms, with its code. */
const REFUSAL = /RPC error:? ?(?:\{"code":)?(-\d{1,6})\b/

async function send({ http, read }: Esplora, hex: string): Promise<string> {
  const request = { method: 'POST', path: '/tx', body: hex, contentType: 'text/plain', isolated: true } as const
  const answer = await http.exchange(request)
  const code = answer.status === BAD_REQUEST ? REFUSAL.exec(answer.text.slice(0, 1000))?.[1] : undefined
  if (code !== undefined) throw new RpcAnswerError(http.origin, 'POST /tx', BigInt(code), answer.text)
  return read.hash('POST /tx', textOf({ http, read }, 'POST /tx', answer).trim())
}
