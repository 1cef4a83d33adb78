import { afterEach, describe, expect, test } from 'vitest'
import { type ChainServer, type JsonRpcMethods, startJsonRpcServer } from '../../../test/chains/json-rpc-server.ts'
import { parseEndpointOptions, RpcAnswerError, WrongNetworkError } from '../endpoint/index.ts'
import { createJsonRpcNode } from './json-rpc-node.ts'
import type { EvmNode } from './node.ts'

const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function nodeWith(methods: JsonRpcMethods): Promise<EvmNode> {
  const server: ChainServer = await startJsonRpcServer({ methods })
  const [parsed] = parseEndpointOptions({ endpoints: [server.url], timeoutMs: 2000 })
  if (parsed === undefined) throw new Error('no endpoint')
  const node = createJsonRpcNode(parsed)
  closers.push(server.close, node.close)
  return node
}

const id = `0x${'ab'.repeat(32)}`
const other = `0x${'cd'.repeat(32)}`
const account = `0x${'11'.repeat(20)}` as never
const block = { number: '0x10', hash: id, timestamp: '0x20', baseFeePerGas: '0x7' }
const receipt = { transactionHash: id, blockNumber: '0x10', blockHash: other, status: '0x1' }
const transaction = { hash: id, from: `0x${'AA'.repeat(20)}`, nonce: '0x3' }
const tooBig = `0x1${'0'.repeat(16)}`

describe('what an honest node says', () => {
  test('is read with all its digits', async () => {
    const node = await nodeWith({
      eth_chainId: () => '0xaa36a7',
      eth_getBlockByNumber: ([at, isFull]) =>
        at === '0x99' ? null : { ...block, transactions: isFull ? [transaction] : [] },
      eth_getTransactionCount: ([, at]) => (at === 'pending' ? '0x8' : '0x7'),
      eth_getBalance: () => `0x${'f'.repeat(20)}`,
      eth_maxPriorityFeePerGas: () => '0x0',
      eth_estimateGas: ([call]) => ((call as { value: string }).value === '0x5' ? '0x5208' : '0x0'),
      eth_getTransactionReceipt: ([hash]) => (hash === id ? receipt : null),
      eth_getTransactionByHash: ([hash]) => (hash === id ? { ...transaction, blockHash: null } : null),
      eth_sendRawTransaction: ([raw]) => (raw === '0x02ff' ? id.toUpperCase().replace('0X', '0x') : other),
    })
    await node.checkNetwork()
    const read = { height: 16n, blockId: id, timestampSec: 32n, baseFeePerGas: 7n }
    expect([await node.getHead(), await node.getBlock(16n), await node.getBlock(0x99n)]).toEqual([
      read,
      read,
      undefined,
    ])
    expect(await node.listSlots(16n)).toEqual([{ transactionId: id, from: `0x${'aa'.repeat(20)}`, nonce: 3n }])
    expect(await node.listSlots(0x99n)).toBeUndefined()
    expect([await node.getNonce(account, 'pending'), await node.getNonce(account, 5n)]).toEqual([8n, 7n])
    expect(await node.getBalance(account, 'latest')).toBe(2n ** 80n - 1n)
    expect(await node.getPriorityFee()).toBe(0n)
    expect(await node.estimateGas({ from: account, to: account, value: 5n })).toBe(21_000n)
    expect(await node.getInclusion(id)).toEqual({ height: 16n, blockId: other, hasSucceeded: true })
    expect([await node.getInclusion(other), await node.getTransaction(other)]).toEqual([undefined, undefined])
    expect(await node.getTransaction(id)).toMatchObject({ from: `0x${'aa'.repeat(20)}`, nonce: 3n })
    expect(await node.send(Uint8Array.of(2, 255))).toBe(id)
  })

  test('every network but Sepolia is refused, each time it is asked', async () => {
    const chainIds = ['0xaa36a7', '0x1', '0xaa36a7']
    const node = await nodeWith({ eth_chainId: () => chainIds.shift() })
    await node.checkNetwork()
    const refusal = await node.checkNetwork().catch((cause: unknown) => cause)
    expect(refusal).toBeInstanceOf(WrongNetworkError)
    expect(refusal).toMatchObject({ got: '1', expected: '11155111' })
    await node.checkNetwork()
  })

  test('an error is passed on with its code', async () => {
    const node = await nodeWith({})
    expect(await node.getHead().catch((cause: unknown) => cause)).toBeInstanceOf(RpcAnswerError)
  })
})

