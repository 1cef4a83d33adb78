import { type Client, createClient, custom, HttpRequestError, TimeoutError } from 'viem'
import { getTransactionCount, sendTransaction } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAgents } from '../../test/agents.ts'
import { type Market, rpc, startMarket } from '../../test/market.ts'
import * as sdk from '../index.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

type Fault = (method: string, pass: () => Promise<unknown>) => Promise<unknown>

/** A client of the publisher whose node fails as told. */
function faulty(fault: Fault, account: Client['account'] | `0x${string}` = market.as.publisher.account): Client {
  const request = ({ method, params }: { method: string; params?: readonly unknown[] }) =>
    fault(method, () => rpc(market.as.publisher, method, params))
  if (account === undefined) throw new Error('no account')
  return createClient({ account, transport: custom({ request }), pollingInterval: 20 }) as Client
}

const timeout = () => new TimeoutError({ body: {}, url: 'http://node' })
const badGateway = () => new HttpRequestError({ url: 'http://node', status: 502 })

async function thrown(promise: Promise<unknown>): Promise<sdk.OikosError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(sdk.OikosError)
  return error as sdk.OikosError
}

describe('an account that signs here', () => {
  test('the node took the transaction and its answer was lost: the hash is found, nothing is sent twice', async () => {
    const target = { task: market.task, tokenId: await market.mint() }
    let broadcasts = 0
    const client = faulty(async (method, pass) => {
      const answer = await pass()
      if (method !== 'eth_sendRawTransaction') return answer
      broadcasts += 1
      throw timeout()
    })
    const { event } = await sdk.freezeTaskAndWait(client, target)
    expect(event.args).toEqual({ tokenId: target.tokenId })
    expect(broadcasts).toBe(1)
  })

  test.each([
    ['never answers', timeout],
    ['answers with a bad gateway', badGateway],
  ])('a node that %s leaves the outcome open: the error has the hash and is not retryable', async (_, fault) => {
    const target = { task: market.task, tokenId: await market.mint() }
    let broadcasts = 0
    const client = faulty(async (method, pass) => {
      if (method === 'eth_getTransactionByHash') throw fault()
      if (method !== 'eth_sendRawTransaction') return pass()
      broadcasts += 1
      await pass()
      throw fault()
    })
    const error = await thrown(sdk.freezeTask(client, target))
    expect(error).toMatchObject({ name: 'TransactionPendingError', retryable: false })
    expect(broadcasts).toBe(1)
    const { hash } = error as sdk.TransactionPendingError
    const found = await sdk.waitForTaskReceipt(market.as.stranger, { task: market.task, hash })
    expect(found.events).toMatchObject([{ eventName: 'TaskFrozen', args: { tokenId: target.tokenId } }])
  })

  test('a node that refuses the transaction and does not have it has the last word', async () => {
    const target = { task: market.task, tokenId: await market.mint() }
    for (const [text, name] of [
      ['nonce too low', 'TransactionRefusedError'],
      ['insufficient funds for gas * price + value', 'InsufficientFundsError'],
    ]) {
      const refusal = Object.assign(new Error(text), { code: -32000 })
      const client = faulty((method, pass) => {
        return method === 'eth_sendRawTransaction' ? Promise.reject(refusal) : pass()
      })
      const error = await thrown(sdk.freezeTask(client, target))
      expect(error).toMatchObject({ name, retryable: false })
    }
  })

  test('a failure before the broadcast is retryable, since nothing has left', async () => {
    const target = { task: market.task, tokenId: await market.mint() }
    const client = faulty((method, pass) => (method === 'eth_call' ? Promise.reject(timeout()) : pass()))
    expect(await thrown(sdk.freezeTask(client, target))).toMatchObject({ name: 'RpcError', retryable: true })
  })
})

describe('an account of the wallet', () => {
  test('sends, and a wallet that does not answer leaves the outcome open', async () => {
    const target = { task: market.task, tokenId: await market.mint() }
    const { publisher } = market.address
    const mute = faulty((method, pass) => {
      return method === 'eth_sendTransaction' ? Promise.reject(timeout()) : pass()
    }, publisher)
    const error = await thrown(sdk.freezeTask(mute, target))
    expect(error).toMatchObject({ name: 'SendOutcomeUnknownError', retryable: false })
    const { event } = await sdk.freezeTaskAndWait(
      faulty((_, pass) => pass(), publisher),
      target,
    )
    expect(event.args).toEqual({ tokenId: target.tokenId })
  })
})

describe('a write that may have nothing to do', () => {
  test('is not taken for done when the wallet replaced it by another transaction', async () => {
    const agents = await startAgents(market)
    const agent = await agents.create()
    const { owner, stranger } = market.as
    await rpc(owner, 'evm_setAutomine', [false])
    try {
      const nonce = await getTransactionCount(stranger, { address: market.address.stranger })
      const claim = sdk.claimSharesAndWait(stranger, {
        ...{ agent, user: market.address.owner },
        onSent: async () => {
          // a replacement is told from a loss only when the transaction itself was seen
          await new Promise((resolve) => setTimeout(resolve, 500))
          const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
          const other = { to: market.address.judge, value: 1n, nonce, gas: 21_000n, chain: null, ...fees }
          await sendTransaction(stranger, other as never)
          await rpc(owner, 'evm_mine')
        },
      })
      expect(await thrown(claim)).toMatchObject({ name: 'UnexpectedReceiptError', expectedEvent: 'SharesMinted' })
    } finally {
      await rpc(owner, 'evm_setAutomine', [true])
    }
  })
})
