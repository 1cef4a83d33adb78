import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { taskTokenAbi } from '@oikos/core/abi'
import { type Client, createClient, custom, encodeFunctionData, http, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { call } from 'viem/actions'
import { mainnet, sepolia } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileMocks } from '../../test/compile-mocks.ts'
import { type Market, rpc, startMarket } from '../../test/market.ts'
import * as sdk from '../index.ts'

let market: Market
let target: sdk.TaskTarget
beforeAll(async () => {
  market = await startMarket()
  target = { task: market.task, tokenId: await market.mint() }
})
afterAll(() => market.stop())

async function thrown(promise: Promise<unknown>): Promise<sdk.OikosError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(sdk.OikosError)
  return error as sdk.OikosError
}

describe('the node', () => {
  test('that is not there is a retryable RpcError', async () => {
    const nowhere = createClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) })
    const error = await thrown(sdk.getVault(nowhere, target))
    expect(error).toMatchObject({ name: 'RpcError', retryable: true })
    expect(error.walk()).not.toBe(error)
  })

  test('that answers with a failure of its own, or too late, is a retryable RpcError', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/slow') return
      response.writeHead(503).end('overloaded')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      for (const path of ['/busy', '/slow']) {
        const client = createClient({ transport: http(url + path, { retryCount: 0, timeout: 200 }) })
        const error = await thrown(sdk.listTenderFunded(client, { task: target.task, fromBlock: 0n }))
        expect(error).toMatchObject({ name: 'RpcError', retryable: true })
      }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

test.each([
  ['database is busy', 'RpcError', true],
  ['execution reverted', 'ContractRevertedError', false],
  ['EVM error OutOfGas', 'ContractRevertedError', false],
])('an internal error of the node is told from a revert: %s', async (message, name, retryable) => {
  const request = async ({ method }: { method: string }) => {
    if (method === 'eth_call') throw Object.assign(new Error(message), { code: -32603 })
    return rpc(market.as.stranger, method)
  }
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
  expect(await thrown(sdk.getVault(client, target))).toMatchObject({ name, retryable })
})

describe('the chain and the contract', () => {
  test('a target on another chain than the client is refused', async () => {
    const elsewhere = { ...target, chainId: 1 }
    const error = await thrown(sdk.getVault(market.as.stranger, elsewhere))
    expect(error).toMatchObject({ name: 'WrongChainError', got: 11155111, expected: 1, retryable: false })
    expect(await thrown(sdk.freezeTask(market.as.publisher, elsewhere))).toMatchObject({ name: 'WrongChainError' })
    expect(await sdk.getVault(market.as.stranger, { ...target, chainId: sepolia.id })).toMatch(/^0x/)
  })

  test('a write asks the node for its chain, whatever the client believes', async () => {
    const { account } = market.as.publisher
    if (account === undefined) throw new Error('no account')
    const mistaken = createClient({ account, chain: mainnet, transport: http(market.chain.url) })
    const error = await thrown(sdk.freezeTask(mistaken, target))
    expect(error).toMatchObject({ name: 'WrongChainError', got: 11155111, expected: 1 })
  })

  test('an address without code is a NoContractError', async () => {
    const error = await thrown(sdk.getVault(market.as.stranger, { task: market.address.judge, tokenId: 1n }))
    expect(error).toMatchObject({ name: 'NoContractError', address: market.address.judge, functionName: 'vaultOf' })
  })

  test('a foreign revert keeps its reason or its bytes', async () => {
    const mock = compileMocks().Failing
    const address = await market.deployMock(mock)
    const say = encodeFunctionData({ abi: mock.abi, functionName: 'say', args: ['closed today'] })
    const add = encodeFunctionData({ abi: mock.abi, functionName: 'overflow', args: [2n ** 256n - 1n] })
    for (const [data, errorName, text] of [
      [say, 'Error', 'closed today'],
      [add, 'Panic', '0x11'],
      ['0x12345678', 'Unknown', 'without a reason'],
    ] as const) {
      const error = await thrown(
        call(market.as.stranger, { to: address, data }).catch((e) => Promise.reject(sdk.toOikosError(e))),
      )
      expect(error).toMatchObject({ name: 'ContractRevertedError', errorName })
      expect(error.shortMessage).toContain(text)
    }
  })
})

describe('the sender', () => {
  test('must exist', async () => {
    const reader = createClient({ transport: http(market.chain.url) })
    expect(await thrown(sdk.freezeTask(reader, target))).toMatchObject({ name: 'AccountMissingError' })
  })

  test('must be able to pay', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const fund = { ...target, amountAtomic: 10n ** 18n, account }
    const error = await thrown(sdk.fundTask(market.as.stranger, fund))
    expect(error).toMatchObject({ name: 'InsufficientFundsError', account: account.address })
  })

  test('may decline, and nothing is sent', async () => {
    const wallet: Client = createClient({
      account: market.address.publisher,
      transport: custom({
        request: async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
          if (method === 'eth_sendTransaction') throw Object.assign(new Error('User rejected'), { code: 4001 })
          return rpc(market.as.publisher, method, params)
        },
      }),
    })
    const count = await rpc(market.as.publisher, 'eth_getTransactionCount', [market.address.publisher, 'latest'])
    expect(await thrown(sdk.freezeTask(wallet, target))).toMatchObject({ name: 'RequestRejectedError' })
    expect(await rpc(market.as.publisher, 'eth_getTransactionCount', [market.address.publisher, 'latest'])).toBe(count)
  })
})

