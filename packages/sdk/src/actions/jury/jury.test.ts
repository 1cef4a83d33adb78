import { type Address, keccak256, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const REWARD = 10n ** 18n
const FEE = 9n * 10n ** 15n
let market: Market
let jury: Address
beforeAll(async () => {
  market = await startMarket()
  const { as, address } = market
  const jurors = [address.owner, address.judge, address.stranger]
  const deployed = await sdk.deployJuryPanel(as.owner, as.stranger, { jurors, quorum: 2n, voteWindowSec: 1_200n })
  jury = deployed.address
})
afterAll(() => market.stop())

/** A funded tender that the jury judges, with one delivery. */
async function delivered(terms: Partial<sdk.TenderTerms> = {}): Promise<sdk.JuryCaseTarget> {
  const tokenId = await market.mint(terms, { acceptanceAuthority: jury })
  const target = { task: market.task, tokenId }
  await sdk.fundTaskAndWait(market.as.funder, { ...target, amountAtomic: 2n * REWARD })
  return deliverTo(target)
}

async function deliverTo(target: sdk.TaskTarget): Promise<sdk.JuryCaseTarget> {
  const resultHash = keccak256(toHex('result'))
  const { event } = await sdk.submitFulfillmentAndWait(market.as.fulfiller, { ...target, resultHash, resultURI: '' })
  return { ...target, jury, submissionId: event.args.submissionId }
}

const refused = (errorName: string, says = '') => ({ errorName, shortMessage: expect.stringContaining(says) })

test('a jury says who it is', async () => {
  const { as, address } = market
  expect(await sdk.getJury(as.stranger, { jury })).toEqual({
    jurors: [address.owner, address.judge, address.stranger],
    ...{ quorum: 2n, voteWindowSec: 1_200n, leastJudgmentWindowSec: 1_320n },
  })
  expect(await sdk.isJuror(as.stranger, { jury, account: address.judge })).toBe(true)
  expect(await sdk.isJuror(as.stranger, { jury, account: address.funder })).toBe(false)
})

describe('a delivery', () => {
  test('is accepted in the transaction of the deciding yes, which pays the jurors', async () => {
    const { as, address } = market
    const at = await delivered()
    const { submissionId, ...tender } = at
    expect(await sdk.getJuryCase(as.stranger, at)).toBeUndefined()
    expect(await sdk.getJuryPromise(as.stranger, tender)).toBeUndefined()
    await sdk.promiseJuryFeeAndWait(as.publisher, { ...tender, feeAsset: zeroAddress, feeAtomic: FEE })
    await sdk.fundJuryFeesAndWait(as.funder, { ...tender, amountAtomic: 2n * FEE })
    expect(await sdk.getJuryPromise(as.stranger, tender)).toEqual({
      ...{ sponsor: address.publisher, feeAsset: zeroAddress, feeAtomic: FEE, escrowAtomic: 2n * FEE },
    })

    const opened = await sdk.voteOnDeliveryAndWait(as.owner, { ...at, approve: true })
    expect(opened.events.map(({ eventName }) => eventName)).toEqual(['CaseOpened', 'Voted'])
    expect(await sdk.getJuryCase(as.stranger, at)).toMatchObject({
      ...{ verdict: 'none', isKept: false, isClosed: false, ayes: 1, noes: 0 },
    })
    await expect(sdk.voteOnDelivery(as.owner, { ...at, approve: false })).rejects.toMatchObject(refused('AlreadyVoted'))
    await expect(sdk.voteOnDelivery(as.funder, { ...at, approve: true })).rejects.toMatchObject(
      refused('NotJuror', address.funder),
    )
    const deciding = await sdk.voteOnDeliveryAndWait(as.stranger, { ...at, approve: true })
    expect(deciding.event.args).toEqual({
      ...{ taskContract: market.task, tokenId: at.tokenId, submissionId, juror: address.stranger, approve: true },
    })
    expect(await sdk.getJuryCase(as.stranger, at)).toMatchObject({ verdict: 'accept', isClosed: true, ayes: 5 })
    expect((await sdk.getSubmission(as.stranger, at)).status).toBe('accepted')
    await expect(sdk.voteOnDelivery(as.judge, { ...at, approve: true })).rejects.toMatchObject(
      refused('AlreadyDecided'),
    )

    const owed = { companion: jury, owedAsset: zeroAddress }
    expect(await sdk.getOwed(as.stranger, { ...owed, account: address.stranger })).toBe(FEE / 2n)
    const paid = await sdk.withdrawOwedAndWait(as.funder, { ...owed, owner: address.stranger })
    expect(paid.event.args).toMatchObject({ account: address.stranger, to: address.stranger, amount: FEE / 2n })
    const elsewhere = await sdk.withdrawOwedToAndWait(as.owner, { ...owed, to: address.funder })
    expect(elsewhere.event.args).toMatchObject({ account: address.owner, to: address.funder })
    await expect(sdk.withdrawOwed(as.funder, { ...owed, owner: address.owner })).rejects.toMatchObject(
      refused('NothingOwed', address.owner),
    )
    await expect(sdk.returnJuryFees(as.funder, tender)).rejects.toMatchObject(refused('FeesStillNeeded'))
    await sdk.cancelTaskAndWait(as.publisher, tender)
    const returned = await sdk.returnJuryFeesAndWait(as.funder, tender)
    expect(returned.event.args).toMatchObject({ sponsor: address.publisher, amount: FEE })
  })

  test('is refused by the no after which the quorum cannot be reached', async () => {
    const { as } = market
    const at = await delivered()
    await sdk.voteOnDeliveryAndWait(as.owner, { ...at, approve: false })
    await sdk.voteOnDeliveryAndWait(as.judge, { ...at, approve: false })
    expect(await sdk.getJuryCase(as.stranger, at)).toMatchObject({ verdict: 'refuse', isClosed: true, noes: 3 })
    expect((await sdk.getSubmission(as.stranger, at)).status).toBe('rejected')
  })

  test('is refused by anyone when the voting window has ended without a verdict', async () => {
    const { as } = market
    const at = await delivered()
    await expect(sdk.finalizeJuryTimeout(as.funder, at)).rejects.toMatchObject(refused('NoCase'))
    await sdk.voteOnDeliveryAndWait(as.owner, { ...at, approve: true })
    const { deadlineSec } = (await sdk.getJuryCase(as.stranger, at)) ?? { deadlineSec: 0n }
    await expect(sdk.finalizeJuryTimeout(as.funder, at)).rejects.toMatchObject({
      ...refused('VotingOpen', 'UTC'),
      retryAtSec: deadlineSec + 1n,
    })
    await market.passTime(1_201n)
    await expect(sdk.voteOnDelivery(as.judge, { ...at, approve: true })).rejects.toMatchObject(refused('VotingClosed'))
    const { event } = await sdk.finalizeJuryTimeoutAndWait(as.funder, at)
    expect(event.args.verdict).toBe(2)
  })

  test('is not judged when the voting window no longer fits', async () => {
    const at = await delivered({ judgmentWindowSec: 1_400n })
    await market.passTime(200n)
    await expect(sdk.voteOnDelivery(market.as.owner, { ...at, approve: true })).rejects.toMatchObject(
      refused('CaseDoesNotFit', 'silence would pay'),
    )
  })

  test('whose acceptance meets a full epoch is accepted later, by anyone', async () => {
    const { as } = market
    const first = await delivered({
      epochLengthSec: 864_000n,
      maxCompletionsPerEpoch: 1n,
      judgmentWindowSec: 8_640_000n,
    })
    const second = await deliverTo({ task: first.task, tokenId: first.tokenId })
    for (const at of [first, second]) {
      await sdk.voteOnDeliveryAndWait(as.owner, { ...at, approve: true })
      await sdk.voteOnDeliveryAndWait(as.judge, { ...at, approve: true })
    }
    expect(await sdk.getJuryCase(as.stranger, second)).toMatchObject({ verdict: 'accept', isKept: true })
    expect(await sdk.getKeptVerdictCount(as.stranger, second)).toBe(1n)
    await expect(sdk.executeVerdict(as.funder, first)).rejects.toMatchObject(refused('NothingKept'))
    await expect(sdk.executeVerdict(as.funder, second)).rejects.toMatchObject(refused('EpochExhausted'))
    const successor = market.address.judge
    await sdk.voteJuryHandOverAndWait(as.owner, { ...second, successor, approve: true })
    await expect(sdk.voteJuryHandOver(as.judge, { ...second, successor, approve: true })).rejects.toMatchObject(
      refused('VerdictsKept'),
    )
    await market.passTime(864_000n)
    await sdk.executeVerdictAndWait(as.funder, second)
    expect((await sdk.getSubmission(as.stranger, second)).status).toBe('accepted')
    await sdk.voteJuryHandOverAndWait(as.judge, { ...second, successor, approve: true })
    expect(await sdk.getAcceptanceAuthority(as.stranger, second)).toBe(successor)
    await expect(sdk.voteOnDelivery(as.owner, { ...second, approve: true })).rejects.toMatchObject(
      refused('NotInSlot', successor),
    )
  })
})

test('every event of a jury is listed, and narrowed to a tender and a delivery', async () => {
  const { as, task, address } = market
  const all = { jury, task, fromBlock: 0n }
  const counts = await Promise.all([
    sdk.listJuryCaseOpened(as.stranger, all),
    sdk.listJuryVoted(as.stranger, all),
    sdk.listVerdictReached(as.stranger, all),
    sdk.listVerdictKept(as.stranger, all),
    sdk.listVerdictExecuted(as.stranger, all),
    sdk.listHandOverVoted(as.stranger, all),
    sdk.listJuryFeePromised(as.stranger, all),
    sdk.listJuryFeeFunded(as.stranger, all),
    sdk.listJuryFeePaid(as.stranger, all),
    sdk.listJuryFeeReturned(as.stranger, all),
  ])
  expect(counts.map(({ events }) => events.length)).toEqual([5, 9, 5, 1, 5, 2, 1, 1, 1, 1])
  const votes = await sdk.listJuryVoted(as.stranger, { ...all, tokenId: 1n, submissionId: 1n })
  expect(votes.events.map(({ args }) => args.juror)).toEqual([address.owner, address.stranger])
  expect((await sdk.listJuryVoted(as.stranger, { ...all, task: address.judge })).events).toEqual([])
  const paid = await sdk.listOwedWithdrawn(as.stranger, { companion: jury, account: address.owner, fromBlock: 0n })
  expect(paid.events.map(({ args }) => args.to)).toEqual([address.funder])
})

describe('a jury that cannot be is refused by name', () => {
  test.each<[string, Partial<sdk.DeployJuryPanelParameters>]>([
    ['JurorCountOutOfRange', { jurors: [] }],
    ['QuorumOutOfRange', { quorum: 2n }],
    ['ZeroVoteWindow', { voteWindowSec: 0n }],
    ['BadJuror', { jurors: [zeroAddress] }],
    ['DuplicateJuror', { jurors: Array.from({ length: 2 }, () => '0x5FbDB2315678afecb367f032d93F642f64180aa3') }],
  ])('%s', async (errorName, change) => {
    const { as, address } = market
    const terms = { jurors: [address.judge], quorum: 1n, voteWindowSec: 60n, ...change }
    await expect(sdk.deployJuryPanel(as.owner, as.owner, terms)).rejects.toMatchObject({ errorName })
  })
})
