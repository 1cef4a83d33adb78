import { type Address, zeroAddress } from 'viem'
import { sendTransaction } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileMocks } from '../../../test/compile-mocks.ts'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const REWARD = 10n ** 18n
let market: Market
let router: Address
beforeAll(async () => {
  market = await startMarket()
  const { as, address } = market
  router = (await sdk.deployFundingRouter(as.owner, as.owner, { treasury: address.owner, feeBps: 250n })).address
})
afterAll(() => market.stop())

const refused = (errorName: string) => expect.objectContaining({ errorName })

test('native money goes to the tender less the fee, and comes back in proportion', async () => {
  const { as, address, task } = market
  expect(await sdk.getRouterTerms(as.stranger, { router })).toEqual({ treasury: address.owner, feeBps: 250n })
  const tokenId = await market.mint()
  const at = { router, task, tokenId }
  const fee = await sdk.quoteRouterFee(as.stranger, { router, amountAtomic: REWARD })
  expect(fee).toBe(REWARD / 40n)
  const { event } = await sdk.fundTaskThroughRouterAndWait(as.funder, { ...at, amountAtomic: REWARD })
  const net = REWARD - fee
  expect(event.args).toEqual({ taskContract: task, tokenId, funder: address.funder, net, fee })
  await sdk.fundTaskThroughRouterAndWait(as.stranger, { ...at, amountAtomic: REWARD })
  expect(await sdk.getRoutedContribution(as.stranger, { ...at, funder: address.funder })).toBe(net)
  expect(await sdk.getContribution(as.stranger, { task, tokenId, funder: router })).toBe(2n * net)
  const owed = { companion: router, owedAsset: zeroAddress }
  expect(await sdk.getOwed(as.stranger, { ...owed, account: address.owner })).toBe(2n * fee)
  await sdk.withdrawOwedAndWait(as.stranger, { ...owed, owner: address.owner })

  await expect(sdk.refundFromRouter(as.stranger, { ...at, funder: address.judge })).rejects.toEqual(
    refused('NothingToRefund'),
  )
  await expect(sdk.refundFromRouter(as.stranger, { ...at, funder: address.funder })).rejects.toEqual(
    refused('TenderStillOpen'),
  )
  await sdk.cancelTaskAndWait(as.publisher, { task, tokenId })
  const refund = await sdk.refundFromRouterAndWait(as.stranger, { ...at, funder: address.funder })
  expect(refund.event.args).toMatchObject({ funder: address.funder, amount: net })
  expect(refund.events.map(({ eventName }) => eventName)).toEqual(['RefundCollected', 'Refunded', 'Withdrawn'])
  expect(await sdk.getRouterPot(as.stranger, at)).toEqual({
    ...{ contributedAtomic: 2n * net, outstandingAtomic: net, poolAtomic: 2n * net, leftAtomic: net },
    isCollected: true,
  })
  await expect(sdk.fundTaskThroughRouter(as.funder, { ...at, amountAtomic: 1n })).rejects.toEqual(
    refused('RefundsStarted'),
  )
  const all = { router, task, fromBlock: 0n }
  expect((await sdk.listRouterFunded(as.stranger, all)).events).toHaveLength(2)
  expect((await sdk.listRouterFunded(as.stranger, { ...all, funder: address.funder })).events).toHaveLength(1)
  expect((await sdk.listRouterRefundCollected(as.stranger, { ...all, tokenId })).events).toHaveLength(1)
  expect((await sdk.listRouterRefunded(as.stranger, all)).events).toHaveLength(1)
})

test('a token is taken by allowance', async () => {
  const { as, address, task } = market
  const mocks = compileMocks()
  const token = await market.deployMock(mocks.TestToken, ['USDC', 6])
  await market.tell(mocks.TestToken, token, 'mint', [address.funder, 1_000n])
  const at = { router, task, tokenId: await market.mint({ asset: token }) }
  await expect(sdk.fundTaskThroughRouter(as.funder, { ...at, amountAtomic: 1_000n })).rejects.toEqual(
    refused('DepositMismatch'),
  )
  await expect(sdk.fundTaskThroughRouter(as.funder, { ...at, amountAtomic: 0n })).rejects.toEqual(refused('ZeroAmount'))
  await sdk.approveAssetAndWait(as.funder, { token, spender: router, amountAtomic: 1_000n })
  const { event } = await sdk.fundTaskThroughRouterAndWait(as.funder, { ...at, amountAtomic: 1_000n })
  expect(event.args).toMatchObject({ net: 975n, fee: 25n })
})

test('what a router does not take is refused by name', async () => {
  const { as, address } = market
  const deploy = (feeBps: bigint, treasury: Address) =>
    sdk.deployFundingRouter(as.owner, as.owner, { treasury, feeBps })
  await expect(deploy(1_001n, address.owner)).rejects.toEqual(refused('FeeTooHigh'))
  await expect(deploy(1n, zeroAddress)).rejects.toEqual(refused('BadRecipient'))
  const gift = { account: as.funder.account, to: router, value: 1n, chain: null }
  const sent = sendTransaction(as.funder, gift as never).catch((cause) => Promise.reject(sdk.toOikosError(cause)))
  await expect(sent).rejects.toEqual(refused('UnexpectedPayment'))
})