describe('what a hostile node says is malformed', () => {
  const cases: readonly (readonly [string, JsonRpcMethods, (node: EvmNode) => Promise<unknown>])[] = [
    ['a chain id as number', { eth_chainId: () => 11155111n }, (node) => node.checkNetwork()],
    ['an empty quantity', { eth_chainId: () => '0x' }, (node) => node.checkNetwork()],
    [
      'a quantity of 257 bits',
      { eth_getBalance: () => `0x1${'0'.repeat(64)}` },
      (node) => node.getBalance(account, 'latest'),
    ],
    [
      'a quantity that is no hexadecimal',
      { eth_getBalance: () => '0xzz' },
      (node) => node.getBalance(account, 'latest'),
    ],
    ['a quantity with a sign', { eth_getBalance: () => '-0x1' }, (node) => node.getBalance(account, 'latest')],
    ['a nonce above 64 bits', { eth_getTransactionCount: () => tooBig }, (node) => node.getNonce(account, 'latest')],
    ['a fee above 64 bits', { eth_maxPriorityFeePerGas: () => tooBig }, (node) => node.getPriorityFee()],
    ['no block', { eth_getBlockByNumber: () => null }, (node) => node.getHead()],
    ['a block as text', { eth_getBlockByNumber: () => 'block' }, (node) => node.getBlock(1n)],
    ['a block as list', { eth_getBlockByNumber: () => [block] }, (node) => node.getBlock(1n)],
    [
      'a block without base fee',
      { eth_getBlockByNumber: () => ({ ...block, baseFeePerGas: undefined }) },
      (node) => node.getHead(),
    ],
    [
      'a block with a short hash',
      { eth_getBlockByNumber: () => ({ ...block, hash: '0xab' }) },
      (node) => node.getHead(),
    ],
    ['a block without transactions', { eth_getBlockByNumber: () => block }, (node) => node.listSlots(1n)],
    [
      'transactions by hash only',
      { eth_getBlockByNumber: () => ({ ...block, transactions: [id] }) },
      (node) => node.listSlots(1n),
    ],
    [
      'a receipt of another transaction',
      { eth_getTransactionReceipt: () => receipt },
      (node) => node.getInclusion(other),
    ],
    [
      'a receipt without block',
      { eth_getTransactionReceipt: () => ({ ...receipt, blockNumber: null }) },
      (node) => node.getInclusion(id),
    ],
    [
      'a receipt without status',
      { eth_getTransactionReceipt: () => ({ ...receipt, status: undefined }) },
      (node) => node.getInclusion(id),
    ],
    ['another transaction', { eth_getTransactionByHash: () => transaction }, (node) => node.getTransaction(other)],
    [
      'a transaction without sender',
      { eth_getTransactionByHash: () => ({ ...transaction, from: null }) },
      (node) => node.getTransaction(id),
    ],
    ['a long id', { eth_sendRawTransaction: () => `${id}0` }, (node) => node.send(Uint8Array.of(2))],
    ['an id as number', { eth_sendRawTransaction: () => 1n }, (node) => node.send(Uint8Array.of(2))],
  ]
  test.each(cases)('%s', async (_name, methods, call) => {
    expect(await call(await nodeWith(methods)).catch((cause: unknown) => cause)).toMatchObject({
      name: 'EndpointFaultError',
      fault: 'malformed',
      effect: 'uncertain',
    })
  })

  test('a transaction that failed is not taken for one that succeeded', async () => {
    for (const status of ['0x0', '0x2']) {
      const node = await nodeWith({ eth_getTransactionReceipt: () => ({ ...receipt, status }) })
      expect((await node.getInclusion(id))?.hasSucceeded).toBe(false)
    }
  })
})
