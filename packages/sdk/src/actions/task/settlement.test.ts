import { taskTokenAbi } from '@oikos/core/abi'
import { encodeFunctionData, keccak256, toHex, zeroAddress } from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileMocks } from '../../../test/compile-mocks.ts'
import { expectListings } from '../../../test/listings.ts'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const REWARD = 10n ** 18n
const resultHash = keccak256(toHex('result'))
const mocks = compileMocks()
let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

/** A funded tender with one pending delivery. */
async function delivered(terms: Partial<sdk.TenderTerms> = {}): Promise<{ task: typeof market.task; tokenId: bigint }> {
  const target = { task: market.task, tokenId: await market.mint(terms) }
  await sdk.fundTaskAndWait(market.as.funder, { ...target, amountAtomic: 2n * REWARD })
  await sdk.submitFulfillmentAndWait(market.as.fulfiller, { ...target, resultHash, resultURI: 'ipfs://result' })
  return target
}

describe('a tender in native currency', () => {
  test('is funded, delivered to, accepted and reclaimed, and its snapshot says so', async () => {
    const { task, as, address } = market
    const tokenId = await market.mint()
    const target = { task, tokenId }
    const funded = await sdk.fundTaskAndWait(as.funder, { ...target, amountAtomic: 3n * REWARD })
    expect(funded.event.args).toEqual({
      tokenId,
      funder: address.funder,
      amount: 3n * REWARD,
      escrowBalance: 3n * REWARD,
    })
    const submitted = await sdk.submitFulfillmentAndWait(as.fulfiller, { ...target, resultHash, resultURI: '' })
    expect(submitted.event.args).toMatchObject({ submissionId: 1n, fulfiller: address.fulfiller, resultHash })
    expect(submitted.event.args.taskVersion).toBe(1n)

    const block = await sdk.getBlockMoment(as.stranger)
    expect(await sdk.getTender(as.stranger, target)).toEqual({
      chainId: 11155111,
      task,
      tokenId,
      blockNumber: block.number,
      blockTimestampSec: block.timestampSec,
      owner: address.owner,
      updateAuthority: address.publisher,
      acceptanceAuthority: address.judge,
      binding: await sdk.getTaskBinding(as.stranger, target),
      taskURI: 'ipfs://package',
      frozen: false,
      cancelled: false,
      hasDocument: false,
      terms: await sdk.getTenderTerms(as.stranger, target),
      vault: await sdk.getVault(as.stranger, target),
      balanceAtomic: 3n * REWARD,
      lockedAtomic: REWARD,
      shares: { creditsAtomic: 0n, fundersAtomic: 3n * REWARD, residualAtomic: 0n },
      pending: 1n,
      completions: 0n,
      submissionCount: 1n,
    })
    expect(await sdk.getSubmission(as.stranger, { ...target, submissionId: 1n })).toEqual({
      submissionId: 1n,
      fulfiller: address.fulfiller,
      resultHash,
      taskVersion: 1n,
      submittedAtSec: block.timestampSec,
      machineSettled: false,
      status: 'pending',
    })

    const before = await sdk.getAssetBalance(as.stranger, { asset: zeroAddress, account: address.fulfiller })
    const accepted = await sdk.acceptFulfillmentAndWait(as.judge, { ...target, submissionId: 1n })
    expect(accepted.event.args).toEqual({
      tokenId,
      submissionId: 1n,
      fulfiller: address.fulfiller,
      reward: REWARD,
    })
    const after = await sdk.getAssetBalance(as.stranger, { asset: zeroAddress, account: address.fulfiller })
    expect(after - before).toBe(REWARD)
    expect((await sdk.getSubmission(as.stranger, { ...target, submissionId: 1n })).status).toBe('accepted')

    const cancelled = await sdk.cancelTaskAndWait(as.publisher, target)
    expect(cancelled.event.args).toEqual({ tokenId })
    const contribution = { ...target, funder: address.funder }
    expect(await sdk.getContribution(as.stranger, contribution)).toBe(3n * REWARD)
    const reclaimed = await sdk.reclaimEscrowAndWait(as.funder, target)
    expect(reclaimed.event.args).toEqual({ tokenId, funder: address.funder, amount: 2n * REWARD })
    expect(await sdk.getContribution(as.stranger, contribution)).toBe(0n)
  })

  test('a rejected delivery frees its slot', async () => {
    const target = await delivered()
    const { event } = await sdk.rejectFulfillmentAndWait(market.as.judge, { ...target, submissionId: 1n })
    expect(event.args).toEqual({ tokenId: target.tokenId, submissionId: 1n })
    const { status } = await sdk.getSubmission(market.as.stranger, { ...target, submissionId: 1n })
    expect(status).toBe('rejected')
    expect(await sdk.getPendingCount(market.as.stranger, target)).toBe(0n)
    expect(await sdk.getLockedEscrow(market.as.stranger, target)).toBe(0n)
  })

  test('silence pays the fulfiller', async () => {
    const target = await delivered()
    await market.passTime(3_601n)
    const { event, events } = await sdk.claimUnjudgedAndWait(market.as.stranger, { ...target, submissionId: 1n })
    expect(event.args.fulfiller).toBe(market.address.fulfiller)
    expect(events.map(({ eventName }) => eventName)).toEqual(['FulfillmentClaimedUnjudged', 'FulfillmentAccepted'])
    expect(await sdk.getCompletionCount(market.as.stranger, target)).toBe(1n)
  })

  test('completions are counted by epoch', async () => {
    const target = await delivered({ epochLengthSec: 86_400n, maxCompletionsPerEpoch: 1n })
    const { event } = await sdk.acceptFulfillmentAndWait(market.as.judge, { ...target, submissionId: 1n })
    const block = await sdk.getBlockMoment(market.as.stranger, event.blockNumber)
    const epoch = block.timestampSec / 86_400n
    expect(await sdk.getCompletionsInEpoch(market.as.stranger, { ...target, epoch })).toBe(1n)
    expect(await sdk.getCompletionsInEpoch(market.as.stranger, { ...target, epoch: epoch + 1n })).toBe(0n)
  })

  test('a gift to the vault is the owner\u2019s residual', async () => {
    const { as, address, task } = market
    const target = { task, tokenId: await market.mint() }
    const vault = await sdk.getVault(as.stranger, target)
    const hash = await sendTransaction(as.stranger, { to: vault, value: 5n, chain: null } as never)
    await waitForTransactionReceipt(as.stranger, { hash })
    expect(await sdk.getEscrowShares(as.stranger, target)).toEqual({
      creditsAtomic: 0n,
      fundersAtomic: 0n,
      residualAtomic: 5n,
    })
    await sdk.cancelTaskAndWait(as.publisher, target)
    expect(await sdk.isTenderCancelled(as.stranger, target)).toBe(true)
    const { event } = await sdk.reclaimResidualAndWait(as.owner, target)
    expect(event.args).toEqual({ tokenId: target.tokenId, owner: address.owner, amount: 5n })
  })

  test('a reward that cannot be delivered becomes a credit, and is withdrawn later', async () => {
    const { as, task } = market
    const target = { task, tokenId: await market.mint() }
    await sdk.fundTaskAndWait(as.funder, { ...target, amountAtomic: REWARD })
    const actor = await market.deployMock(mocks.Actor)
    const args = [target.tokenId, resultHash, ''] as const
    const data = encodeFunctionData({ abi: taskTokenAbi, functionName: 'submitFulfillment', args })
    await market.tell(mocks.Actor, actor, 'act', [task, data])
    const { events } = await sdk.acceptFulfillmentAndWait(as.judge, { ...target, submissionId: 1n })
    expect(events).toMatchObject([
      { eventName: 'FulfillmentAccepted', args: { reward: REWARD } },
      { eventName: 'PayoutCredited', args: { fulfiller: actor, amount: REWARD } },
    ])
    expect(await sdk.getCredit(as.stranger, { ...target, creditor: actor })).toBe(REWARD)
    await market.tell(mocks.Actor, actor, 'setAccepts', [true])
    const { event } = await sdk.withdrawCreditAndWait(as.stranger, { ...target, creditor: actor })
    expect(event.args).toEqual({ tokenId: target.tokenId, account: actor, amount: REWARD })
    expect(await sdk.getAssetBalance(as.stranger, { asset: zeroAddress, account: actor })).toBe(REWARD)
  })
})

