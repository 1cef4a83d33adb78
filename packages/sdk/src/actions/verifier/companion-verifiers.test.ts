import { type Address, hashTypedData, hexToBytes, keccak256, parseSignature, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const REWARD = 10n ** 18n
const ORDER = 2n ** 256n - 432420386565659656852420866394968145599n // of secp256k1; SEC 2, 2.4.1
let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

async function deployVerifier(kind: sdk.StockVerifierKind): Promise<Address> {
  return (await sdk.deployStockVerifier(market.as.owner, market.as.stranger, { kind })).address
}

/** A funded tender that is judged by a verifier. */
async function machineTender(verifier: Address, terms: Partial<sdk.TenderTerms> = {}): Promise<sdk.VerifierTarget> {
  const tokenId = await market.mint(terms, { acceptanceAuthority: verifier })
  const target = { task: market.task, tokenId }
  await sdk.fundTaskAndWait(market.as.funder, { ...target, amountAtomic: 3n * REWARD })
  return { ...target, verifier }
}

type Person = 'fulfiller' | 'stranger' | 'owner' | 'judge'

async function deliver(target: sdk.VerifierTarget, who: Person, resultHash = keccak256(toHex('result'))) {
  const submit = { ...target, resultHash, resultURI: '' }
  const { event } = await sdk.submitFulfillmentAndWait(market.as[who], submit)
  return { ...target, submissionId: event.args.submissionId }
}

const refused = (errorName: string) => expect.objectContaining({ errorName })

describe('x-signed-outcome-eip712-v1', () => {
  const profile = sdk.SIGNED_OUTCOME_PROFILE

  test('two of three attestors settle a delivery, whoever sends the proof', async () => {
    const { as, address } = market
    const verifier = await deployVerifier('signed-outcome-verifier')
    const target = await machineTender(verifier)
    expect(await sdk.getVerifierProfile(as.stranger, { verifier })).toBe(profile)
    const attestors = sdk.sortAttestors([address.owner, address.judge, address.funder])
    const commit = { ...target, attestors, threshold: 2n }
    const descending = { ...commit, attestors: [...attestors].reverse() }
    await expect(sdk.commitAttestors(as.publisher, descending)).rejects.toEqual(refused('AttestorsNotAscending'))
    await expect(sdk.commitAttestors(as.publisher, { ...commit, threshold: 4n })).rejects.toEqual(
      refused('ThresholdOutOfRange'),
    )
    const crowd = Array.from({ length: 33 }, (_, index) => toHex(index + 1, { size: 20 }))
    await expect(sdk.commitAttestors(as.publisher, { ...commit, attestors: crowd })).rejects.toEqual(
      refused('TooManyAttestors'),
    )
    const { event } = await sdk.commitAttestorsAndWait(as.publisher, commit)
    expect(event.args).toMatchObject({ attestors, threshold: 2n })
    expect(await sdk.getOutcomeThreshold(as.stranger, target)).toBe(2n)
    expect(await sdk.isAttestor(as.stranger, { ...target, account: address.judge })).toBe(true)
    expect(await sdk.isAttestor(as.stranger, { ...target, account: address.stranger })).toBe(false)

    const delivery = await deliver(target, 'fulfiller')
    const [one, two, other] = await Promise.all(
      (['owner', 'judge', 'stranger'] as const).map((who) => sdk.signOutcome(as[who], { ...delivery, profile })),
    )
    if (one === undefined || two === undefined || other === undefined) throw new Error('not signed')
    // the contract, core and viem agree on what is signed
    const { fulfiller, resultHash } = await sdk.getSubmission(as.stranger, delivery)
    expect(await sdk.getOutcomeDigest(as.stranger, { ...delivery, fulfiller, resultHash })).toBe(one.digest)
    const domain = { profile, chainId: market.deployment.chainId, verifier }
    expect(hashTypedData(sdk.outcomeTypedData(domain, one.outcome))).toBe(one.digest)
    expect(sdk.outcomeDigest(domain, one.outcome)).toBe(one.digest)

    const digest = sdk.outcomeDigest(domain, one.outcome)
    const settle = (proof: `0x${string}`) => ({ ...delivery, proof })
    const collect = (signatures: readonly string[], threshold = 2) =>
      sdk.encodeOutcomeProof({ digest, signatures, threshold, attestors })
    const wrong = {
      'one signature': collect([one.signature], 1),
      'a stranger among them': sdk.encodeOutcomeProof({
        digest,
        signatures: [one, other].map((s) => s.signature),
        threshold: 2,
      }),
      'no signatures': `0x${'0'.repeat(62)}20${'0'.repeat(64)}`,
    } as const
    for (const proof of Object.values(wrong)) {
      await expect(sdk.settleFulfillment(as.stranger, settle(proof))).rejects.toEqual(refused('ProofNotAccepted'))
    }
    expect(() => collect([one.signature, one.signature, other.signature])).toThrow(/1 that count/)
    const proof = collect([two.signature, other.signature, one.signature])
    expect(collect([one.signature, two.signature])).toBe(proof)
    const settled = await sdk.settleFulfillmentAndWait(as.stranger, settle(proof))
    expect(settled.event.args).toMatchObject({ fulfiller: address.fulfiller, reward: REWARD })

    const copied = await deliver(target, 'stranger')
    await expect(sdk.settleFulfillment(as.stranger, { ...copied, proof })).rejects.toEqual(refused('ProofNotAccepted'))
    const all = { ...target, fromBlock: 0n }
    expect((await sdk.listAttestorsCommitted(as.stranger, all)).events).toHaveLength(1)
  })

  test('a signature with a high s, which others could derive, counts for nobody', async () => {
    const verifier = await deployVerifier('signed-outcome-verifier')
    const delivery = await deliver(await machineTender(verifier), 'fulfiller')
    const { outcome, signature, signer } = await sdk.signOutcome(market.as.judge, { ...delivery, profile })
    const digest = sdk.outcomeDigest({ profile, chainId: market.deployment.chainId, verifier }, outcome)
    expect(sdk.recoverOutcomeSigner(digest, signature)).toBe(signer.toLowerCase())
    const { r, s, yParity } = parseSignature(signature)
    const high = `${r}${toHex(ORDER - BigInt(s), { size: 32 }).slice(2)}${yParity === 0 ? '1c' : '1b'}`
    expect(sdk.recoverOutcomeSigner(digest, high)).toBeUndefined()
    const wrongV = `${signature.slice(0, -2)}${yParity === 0 ? '00' : '01'}`
    for (const other of [wrongV, '0x', signature.slice(0, -2), `0x${'00'.repeat(65)}`]) {
      expect(sdk.recoverOutcomeSigner(digest, other)).toBeUndefined()
    }
  })
})

describe('x-streak-eip712-v1', () => {
  const profile = sdk.STREAK_PROFILE
  const EPOCH = 100_000n

  test('the first who is attested takes the seat, and loses it by missing an epoch', async () => {
    const { as, address } = market
    const verifier = await deployVerifier('streak-verifier')
    const terms = { epochLengthSec: EPOCH, maxCompletionsPerEpoch: 1n, judgmentWindowSec: 10n * EPOCH }
    const target = await machineTender(verifier, terms)
    const commit = { ...target, attestors: [address.judge], threshold: 1n, graceSec: EPOCH }
    const plain = await machineTender(verifier)
    await expect(sdk.commitStreak(as.publisher, { ...commit, ...plain })).rejects.toEqual(refused('NoCadence'))
    expect(await sdk.getStreak(as.stranger, target)).toBeUndefined()
    await sdk.commitStreakAndWait(as.publisher, commit)
    expect(await sdk.getStreak(as.stranger, target)).toEqual({
      ...{ provider: undefined, lastEpoch: 0n, epochLengthSec: EPOCH, graceSec: EPOCH },
    })
    const settle = async (who: Person, text: string): Promise<bigint> => {
      const delivery = await deliver(target, who, keccak256(toHex(text)))
      const { signature, outcome } = await sdk.signOutcome(as.judge, { ...delivery, profile })
      const digest = sdk.outcomeDigest({ profile, chainId: market.deployment.chainId, verifier }, outcome)
      const proof = sdk.encodeOutcomeProof({ digest, signatures: [signature], threshold: 1 })
      await sdk.settleFulfillmentAndWait(as.stranger, { ...delivery, proof })
      return delivery.submissionId
    }
    await settle('fulfiller', 'first')
    expect(await sdk.getStreakProvider(as.stranger, target)).toBe(address.fulfiller)
    expect((await sdk.getStreak(as.stranger, target))?.provider).toBe(address.fulfiller)
    await expect(sdk.declareMiss(as.stranger, target)).rejects.toEqual(refused('NothingMissed'))
    await market.passTime(EPOCH)
    await expect(settle('stranger', 'second')).rejects.toEqual(refused('ProofNotAccepted'))
    await market.passTime(3n * EPOCH)
    expect(await sdk.getStreakProvider(as.stranger, target)).toBeUndefined()
    const { event } = await sdk.declareMissAndWait(as.stranger, target)
    expect(event.args.provider).toBe(address.fulfiller)
    expect(await sdk.hasForfeitedSeat(as.stranger, { ...target, provider: address.fulfiller })).toBe(true)
    await settle('owner', 'third')
    expect(await sdk.getStreakProvider(as.stranger, target)).toBe(address.owner)
    const all = { verifier, fromBlock: 0n }
    expect((await sdk.listStreakCommitted(as.stranger, all)).events).toHaveLength(1)
    expect((await sdk.listSeatTaken(as.stranger, all)).events).toHaveLength(2)
    expect((await sdk.listSeatForfeited(as.stranger, { ...all, ...target })).events).toHaveLength(1)
  })

  test('its signatures do not count at a signed outcome verifier of the same address', () => {
    const outcome = {
      ...{ taskContract: market.task, tokenId: 1n, submissionId: 1n, fulfiller: market.task, resultHash: zeroHash },
    }
    const domain = { chainId: 1, verifier: market.task }
    const streak = sdk.outcomeDigest({ ...domain, profile }, outcome)
    expect(sdk.outcomeDigest({ ...domain, profile: sdk.SIGNED_OUTCOME_PROFILE }, outcome)).not.toBe(streak)
  })
})

describe('x-merkle-secrets-sha256-minage-v1', () => {
  test('each secret settles one delivery of whoever holds it, after the minimum age', async () => {
    const { as } = market
    const verifier = await deployVerifier('merkle-secret-verifier')
    const target = await machineTender(verifier)
    expect(await sdk.getVerifierProfile(as.stranger, { verifier })).toBe(sdk.MERKLE_SECRETS_PROFILE)
    const secrets = [1, 2, 3].map((seed) => hexToBytes(keccak256(toHex(seed))))
    const { root, leaves, proofs } = sdk.buildSecretTree(secrets)
    const commit = { ...target, root, minAgeSec: 60n }
    expect(await sdk.getSecrets(as.stranger, target)).toBeUndefined()
    await expect(sdk.commitSecrets(as.publisher, { ...commit, minAgeSec: 3_600n })).rejects.toEqual(
      refused('MinAgeOutOfRange'),
    )
    await sdk.commitSecretsAndWait(as.publisher, commit)
    expect(await sdk.getSecrets(as.stranger, target)).toEqual({ root, minAgeSec: 60n })

    const people = ['fulfiller', 'stranger', 'owner'] as const
    for (const [index, who] of people.entries()) {
      const secret = secrets[index]
      const leaf = leaves[index]
      if (secret === undefined || leaf === undefined) throw new Error('no secret')
      const proof = proofs[index] ?? '0x'
      const delivery = await deliver(target, who, sdk.secretResultHash(secret, market.address[who]))
      await expect(sdk.settleFulfillment(as.judge, { ...delivery, proof })).rejects.toEqual(refused('ProofNotAccepted'))
      await market.passTime(60n)
      expect(await sdk.isSecretSpent(as.stranger, { ...target, leaf })).toBe(false)
      await sdk.settleFulfillmentAndWait(as.judge, { ...delivery, proof })
      expect(await sdk.isSecretSpent(as.stranger, { ...target, leaf })).toBe(true)
    }
    const all = { ...target, fromBlock: 0n }
    expect((await sdk.listSecretsCommitted(as.stranger, all)).events).toHaveLength(1)
    const spent = await sdk.listSecretSpent(as.stranger, all)
    expect(spent.events.map(({ args }) => args.leaf)).toEqual(leaves)
  })
})
