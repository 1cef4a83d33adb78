import { type Address, keccak256, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileMocks } from '../../../test/compile-mocks.ts'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const REWARD = 10n ** 18n
const BOND = 10n ** 16n
const resultHash = keccak256(toHex('result'))
let market: Market
let gate: Address
let rule: sdk.GateRule
beforeAll(async () => {
  market = await startMarket()
  const { as, address, task } = market
  rule = {
    ...{ task, bondAsset: zeroAddress, bondAtomic: BOND, rejectedBps: 2_500, expiredBps: 10_000 },
    ...{ beneficiary: address.funder, judge: address.judge },
  }
  gate = (await sdk.deployBondedGate(as.owner, as.stranger, rule)).address
})
afterAll(() => market.stop())

/** A funded tender whose judgment slot the gate holds. */
async function gated(): Promise<{ task: Address; gate: Address; tokenId: bigint }> {
  const tokenId = await market.mint({}, { acceptanceAuthority: gate })
  await sdk.fundTaskAndWait(market.as.funder, { task: market.task, tokenId, amountAtomic: 3n * REWARD })
  return { task: market.task, gate, tokenId }
}

const refused = (errorName: string) => expect.objectContaining({ errorName })

test('a gate says its rule', async () => {
  expect(await sdk.getGateRule(market.as.stranger, { gate })).toEqual(rule)
})

describe('a delivery with a bond', () => {
  test('is the desk of the deliverer, which gets bond and reward when it is accepted', async () => {
    const { as, address } = market
    const at = await gated()
    const desk = await sdk.getDesk(as.stranger, { gate, deliverer: address.fulfiller })
    const { event } = await sdk.deliverWithBondAndWait(as.fulfiller, { ...at, resultHash, resultURI: 'ipfs://result' })
    expect(event.args).toEqual({ tokenId: at.tokenId, submissionId: 1n, deliverer: address.fulfiller, desk })
    const delivery = { ...at, submissionId: 1n }
    expect(await sdk.getBondDeliverer(as.stranger, delivery)).toBe(address.fulfiller)
    expect((await sdk.getSubmission(as.stranger, delivery)).fulfiller).toBe(desk)

    await expect(sdk.settleBond(as.stranger, delivery)).rejects.toEqual(refused('DeliveryPending'))
    await expect(sdk.evictDelivery(as.stranger, delivery)).rejects.toEqual(refused('DeliveryIsBonded'))
    await expect(sdk.acceptThroughGate(as.stranger, delivery)).rejects.toEqual(refused('NotJudge'))
    const accepted = await sdk.acceptThroughGateAndWait(as.judge, delivery)
    expect(accepted.event.args).toMatchObject({ submissionId: 1n, fulfiller: desk, reward: REWARD })

    const settled = await sdk.settleBondAndWait(as.stranger, delivery)
    expect(settled.event.args).toMatchObject({ deliverer: address.fulfiller, lost: 0n })
    expect(settled.events.map(({ eventName }) => eventName)).toEqual(['BondSettled', 'Withdrawn'])
    expect(await sdk.getBondDeliverer(as.stranger, delivery)).toBeUndefined()
    await expect(sdk.settleBond(as.stranger, delivery)).rejects.toEqual(refused('NotBonded'))
    const earned = { gate, earnedAsset: zeroAddress, deliverer: address.fulfiller }
    const collected = await sdk.collectEarningsAndWait(as.stranger, earned)
    expect(collected.event.args).toMatchObject({ to: address.fulfiller, amount: REWARD })
    await expect(sdk.collectEarnings(as.stranger, earned)).rejects.toEqual(refused('NothingToCollect'))
  })

  test('loses by the rule what a refusal costs', async () => {
    const { as, address } = market
    const at = await gated()
    await sdk.deliverWithBondAndWait(as.fulfiller, { ...at, resultHash, resultURI: '' })
    const delivery = { ...at, submissionId: 1n }
    const rejected = await sdk.rejectThroughGateAndWait(as.judge, delivery)
    expect(rejected.event.args).toMatchObject({ submissionId: 1n })
    const settled = await sdk.settleBondAndWait(as.stranger, delivery)
    expect(settled.event.args.lost).toBe(BOND / 4n)
    const owed = { companion: gate, owedAsset: zeroAddress }
    expect(await sdk.getOwed(as.stranger, { ...owed, account: address.funder })).toBe(BOND / 4n)
    await sdk.withdrawOwedAndWait(as.stranger, { ...owed, owner: address.funder })
  })

  test('may be paid in a token, and its earnings sent elsewhere', async () => {
    const { as, address, task } = market
    const mocks = compileMocks()
    const token = await market.deployMock(mocks.TestToken, ['USDC', 6])
    await market.tell(mocks.TestToken, token, 'mint', [address.fulfiller, 5n])
    const tokenRule = { ...rule, bondAsset: token, bondAtomic: 5n, judge: undefined }
    const { address: other } = await sdk.deployBondedGate(as.owner, as.owner, tokenRule)
    expect(await sdk.getGateRule(as.stranger, { gate: other })).toEqual(tokenRule)
    const tokenId = await market.mint()
    await sdk.fundTaskAndWait(as.funder, { task, tokenId, amountAtomic: REWARD })
    const deliver = { gate: other, tokenId, resultHash, resultURI: '' }
    await expect(sdk.deliverWithBond(as.fulfiller, deliver)).rejects.toEqual(refused('DepositMismatch'))
    await sdk.approveAssetAndWait(as.fulfiller, { token, spender: other, amountAtomic: 5n })
    await sdk.deliverWithBondAndWait(as.fulfiller, deliver)
    await sdk.acceptFulfillmentAndWait(as.judge, { task, tokenId, submissionId: 1n })
    const to = { gate: other, earnedAsset: zeroAddress, to: address.stranger }
    const { event } = await sdk.collectEarningsToAndWait(as.fulfiller, to)
    expect(event.args).toMatchObject({ deliverer: address.fulfiller, to: address.stranger, amount: REWARD })
  })
})