describe('a tender in a token', () => {
  test('is funded after an approval, and pays less where the token took money away', async () => {
    const { as, address, task } = market
    const token = await market.deployMock(mocks.TestToken, ['USDT', 6])
    await market.tell(mocks.TestToken, token, 'mint', [address.funder, 300n])
    const target = { task, tokenId: await market.mint({ asset: token, rewardPerCompletionAtomic: 100n }) }
    const approval = await sdk.approveAssetAndWait(as.funder, { token, spender: task, amountAtomic: 300n })
    expect(approval.event.args).toEqual({ owner: address.funder, spender: task, amount: 300n })
    const asked = { token, owner: address.funder, spender: task }
    expect(await sdk.getAssetAllowance(as.stranger, asked)).toBe(300n)
    const funded = await sdk.fundTaskAndWait(as.funder, { ...target, amountAtomic: 100n })
    expect(funded.event.args.escrowBalance).toBe(100n)
    expect(await sdk.getEscrowBalance(as.stranger, target)).toBe(100n)

    await sdk.submitFulfillmentAndWait(as.fulfiller, { ...target, resultHash, resultURI: '' })
    const vault = await sdk.getVault(as.stranger, target)
    await market.tell(mocks.TestToken, token, 'burn', [vault, 40n])
    await market.passTime(3_601n)
    const { event } = await sdk.claimShortfallAndWait(as.fulfiller, { ...target, submissionId: 1n })
    expect(event.args.reward).toBe(60n)
    expect(await sdk.getAssetBalance(as.stranger, { asset: token, account: address.fulfiller })).toBe(60n)
  })

  test('what was sent to the vault in another asset goes to the owner', async () => {
    const { as, address, task } = market
    const token = await market.deployMock(mocks.TestToken, ['LOST', 0])
    const target = { task, tokenId: await market.mint() }
    await market.tell(mocks.TestToken, token, 'mint', [await sdk.getVault(as.stranger, target), 7n])
    await sdk.cancelTaskAndWait(as.publisher, target)
    const { event } = await sdk.reclaimForeignAndWait(as.owner, { ...target, foreignAsset: token })
    expect(event.args).toEqual({ tokenId: target.tokenId, owner: address.owner, asset: token, amount: 7n })
  })
})

