import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSha256Digest } from '@oikos/core'
import { type Address, type Client, createClient, getAddress, type Hex, http, toHex } from 'viem'
import { getCode } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Market, rpc, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const FOLDER = join(import.meta.dirname, '../../../../../vectors/verifier-profiles')
const vectors = <file>(name: string): file => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as file

type Answers = { cases: { name: string; answer: Hex; fulfiller: Address; answerHash: string; resultHash: Hex }[] }
type Batches = { batches: { name: string; root: string; fulfillers: Address[]; leaves: Hex[]; proofs: Hex[] }[] }
type Secrets = { sets: { name: string; root: string; fulfillers: Address[]; resultHashes: Hex[]; proofs: Hex[] }[] }
type Outcomes = {
  profile: sdk.OutcomeProfile
  cases: {
    name: string
    chainId: number
    verifier: Address
    outcome: { taskContract: Address; tokenId: string; submissionId: string; fulfiller: Address; resultHash: Hex }
    digest: Hex
  }[]
}

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

/** A client of an account whose key nobody has: the node signs for it. */
async function impersonate(account: Address): Promise<Client> {
  const { owner } = market.as
  await rpc(owner, 'anvil_impersonateAccount', [account])
  await rpc(owner, 'anvil_setBalance', [account, toHex(10n ** 18n)])
  return createClient({ account: getAddress(account), transport: http(market.chain.url), pollingInterval: 20 })
}

async function open(verifier: Address, completions: number): Promise<sdk.VerifierTarget> {
  const reward = { rewardPerCompletionAtomic: 1n }
  const target = { task: market.task, tokenId: await market.mint(reward, { acceptanceAuthority: verifier }) }
  await sdk.fundTaskAndWait(market.as.funder, { ...target, amountAtomic: BigInt(completions) })
  return { ...target, verifier }
}

/** Delivers each result as its fulfiller, waits, and expects the contract to take each proof. */
async function settleAll(
  target: sdk.VerifierTarget,
  deliveries: readonly { fulfiller: Address; resultHash: Hex; proof: Hex }[],
): Promise<void> {
  const submitted: bigint[] = []
  for (const { fulfiller, resultHash } of deliveries) {
    const client = await impersonate(fulfiller)
    const { event } = await sdk.submitFulfillmentAndWait(client, { ...target, resultHash, resultURI: '' })
    submitted.push(event.args.submissionId)
  }
  await market.passTime(60n)
  for (const [index, { proof }] of deliveries.entries()) {
    const submissionId = submitted[index] ?? 0n
    await sdk.settleFulfillmentAndWait(market.as.stranger, { ...target, submissionId, proof })
  }
  expect(await sdk.getCompletionCount(market.as.stranger, target)).toBe(BigInt(deliveries.length))
}

const answers = vectors<Answers>('hashlock.json').cases
test.each(answers)(
  'HashlockVerifier settles the vector "$name"',
  async ({ answer, fulfiller, answerHash, resultHash }) => {
    const target = await open(market.deployment.hashlockVerifier, 1)
    await sdk.commitAnswerAndWait(market.as.publisher, { ...target, answerHash: parseSha256Digest(answerHash) })
    await settleAll(target, [{ fulfiller, resultHash, proof: answer }])
  },
)

const { batches } = vectors<Batches>('batch-receipt.json')
test.each(batches)('BatchReceiptVerifier settles the vectors "$name"', async ({ root, fulfillers, leaves, proofs }) => {
  const target = await open(market.deployment.batchReceiptVerifier, fulfillers.length)
  const commit = { ...target, root: parseSha256Digest(root), minAgeSec: 60n }
  await sdk.commitBatchRootAndWait(market.as.publisher, commit)
  const deliveries = fulfillers.map((fulfiller, index) => ({
    ...{ fulfiller, resultHash: leaves[index] ?? '0x', proof: proofs[index] ?? '0x' },
  }))
  await settleAll(target, deliveries)
})

const { sets } = vectors<Secrets>('merkle-secrets.json')
test.each(sets)(
  'MerkleSecretVerifier settles the vectors "$name"',
  async ({ root, fulfillers, resultHashes, proofs }) => {
    const { owner, publisher } = market.as
    const { address: verifier } = await sdk.deployStockVerifier(owner, owner, { kind: 'merkle-secret-verifier' })
    const target = await open(verifier, fulfillers.length)
    await sdk.commitSecretsAndWait(publisher, { ...target, root: parseSha256Digest(root), minAgeSec: 60n })
    const deliveries = fulfillers.map((fulfiller, index) => ({
      ...{ fulfiller, resultHash: resultHashes[index] ?? '0x', proof: proofs[index] ?? '0x' },
    }))
    await settleAll(target, deliveries)
  },
)

const outcomes = ['signed-outcome.json', 'streak.json'].flatMap((name) => {
  const { profile, cases } = vectors<Outcomes>(name)
  return cases.map((entry) => ({ profile, ...entry }))
})
test.each(outcomes)('$profile: the contract computes the digest of the vector "$name"', async (entry) => {
  const { owner } = market.as
  const kind = entry.profile === sdk.STREAK_PROFILE ? 'streak-verifier' : 'signed-outcome-verifier'
  const deployed = await sdk.deployStockVerifier(owner, owner, { kind })
  // at another address the contract computes its domain anew, so the code can stand where the vector has it
  const verifier = getAddress(entry.verifier)
  await market.setCode(verifier, (await getCode(owner, { address: deployed.address })) ?? '0x')
  const { taskContract, tokenId, submissionId, fulfiller, resultHash } = entry.outcome
  const digest = await sdk.getOutcomeDigest(owner, {
    ...{ verifier, task: getAddress(taskContract), tokenId: BigInt(tokenId), submissionId: BigInt(submissionId) },
    ...{ fulfiller: getAddress(fulfiller), resultHash },
  })
  expect(market.deployment.chainId).toBe(entry.chainId)
  expect(digest).toBe(entry.digest)
})