describe('the judgment slot', () => {
  test('lets anyone evict a delivery without a bond, and the judge hand it over', async () => {
    const { as, address } = market
    const at = await gated()
    await sdk.submitFulfillmentAndWait(as.fulfiller, { ...at, resultHash, resultURI: '' })
    const { event } = await sdk.evictDeliveryAndWait(as.stranger, { ...at, submissionId: 1n })
    expect(event.args).toEqual({ tokenId: at.tokenId, submissionId: 1n })
    expect(await sdk.getAcceptanceAuthority(as.stranger, { task: gate, tokenId: at.tokenId })).toBe(address.judge)
    const handed = await sdk.handOverThroughGateAndWait(as.judge, { ...at, newAuthority: address.owner })
    expect(handed.event.args).toMatchObject({ previousAuthority: gate, newAuthority: address.owner })
  })

  test('may be ruled by a jury, to which the gate is the task contract', async () => {
    const { as, address, task } = market
    const terms = { jurors: [address.owner], quorum: 1n, voteWindowSec: 600n }
    const { address: jury } = await sdk.deployJuryPanel(as.owner, as.owner, terms)
    const { address: fronted } = await sdk.deployBondedGate(as.owner, as.owner, { ...rule, judge: jury })
    const tokenId = await market.mint({}, { acceptanceAuthority: fronted })
    await sdk.fundTaskAndWait(as.funder, { task, tokenId, amountAtomic: REWARD })
    await sdk.deliverWithBondAndWait(as.fulfiller, { gate: fronted, tokenId, resultHash, resultURI: '' })
    const vote = { jury, tokenId, submissionId: 1n, approve: true }
    await expect(sdk.voteOnDelivery(as.owner, { ...vote, task })).rejects.toEqual(refused('NotInSlot'))
    await sdk.voteOnDeliveryAndWait(as.owner, { ...vote, task: fronted })
    expect((await sdk.getSubmission(as.stranger, { task, ...vote })).status).toBe('accepted')
  })
})

test('every event of a gate is listed, and narrowed to a tender', async () => {
  const { as, address } = market
  const all = { gate, fromBlock: 0n }
  const pages = await Promise.all([
    sdk.listBonded(as.stranger, all),
    sdk.listBondSettled(as.stranger, all),
    sdk.listDeliveryEvicted(as.stranger, all),
    sdk.listEarningsCollected(as.stranger, { ...all, asset: zeroAddress, deliverer: address.fulfiller }),
    sdk.listBonded(as.stranger, { ...all, tokenId: 1n }),
  ])
  expect(pages.map(({ events }) => events.length)).toEqual([2, 2, 1, 1, 1])
})

describe('a rule that cannot be is refused by name', () => {
  test.each<[string, Partial<sdk.GateRule>]>([
    ['ZeroBond', { bondAtomic: 0n }],
    ['LossOutOfRange', { rejectedBps: 10_001 }],
    ['LossOutOfRange', { expiredBps: 10_001 }],
    ['BadBeneficiary', { beneficiary: undefined }],
    ['BadBeneficiary', { rejectedBps: 0, expiredBps: 0 }],
  ])('%s', async (errorName, change) => {
    const { as } = market
    await expect(sdk.deployBondedGate(as.owner, as.owner, { ...rule, ...change })).rejects.toEqual(refused(errorName))
  })
})