describe('lists', () => {
  test('tenders come newest first, in pages without gap or repetition, at one block', async () => {
    const { as, task } = market
    for (let count = 0; count < 3; count++) await market.mint()
    const total = (await sdk.getNextTokenId(as.stranger, { task })) - 1n
    const seen: bigint[] = []
    let cursor: bigint | undefined
    do {
      const page = await sdk.listTenders(as.stranger, {
        task,
        pageSize: 2,
        ...(cursor === undefined ? {} : { cursor }),
      })
      expect(page.tenders.every(({ blockNumber }) => blockNumber === page.blockNumber)).toBe(true)
      seen.push(...page.tenders.map(({ tokenId }) => tokenId))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(Array.from({ length: Number(total) }, (_, index) => total - BigInt(index)))
    const oldest = await sdk.listTenders(as.stranger, { task, pageSize: 1, order: 'oldest' })
    expect(oldest.tenders.map(({ tokenId }) => tokenId)).toEqual([1n])
    expect(oldest.nextCursor).toBe(2n)
  })

  test('a tender whose asset does not answer is listed as unreadable and spoils nothing', async () => {
    const { as, task, address } = market
    const tokenId = await market.mint({ asset: address.stranger })
    const page = await sdk.listTenders(as.stranger, { task, pageSize: 2 })
    expect(page.unreadable).toMatchObject([{ tokenId, error: { errorName: 'UnreadableBalance' } }])
    expect(page.tenders.map((tender) => tender.tokenId)).toEqual([tokenId - 1n])
  })

  test('submissions come in pages', async () => {
    const { as } = market
    const target = await delivered()
    await sdk.submitFulfillmentAndWait(as.stranger, { ...target, resultHash, resultURI: '' })
    const first = await sdk.listSubmissions(as.stranger, { ...target, pageSize: 1 })
    expect(first.submissions).toMatchObject([{ submissionId: 2n, fulfiller: market.address.stranger }])
    expect(first.nextCursor).toBe(1n)
    const rest = await sdk.listSubmissions(as.stranger, { ...target, pageSize: 1, cursor: 1n })
    expect(rest.submissions).toMatchObject([{ submissionId: 1n }])
    expect(rest.nextCursor).toBeUndefined()
    expect(await sdk.getSubmissionCount(as.stranger, target)).toBe(2n)
  })
})

test('every event of these writes is listed by its own action', async () => {
  await expectListings(market.as.stranger, market.task, [
    'TenderFunded',
    'FulfillmentSubmitted',
    'FulfillmentAccepted',
    'FulfillmentRejected',
    'FulfillmentClaimedUnjudged',
    'PayoutCredited',
    'PayoutWithdrawn',
    'TenderCancelled',
    'EscrowReclaimed',
    'ResidualReclaimed',
    'ForeignReclaimed',
  ])
})