describe('a transaction that was sent', () => {
  test('and is not confirmed in time is pending: its hash is kept and it is not to be sent again', async () => {
    const tokenId = await market.mint()
    await rpc(market.as.owner, 'evm_setAutomine', [false])
    try {
      const sent: string[] = []
      const onSent = (hash: string): void => {
        sent.push(hash)
      }
      const parameters = { ...target, tokenId, timeoutMs: 150, onSent }
      const error = await thrown(sdk.freezeTaskAndWait(market.as.publisher, parameters))
      expect(error).toMatchObject({ name: 'TransactionPendingError', hash: sent[0], retryable: false })
      expect(error.advice).toContain('do not send the call again')
    } finally {
      await rpc(market.as.owner, 'evm_mine')
      await rpc(market.as.owner, 'evm_setAutomine', [true])
    }
  })

  test('and failed on the chain says why', async () => {
    const tokenId = await market.mint()
    await sdk.fundTaskAndWait(market.as.funder, { ...target, tokenId, amountAtomic: 10n ** 18n })
    const submit = { ...target, tokenId, resultHash: keccak256('0x01'), resultURI: '' }
    await rpc(market.as.owner, 'evm_setAutomine', [false])
    try {
      const hash = await sdk.submitFulfillment(market.as.fulfiller, submit)
      // a competitor pays more for the one free slot, and is included first
      const request = { from: market.address.stranger, to: market.task, gas: toHex(500_000) }
      const args = [tokenId, submit.resultHash, ''] as const
      const data = encodeFunctionData({ abi: taskTokenAbi, functionName: 'submitFulfillment', args })
      const fees = { maxFeePerGas: toHex(10n ** 12n), maxPriorityFeePerGas: toHex(10n ** 11n) }
      await rpc(market.as.stranger, 'eth_sendTransaction', [{ ...request, data, ...fees }])
      await rpc(market.as.owner, 'evm_mine')
      const error = await thrown(sdk.waitForTaskReceipt(market.as.stranger, { task: market.task, hash }))
      expect(error).toMatchObject({ name: 'TransactionRevertedError', hash, cause: { errorName: 'EscrowTooLow' } })
      const cause = error.walk(
        (found): found is sdk.ContractRevertedError => found instanceof sdk.ContractRevertedError,
      )
      expect(cause?.args).toMatchObject({ tokenId })
    } finally {
      await rpc(market.as.owner, 'evm_setAutomine', [true])
    }
  })

  test('to a contract that emits nothing of the kind is not taken for a success', async () => {
    const anything = { token: await market.deployMock(compileMocks().FloodingToken), spender: market.task }
    const error = await thrown(sdk.approveAssetAndWait(market.as.funder, { ...anything, amountAtomic: 1n }))
    expect(error).toMatchObject({ name: 'UnexpectedReceiptError', expectedEvent: 'Approval' })
  })
})

test('anything that is thrown becomes an OikosError, and one that is one stays itself', () => {
  const own = new sdk.OikosError('It failed.', { advice: 'Do not panic.' })
  expect(sdk.toOikosError(own)).toBe(own)
  expect(own.message).toBe('It failed.\nDo not panic.')
  for (const value of [new Error('odd'), 'text', undefined, null, { code: 1 }]) {
    expect(sdk.toOikosError(value)).toMatchObject({ name: 'UnexpectedError', retryable: false })
  }
  expect(own.walk(() => false)).toBeNull()
})
