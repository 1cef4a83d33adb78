import { type Address, keccak256, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const REWARD = 10n ** 18n + 1n
let market: Market
let splitter: Address
let team: readonly sdk.TeamMember[]
beforeAll(async () => {
  market = await startMarket()
  const { as, address } = market
  team = [
    { account: address.fulfiller, bps: 3_333 },
    { account: address.stranger, bps: 6_667 },
  ]
  splitter = (await sdk.deploySplitter(as.owner, as.owner, { team })).address
})
afterAll(() => market.stop())

const refused = (errorName: string) => expect.objectContaining({ errorName })

test('a team delivers as one, and each member fetches a share: rounded down, the rest to the first', async () => {
  const { as, address, task } = market
  expect(await sdk.getTeam(as.owner, { splitter })).toEqual(team)
  expect(await sdk.getTeamShare(as.owner, { splitter, account: address.stranger })).toBe(6_667n)
  const tokenId = await market.mint({ rewardPerCompletionAtomic: REWARD })
  await sdk.fundTaskAndWait(as.funder, { task, tokenId, amountAtomic: REWARD })
  const deliver = { splitter, task, tokenId, resultHash: keccak256(toHex('result')), resultURI: '' }
  await expect(sdk.submitForTeam(as.funder, deliver)).rejects.toEqual(refused('NotMember'))
  const { event } = await sdk.submitForTeamAndWait(as.stranger, deliver)
  expect(event.args).toEqual({ taskContract: task, tokenId, submissionId: 1n, member: address.stranger })
  const submission = { task, tokenId, submissionId: 1n }
  expect((await sdk.getSubmission(as.owner, submission)).fulfiller).toBe(splitter)
  await expect(sdk.distributeShares(as.owner, { splitter, sharedAsset: zeroAddress })).rejects.toEqual(
    refused('NothingToDivide'),
  )
  await sdk.acceptFulfillmentAndWait(as.judge, submission)

  const second = (REWARD * 6_667n) / 10_000n
  const first = REWARD - second
  expect(first).toBeGreaterThan((REWARD * 3_333n) / 10_000n)
  const shared = { splitter, sharedAsset: zeroAddress }
  for (const [account, share] of [
    [address.fulfiller, first],
    [address.stranger, second],
    [address.owner, 0n],
  ] as const) {
    expect(await sdk.getReleasable(as.owner, { ...shared, account })).toBe(share)
  }
  const divided = await sdk.distributeSharesAndWait(as.owner, shared)
  expect(divided.event.args).toEqual({ asset: zeroAddress, amount: REWARD })
  const owed = { companion: splitter, owedAsset: zeroAddress }
  expect(await sdk.getOwed(as.owner, { ...owed, account: address.stranger })).toBe(second)
  const paid = await sdk.withdrawOwedAndWait(as.owner, { ...owed, owner: address.fulfiller })
  expect(paid.event.args).toMatchObject({ to: address.fulfiller, amount: first })
  const elsewhere = await sdk.withdrawOwedToAndWait(as.stranger, { ...owed, to: address.judge })
  expect(elsewhere.event.args).toMatchObject({ account: address.stranger, to: address.judge, amount: second })

  const all = { splitter, fromBlock: 0n }
  expect((await sdk.listTeamDelivered(as.owner, { ...all, task, tokenId })).events).toHaveLength(1)
  expect((await sdk.listSharesDivided(as.owner, { ...all, asset: zeroAddress })).events).toHaveLength(1)
})

describe('a team that cannot be is refused by name', () => {
  const one: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const two: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  test.each<[string, readonly sdk.TeamMember[]]>([
    ['MemberCountOutOfRange', []],
    ['BadRecipient', [{ account: zeroAddress, bps: 10_000 }]],
    ['ZeroShare', [{ account: one, bps: 0 }]],
    ['SharesDoNotAddUp', [{ account: one, bps: 9_999 }]],
    ['DuplicateMember', [one, one].map((account) => ({ account, bps: 5_000 }))],
    ['SharesDoNotAddUp', [one, two].map((account) => ({ account, bps: 5_001 }))],
  ])('%s', async (errorName, members) => {
    const { owner } = market.as
    await expect(sdk.deploySplitter(owner, owner, { team: members })).rejects.toEqual(refused(errorName))
  })
})
