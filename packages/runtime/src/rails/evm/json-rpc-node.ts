import { SEPOLIA_CHAIN_ID, U64_MAX } from '@oikos/core/economic'
import { bytesToHex, hexToBigInt, isHex, numberToHex } from 'viem'
import {
  createHttpEndpoint,
  createRpcEndpoint,
  EndpointFaultError,
  type ExactJson,
  isExactArray,
  isExactObject,
  memberOf,
  type ParsedEndpoint,
  WrongNetworkError,
} from '../endpoint/index.ts'
import type { EvmBlock, EvmBlockTag, EvmInclusion, EvmNode } from './node.ts'

/** Transactions of a block that are read at most; a block of Ethereum holds a few thousand. */
const MAX_BLOCK_TRANSACTIONS = 20_000
/** What a receipt says when the transaction did what it was made for. Source: EIP-658. */
const SUCCESS = 1n

/** Opens a node over HTTP. Source: Ethereum JSON-RPC specification (execution-apis). */
export function createJsonRpcNode(parsed: ParsedEndpoint): EvmNode {
  const endpoint = createRpcEndpoint(createHttpEndpoint(parsed))
  const { origin } = endpoint
  const read = readerOf(origin)
  const askBlock = (at: EvmBlockTag | 'latest', isFull: boolean): Promise<ExactJson> =>
    endpoint.read('eth_getBlockByNumber', [tagOf(at), isFull])

  return {
    origin,
    checkNetwork: async () => {
      const got = read.quantity('eth_chainId', await endpoint.read('eth_chainId', []))
      if (got !== SEPOLIA_CHAIN_ID) throw new WrongNetworkError(origin, `${got}`, `${SEPOLIA_CHAIN_ID}`)
    },
    getHead: async () => read.block(await askBlock('latest', false)),
    getBlock: async (at) => {
      const answer = await askBlock(at, false)
      return answer === null ? undefined : read.block(answer)
    },
    listSlots: async (height) => {
      const answer = await askBlock(height, true)
      if (answer === null) return undefined
      const rows = memberOf(answer, 'transactions')
      if (!isExactArray(rows) || rows.length > MAX_BLOCK_TRANSACTIONS)
        throw read.malformed('eth_getBlockByNumber', 'expected a list of transactions')
      return rows.map((row) => ({ transactionId: read.hash('eth_getBlockByNumber', row, 'hash'), ...read.slot(row) }))
    },
    getNonce: async (account, at) =>
      read.u64('eth_getTransactionCount', await endpoint.read('eth_getTransactionCount', [account, tagOf(at)])),
    getBalance: async (account, at) =>
      read.quantity('eth_getBalance', await endpoint.read('eth_getBalance', [account, at])),
    getPriorityFee: async () =>
      read.u64('eth_maxPriorityFeePerGas', await endpoint.read('eth_maxPriorityFeePerGas', [])),
    estimateGas: async ({ from, to, value }) =>
      read.u64('eth_estimateGas', await endpoint.read('eth_estimateGas', [{ from, to, value: numberToHex(value) }])),
    getInclusion: async (transactionId) => {
      const answer = await endpoint.read('eth_getTransactionReceipt', [transactionId])
      return answer === null ? undefined : read.inclusion(transactionId, answer)
    },
    getTransaction: async (transactionId) => {
      const answer = await endpoint.read('eth_getTransactionByHash', [transactionId])
      if (answer === null) return undefined
      if (read.hash('eth_getTransactionByHash', answer, 'hash') !== transactionId)
        throw read.malformed('eth_getTransactionByHash', 'another transaction')
      return read.slot(answer)
    },
    send: async (signedTransaction) =>
      read.text(
        'eth_sendRawTransaction',
        await endpoint.send('eth_sendRawTransaction', [bytesToHex(signedTransaction)]),
      ),
    close: () => endpoint.close(),
  }
}

function tagOf(at: EvmBlockTag | 'latest' | 'pending'): string {
  return typeof at === 'bigint' ? numberToHex(at) : at
}

/** `0x` and 1 to 64 digits: what fits 256 bits. */
const MAX_QUANTITY_LENGTH = 66
const HASH_LENGTH = 66
const ADDRESS_LENGTH = 42

/** Reads answers strictly; what does not fit is `malformed`. */
function readerOf(origin: string) {
  const malformed = (method: string, detail: string): EndpointFaultError =>
    new EndpointFaultError(origin, 'malformed', 'uncertain', `${method}: ${detail}`)
  const quantity = (method: string, value: ExactJson | undefined): bigint => {
    if (!isHex(value) || value.length < 3 || value.length > MAX_QUANTITY_LENGTH)
      throw malformed(method, 'expected a quantity')
    return hexToBigInt(value)
  }
  const u64 = (method: string, value: ExactJson | undefined): bigint => {
    const number = quantity(method, value)
    if (number > U64_MAX) throw malformed(method, 'expected at most 2^64-1')
    return number
  }
  const fixed = (method: string, object: ExactJson, key: string, length: number): string => {
    const value = memberOf(object, key)
    if (!isHex(value) || value.length !== length) throw malformed(method, `expected ${key} of ${length} characters`)
    return value.toLowerCase()
  }
  const hash = (method: string, object: ExactJson, key: string): string => fixed(method, object, key, HASH_LENGTH)
  return {
    malformed,
    quantity,
    u64,
    hash,
    text: (method: string, value: ExactJson): string => {
      if (typeof value !== 'string' || value.length > HASH_LENGTH) throw malformed(method, 'expected a hash')
      return value.toLowerCase()
    },
    block: (answer: ExactJson): EvmBlock => {
      const method = 'eth_getBlockByNumber'
      if (!isExactObject(answer)) throw malformed(method, 'expected a block')
      return {
        height: u64(method, memberOf(answer, 'number')),
        blockId: hash(method, answer, 'hash'),
        timestampSec: u64(method, memberOf(answer, 'timestamp')),
        baseFeePerGas: u64(method, memberOf(answer, 'baseFeePerGas')),
      }
    },
    slot: (row: ExactJson) => ({
      from: fixed('transaction', row, 'from', ADDRESS_LENGTH),
      nonce: u64('transaction', memberOf(row, 'nonce')),
    }),
    inclusion: (transactionId: string, answer: ExactJson): EvmInclusion => {
      const method = 'eth_getTransactionReceipt'
      if (hash(method, answer, 'transactionHash') !== transactionId) throw malformed(method, 'another transaction')
      return {
        height: u64(method, memberOf(answer, 'blockNumber')),
        blockId: hash(method, answer, 'blockHash'),
        hasSucceeded: u64(method, memberOf(answer, 'status')) === SUCCESS,
      }
    },
  }
}
