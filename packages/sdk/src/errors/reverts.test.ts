import { taskTokenAbi, taskVaultAbi } from '@oikos/core/abi'
import { encodeFunctionData, keccak256, stringToBytes, toHex, zeroAddress, zeroHash } from 'viem'
import { call } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileMocks } from '../../test/compile-mocks.ts'
import { type Market, startMarket, taskHashOf, tdHashOf } from '../../test/market.ts'
import * as sdk from '../index.ts'

const REWARD = 10n ** 18n
const resultHash = keccak256(toHex('result'))
const mocks = compileMocks()
const seen = new Set<string>()
let market: Market
let token: `0x${string}`
beforeAll(async () => {
  market = await startMarket()
  token = await market.deployMock(mocks.TestToken, ['USDC', 6])
})
afterAll(() => market.stop())

/** The call is refused with this error, as a sentence and an advice; `says` must be in the sentence. */
async function refused(promise: Promise<unknown>, errorName: string, says = ''): Promise<sdk.ContractRevertedError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(sdk.ContractRevertedError)
  if (!(error instanceof sdk.ContractRevertedError)) throw error
  expect(error.errorName).toBe(errorName)
  expect(error.shortMessage).toContain(says)
  expect(error.shortMessage).toMatch(/^[^\n]+[.!]$/)
  expect(error.advice).toMatch(/\w/)
  seen.add(errorName)
  return error
}

async function funded(
  terms: Partial<sdk.TenderTerms> = {},
  roles: Partial<sdk.MintTaskParameters> = {},
  amountAtomic = 2n * REWARD,
): Promise<sdk.TaskTarget> {
  const target = { task: market.task, tokenId: await market.mint(terms, roles) }
  if (amountAtomic !== 0n) await sdk.fundTaskAndWait(market.as.funder, { ...target, amountAtomic })
  return target
}

const deliver = (target: sdk.TaskTarget) =>
  sdk.submitFulfillmentAndWait(market.as.fulfiller, { ...target, resultHash, resultURI: '' })

describe('binding and terms', () => {
  test('a mint is refused with its reason', async () => {
    await refused(market.mint({}, { tdHash: zeroHash as never }), 'ZeroHash')
    await refused(market.mint({}, { updateAuthority: zeroAddress }), 'ZeroAuthority')
    await refused(market.mint({}, { taskURI: '' }), 'EmptyURI')
    await refused(market.mint({ rewardPerCompletionAtomic: 0n }), 'ZeroReward')
    await refused(market.mint({ judgmentWindowSec: 0n }), 'ZeroJudgmentWindow')
    const times = { submitBySec: 1_772_366_400n, settleBySec: 1_772_366_399n }
    await refused(market.mint(times), 'SettleByBeforeSubmitBy', '2026-03-01 11:59:59 UTC')
    await refused(market.mint({ epochLengthSec: 60n }), 'EpochFieldsMustPair', '60 seconds')
    await refused(market.mint({}, { to: zeroAddress }), 'ERC721InvalidReceiver')
  })

  test('publication is refused with its reason', async () => {
    const { task, as, address } = market
    const document = stringToBytes('# A task\n')
    const target = { task, tokenId: await market.mint({}, { tdHash: tdHashOf('# A task\n') }) }
    const { taskHash } = await sdk.getTaskBinding(as.stranger, target)
    const update = { ...target, tdHash: tdHashOf('next'), taskHash: taskHashOf('next') }
    const error = await refused(sdk.updateTask(as.stranger, update), 'NotUpdateAuthority', address.publisher)
    expect(error.args).toEqual({ tokenId: target.tokenId, caller: address.stranger, authority: address.publisher })
    expect(error).toMatchObject({ contract: task, functionName: 'updateTask', retryable: false })
    await refused(sdk.updateTask(as.publisher, { ...update, taskHash }), 'TaskHashUnchanged')
    await refused(sdk.getTaskDocument(as.stranger, target), 'NoOnchainDocument')
    const wrong = { ...target, document: stringToBytes('# Another\n') }
    await refused(sdk.publishTaskDocument(as.publisher, wrong), 'DocumentMismatch')
    const tooLong = { ...target, document: new Uint8Array(24_576), taskHash: taskHashOf('long') }
    await refused(sdk.updateTaskWithDocument(as.publisher, tooLong), 'DocumentTooLarge', '24576')
    await sdk.publishTaskDocumentAndWait(as.publisher, { ...target, document })
    await refused(sdk.publishTaskDocument(as.publisher, { ...target, document }), 'DocumentAlreadyPublished')
    await refused(sdk.updateTask(as.publisher, update), 'DocumentUpdateRequired')
    await sdk.freezeTaskAndWait(as.publisher, target)
    await refused(sdk.freezeTask(as.publisher, target), 'TaskIsFrozen')
  })

  test('the ERC-721 part is refused with its reason', async () => {
    const { task, as, address } = market
    const target = { task, tokenId: await market.mint() }
    await refused(sdk.getTaskOwner(as.stranger, { task, tokenId: 99_999n }), 'ERC721NonexistentToken', '99999')
    const wrong = { ...target, from: address.judge, to: address.funder }
    await refused(sdk.transferTask(as.owner, wrong), 'ERC721IncorrectOwner', address.owner)
    const right = { ...target, from: address.owner, to: address.funder }
    await refused(sdk.transferTask(as.stranger, right), 'ERC721InsufficientApproval')
    await refused(sdk.safeTransferTask(as.owner, { ...right, to: token }), 'ERC721InvalidReceiver')
    await refused(sdk.approveTask(as.stranger, { ...target, operator: address.judge }), 'ERC721InvalidApprover')
    const grant = { task, operator: zeroAddress, approved: true }
    await refused(sdk.setTaskApprovalForAll(as.owner, grant), 'ERC721InvalidOperator')
    await refused(sdk.getTaskBalance(as.stranger, { task, owner: zeroAddress }), 'ERC721InvalidOwner')
  })
})

