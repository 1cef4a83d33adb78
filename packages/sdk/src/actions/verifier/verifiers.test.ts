import { hexToBytes, stringToBytes, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectListings } from '../../../test/listings.ts'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const REWARD = 10n ** 18n
let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

/** A funded tender that is judged by a verifier. */
async function machineTender(verifier: `0x${string}`): Promise<sdk.TaskTarget> {
  const tokenId = await market.mint({}, { acceptanceAuthority: verifier })
  const target = { task: market.task, tokenId }
  await sdk.fundTaskAndWait(market.as.funder, { ...target, amountAtomic: 2n * REWARD })
  return target
}

describe('x-hashlock-v1', () => {
  test('whoever knows the answer settles, and only its own delivery', async () => {
    const { as, address, deployment } = market
    const verifier = deployment.hashlockVerifier
    const target = await machineTender(verifier)
    expect(await sdk.getVerifierProfile(as.stranger, { verifier })).toBe(sdk.HASHLOCK_PROFILE)
    expect(await sdk.getAnswerHash(as.stranger, { ...target, verifier })).toBeUndefined()
    const answer = stringToBytes('forty-two')
    const answerHash = sdk.hashlockAnswerHash(answer)
    const { event } = await sdk.commitAnswerAndWait(as.publisher, { ...target, verifier, answerHash })
    expect(event.args).toEqual({ taskContract: target.task, tokenId: target.tokenId, answerHash })
    expect(await sdk.getAnswerHash(as.stranger, { ...target, verifier })).toBe(answerHash)

    const resultHash = sdk.hashlockResultHash(answer, address.fulfiller)
    await sdk.submitFulfillmentAndWait(as.stranger, { ...target, resultHash, resultURI: '' })
    await sdk.submitFulfillmentAndWait(as.fulfiller, { ...target, resultHash, resultURI: '' })
    const proof = toHex(answer)
    await expect(
      sdk.simulateSettleFulfillment(as.stranger, { ...target, submissionId: 1n, proof }),
    ).rejects.toMatchObject({ errorName: 'ProofNotAccepted' })
    const settled = await sdk.settleFulfillmentAndWait(as.stranger, { ...target, submissionId: 2n, proof })
    expect(settled.event.args).toMatchObject({ fulfiller: address.fulfiller, reward: REWARD })
    expect(await sdk.isResultConsumed(as.stranger, { ...target, verifier, resultHash })).toBe(true)

    await market.passTime(3_601n)
    const released = await sdk.releaseExpiredAndWait(as.stranger, { ...target, submissionId: 1n })
    expect(released.events.map(({ eventName }) => eventName)).toEqual(['SubmissionReleased', 'FulfillmentRejected'])
    await expectListings(as.stranger, target.task, ['SubmissionReleased', 'FulfillmentRejected'])
  })

  test('handOver passes the slot on', async () => {
    const { as, address, deployment } = market
    const verifier = deployment.hashlockVerifier
    const target = await machineTender(verifier)
    const newAuthority = address.judge
    const { event } = await sdk.handOverAndWait(as.publisher, { ...target, verifier, newAuthority })
    expect(event.args).toEqual({ tokenId: target.tokenId, previousAuthority: verifier, newAuthority })
  })
})

describe('x-batch-receipt-merkle-minage-v1', () => {
  test('each receipt settles the delivery of its fulfiller after the minimum age', async () => {
    const { as, address, deployment } = market
    const verifier = deployment.batchReceiptVerifier
    const target = await machineTender(verifier)
    const people = ['fulfiller', 'stranger', 'owner'] as const
    const receipts = people.map((role, index) => ({
      receipt: hexToBytes(toHex(index + 1, { size: 24 })),
      fulfiller: address[role],
    }))
    const { root, leaves, proofs } = sdk.buildReceiptTree(receipts)
    expect(await sdk.getBatch(as.stranger, { ...target, verifier })).toBeUndefined()
    const { event } = await sdk.commitBatchRootAndWait(as.publisher, { ...target, verifier, root, minAgeSec: 60n })
    expect(event.args).toEqual({ taskContract: target.task, tokenId: target.tokenId, root, minAge: 60n })
    expect(await sdk.getBatch(as.stranger, { ...target, verifier })).toEqual({ root, minAgeSec: 60n })

    for (const [index, role] of people.entries()) {
      const resultHash = leaves[index] ?? '0x'
      const proof = proofs[index] ?? '0x'
      const submitted = await sdk.submitFulfillmentAndWait(as[role], { ...target, resultHash, resultURI: '' })
      const { submissionId } = submitted.event.args
      const settle = { ...target, submissionId, proof }
      await expect(sdk.simulateSettleFulfillment(as.stranger, settle)).rejects.toMatchObject({
        errorName: 'ProofNotAccepted',
      })
      await market.passTime(60n)
      const { event } = await sdk.settleFulfillmentAndWait(as.judge, settle)
      expect(event.args).toMatchObject({ fulfiller: address[role], reward: REWARD })
      await sdk.fundTaskAndWait(as.funder, { ...target, amountAtomic: REWARD })
    }
  })
})
