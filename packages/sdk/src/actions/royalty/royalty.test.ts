import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

const refused = (errorName: string) => expect.objectContaining({ errorName })

test('a royalty is set once, only falls, and is passed on by its receiver', async () => {
  const { as, address, task } = market
  const { address: royalty } = await sdk.deployTenderRoyalty(as.owner, as.owner, { task })
  expect(await sdk.getRoyaltyTask(as.stranger, { royalty })).toBe(task)
  const at = { royalty, tokenId: await market.mint() }
  const set = { ...at, receiver: address.publisher, bps: 500 }
  expect(await sdk.getRoyalty(as.stranger, at)).toBeUndefined()
  await expect(sdk.lowerRoyalty(as.publisher, { ...at, bps: 1 })).rejects.toEqual(refused('RoyaltyNotSet'))
  await expect(sdk.setRoyalty(as.stranger, set)).rejects.toEqual(refused('NotPublisher'))
  await expect(sdk.setRoyalty(as.publisher, { ...set, receiver: zeroAddress })).rejects.toEqual(refused('ZeroReceiver'))
  await expect(sdk.setRoyalty(as.publisher, { ...set, bps: 1_001 })).rejects.toEqual(refused('RoyaltyTooHigh'))
  const { event } = await sdk.setRoyaltyAndWait(as.publisher, set)
  expect(event.args).toEqual({ tokenId: at.tokenId, receiver: address.publisher, bps: 500n })
  await expect(sdk.setRoyalty(as.publisher, set)).rejects.toEqual(refused('RoyaltyAlreadySet'))
  await expect(sdk.lowerRoyalty(as.publisher, { ...at, bps: 501 })).rejects.toEqual(refused('RoyaltyTooHigh'))
  await sdk.lowerRoyaltyAndWait(as.publisher, { ...at, bps: 300 })
  await expect(sdk.passRoyalty(as.stranger, { ...at, receiver: address.stranger })).rejects.toEqual(
    refused('NotReceiver'),
  )
  await sdk.passRoyaltyAndWait(as.publisher, { ...at, receiver: address.stranger })
  expect(await sdk.getRoyalty(as.stranger, at)).toEqual({ receiver: address.stranger, bps: 300 })
  expect(await sdk.quoteRoyalty(as.stranger, { ...at, salePriceAtomic: 99n })).toEqual({
    ...{ receiver: address.stranger, amountAtomic: 2n },
  })
  const all = { royalty, fromBlock: 0n }
  expect((await sdk.listRoyaltySet(as.stranger, all)).events).toHaveLength(3)
  expect((await sdk.listRoyaltySet(as.stranger, { ...all, receiver: address.stranger })).events).toHaveLength(1)
  expect(await sdk.supportsInterface(as.stranger, { contract: royalty, interfaceId: '0x2a55205a' })).toBe(true)
})