describe('money', () => {
  test('funding is refused with its reason, and amounts are written in a known asset', async () => {
    const { as, task } = market
    const target = await funded({}, {}, 0n)
    await refused(sdk.fundTask(as.funder, { ...target, amountAtomic: 0n }), 'ZeroAmount')
    const inToken = { task, tokenId: await market.mint({ asset: token, rewardPerCompletionAtomic: 5n }) }
    await market.tell(mocks.TestToken, token, 'mint', [market.address.funder, 1_000_000n])
    const fund = { ...inToken, amountAtomic: 500_000n }
    await refused(
      sdk.fundTask(as.funder, fund),
      'FundingMismatch',
      'received 0 smallest units of 500000 smallest units',
    )
    const asset = await sdk.getAssetMetadata(as.stranger, { asset: token })
    const error = await refused(sdk.fundTask(as.funder, { ...fund, asset }), 'FundingMismatch', '0 USDC of 0.5 USDC')
    expect(error.advice).toContain('approve')
    const args = [inToken.tokenId, 5n] as const
    const data = encodeFunctionData({ abi: taskTokenAbi, functionName: 'fundTask', args })
    const sent = call(as.funder, { account: market.address.funder, to: task, data, value: 1n } as never)
    await refused(
      sent.catch((cause) => Promise.reject(sdk.toOikosError(cause))),
      'WrongNativeValue',
    )
    const nowhere = { task, tokenId: await market.mint({ asset: market.address.judge }) }
    await refused(sdk.getEscrowBalance(as.stranger, nowhere), 'UnreadableBalance', market.address.judge)
  })

  test('a delivery to a vault without enough money', async () => {
    const target = await funded({}, {}, 1n)
    const submit = { ...target, resultHash, resultURI: '', asset: sdk.nativeAsset }
    const says = 'has 0.000000000000000001 ETH to spend; 1 ETH are needed'
    await refused(sdk.submitFulfillment(market.as.fulfiller, submit), 'EscrowTooLow', says)
  })

  test('reclaiming is refused with its reason', async () => {
    const { as, address } = market
    const settleBySec = (await market.now()) + 7_200n
    const target = await funded({ settleBySec })
    const open = await refused(sdk.reclaimEscrow(as.funder, target), 'TenderStillOpen', 'UTC')
    expect(open).toMatchObject({ retryable: true, retryAtSec: settleBySec + 1n })
    const forEver = await refused(
      sdk.reclaimEscrow(as.funder, await funded()),
      'TenderStillOpen',
      'without a time limit',
    )
    expect(forEver).toMatchObject({ retryable: false, retryAtSec: undefined })
    await deliver(target)
    await sdk.cancelTaskAndWait(as.publisher, target)
    await refused(sdk.cancelTask(as.publisher, target), 'TenderIsCancelled')
    await refused(sdk.reclaimEscrow(as.funder, target), 'DeliveriesPending', 'One delivery')
    await sdk.rejectFulfillmentAndWait(as.judge, { ...target, submissionId: 1n })
    await refused(sdk.reclaimEscrow(as.stranger, target), 'NothingToReclaim', address.stranger)
    await refused(sdk.reclaimResidual(as.stranger, target), 'NotTokenOwner', address.owner)
    await refused(sdk.reclaimForeign(as.owner, { ...target, foreignAsset: zeroAddress }), 'AssetOfTender')
    await refused(sdk.withdrawCredit(as.stranger, { ...target, creditor: address.fulfiller }), 'NothingCredited')
  })

  test('no money comes in after refunds have begun, and a recipient who refuses it gets none', async () => {
    const { as, address, task } = market
    const over = await funded({ settleBySec: (await market.now()) + 100n })
    await market.passTime(200n)
    await refused(sdk.fundTask(as.funder, { ...over, amountAtomic: 1n }), 'SettlementClosed')
    await sdk.reclaimEscrowAndWait(as.funder, over)
    await refused(sdk.fundTask(as.funder, { ...over, amountAtomic: 1n }), 'RefundsStarted')

    const actor = await market.deployMock(mocks.Actor)
    const target = { task, tokenId: await market.mint({}, { to: actor }) }
    const vault = await sdk.getVault(as.stranger, target)
    await market.tell(mocks.TestToken, token, 'mint', [vault, 5n])
    const release = encodeFunctionData({
      abi: taskVaultAbi,
      functionName: 'release',
      args: [token, address.stranger, 5n, 100_000n],
    })
    const taken = call(as.stranger, { account: address.stranger, to: vault, data: release } as never)
    await refused(
      taken.catch((cause) => Promise.reject(sdk.toOikosError(cause))),
      'NotKernel',
      task,
    )
    await sdk.cancelTaskAndWait(as.publisher, target)
    const fee = await funded({ asset: zeroAddress })
    await sdk.submitFulfillmentAndWait(as.fulfiller, { ...fee, resultHash, resultURI: '' })
    const data = encodeFunctionData({ abi: taskTokenAbi, functionName: 'reclaimResidual', args: [target.tokenId] })
    const gift = { account: address.stranger, to: actor, data: encodeAct(task, data) }
    await market.tell(mocks.Actor, actor, 'setAccepts', [false])
    await giveNative(vault, 3n)
    await refused(
      call(as.stranger, gift as never).catch((cause) => Promise.reject(sdk.toOikosError(cause))),
      'PayoutFailed',
      actor,
    )
  })
})

function encodeAct(target: `0x${string}`, data: `0x${string}`): `0x${string}` {
  return encodeFunctionData({ abi: mocks.Actor.abi, functionName: 'act', args: [target, data] })
}

async function giveNative(to: `0x${string}`, value: bigint): Promise<void> {
  await market.as.owner.request({ method: 'anvil_setBalance', params: [to, toHex(value)] } as never)
}

describe('deliveries and their judgment', () => {
  test('a delivery is refused with its reason', async () => {
    const { as } = market
    const submit = (target: sdk.TaskTarget) =>
      sdk.submitFulfillment(as.stranger, { ...target, resultHash, resultURI: '' })
    const one = await funded({ maxCompletions: 1n })
    await refused(sdk.submitFulfillment(as.stranger, { ...one, resultHash: zeroHash, resultURI: '' }), 'ZeroResultHash')
    await deliver(one)
    await refused(submit(one), 'CompletionsExhausted')
    const soon = (await market.now()) + 50n
    const closing = await funded({ submitBySec: soon })
    await market.passTime(100n)
    await refused(submit(closing), 'SubmissionsClosed')
  })

  test('a ruling is refused with its reason', async () => {
    const { as, address } = market
    const target = await funded()
    const first = { ...target, submissionId: 1n }
    await refused(sdk.acceptFulfillment(as.judge, first), 'NonexistentSubmission')
    await deliver(target)
    await refused(sdk.acceptFulfillment(as.stranger, first), 'NotAcceptanceAuthority', address.judge)
    await refused(sdk.settleFulfillment(as.stranger, { ...first, proof: '0x' }), 'SlotHoldsNoVerifier')
    const { submittedAtSec } = await sdk.getSubmission(as.stranger, first)
    const early = await refused(sdk.claimUnjudged(as.stranger, first), 'JudgmentWindowOpen')
    expect(early).toMatchObject({ retryable: true, retryAtSec: submittedAtSec + 3_601n })
    await market.passTime(3_601n)
    await refused(sdk.rejectFulfillment(as.judge, first), 'JudgmentWindowClosed')
    await refused(sdk.releaseExpired(as.stranger, first), 'JudgedSubmission')
    await refused(sdk.claimShortfall(as.stranger, first), 'NotFulfiller', address.fulfiller)
    await refused(sdk.claimShortfall(as.fulfiller, first), 'EscrowSufficient')
    await sdk.acceptFulfillmentAndWait(as.judge, first)
    await refused(sdk.acceptFulfillment(as.judge, first), 'SubmissionDecided')
  })

  test('an epoch that is full', async () => {
    const target = await funded({ epochLengthSec: 86_400_000n, maxCompletionsPerEpoch: 1n })
    await deliver(target)
    await deliver(target)
    await sdk.acceptFulfillmentAndWait(market.as.judge, { ...target, submissionId: 1n })
    const second = { ...target, submissionId: 2n }
    expect(await refused(sdk.acceptFulfillment(market.as.judge, second), 'EpochExhausted')).toMatchObject({
      retryable: true,
    })
  })

  test('a machine in the judgment slot', async () => {
    const { as, address, deployment } = market
    const verifier = deployment.hashlockVerifier
    const target = await funded({}, { acceptanceAuthority: verifier })
    await deliver(target)
    const first = { ...target, submissionId: 1n }
    await refused(sdk.settleFulfillment(as.stranger, { ...first, proof: '0x' }), 'ProofNotAccepted')
    await refused(sdk.claimUnjudged(as.stranger, first), 'MachineSettledSubmission')
    const at = { ...target, verifier }
    const answerHash = sdk.hashlockAnswerHash(stringToBytes('answer'))
    await refused(
      sdk.handOver(as.publisher, { ...at, newAuthority: address.judge }),
      'DeliveriesPending',
      'handed over',
    )
    await refused(sdk.commitAnswer(as.stranger, { ...at, answerHash }), 'NotPublisher', address.publisher)
    await refused(sdk.commitAnswer(as.publisher, { ...at, answerHash: zeroHash as never }), 'EmptyCommitment')
    await sdk.commitAnswerAndWait(as.publisher, { ...at, answerHash })
    await refused(sdk.commitAnswer(as.publisher, { ...at, answerHash }), 'AlreadyCommitted')
    const batch = { ...at, verifier: deployment.batchReceiptVerifier, root: answerHash, minAgeSec: 0n }
    await refused(sdk.commitBatchRoot(as.publisher, batch), 'ZeroMinAge')
  })
})

test('at least 45 different errors were decoded from real reverts', () => {
  expect(seen.size).toBeGreaterThanOrEqual(45)
})
