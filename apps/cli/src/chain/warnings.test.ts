import type { Sha256Digest } from '@oikos/core'
import { nativeAsset, type Tender } from '@oikos/sdk'
import { describe, expect, it } from 'vitest'
import type { Judgment } from './authority.ts'
import { type WarningFacts, warningsOf } from './warnings.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const root = `0x${'ab'.repeat(32)}` as Sha256Digest

const tender: Tender = {
  ...{ chainId: 1, task: address('1'), tokenId: 7n, blockNumber: 10n, blockTimestampSec: 1_000_000n },
  ...{ owner: address('2'), updateAuthority: address('3'), acceptanceAuthority: address('4'), vault: address('5') },
  binding: { tdHash: root, taskHash: root, version: 1n } as Tender['binding'],
  ...{ taskURI: 'ipfs://x', frozen: true, cancelled: false, hasDocument: false },
  terms: {
    ...{ asset: nativeAsset.address, rewardPerCompletionAtomic: 10n, maxCompletions: 2n, submitBySec: 0n },
    ...{ settleBySec: 0n, epochLengthSec: 0n, maxCompletionsPerEpoch: 0n, judgmentWindowSec: 86_400n },
  },
  ...{ balanceAtomic: 20n, lockedAtomic: 0n, pending: 0n, completions: 0n, submissionCount: 0n },
  shares: { creditsAtomic: 0n, fundersAtomic: 20n, residualAtomic: 0n },
}
const judge: Judgment = { kind: 'person', address: address('4'), hasCode: false }

function codes(tenderChanges: Partial<Tender>, facts: Partial<WarningFacts> = {}): string[] {
  return warningsOf({ tender: { ...tender, ...tenderChanges }, judgment: judge, asset: nativeAsset, ...facts }).map(
    ({ code }) => code,
  )
}
const terms = (changes: Partial<Tender['terms']>) => ({ terms: { ...tender.terms, ...changes } })
const money = (fundersAtomic: bigint) => ({ shares: { creditsAtomic: 0n, fundersAtomic, residualAtomic: 0n } })

describe('warnings of a careful buyer', () => {
  it('has none for a frozen, funded tender with an independent judge', () => {
    expect(codes({})).toEqual([])
  })

  it.each<[string, string[]]>([
    ['unfrozen', codes({ frozen: false })],
    ['cancelled', codes({ cancelled: true })],
    ['submissions-closed', codes(terms({ submitBySec: 999_999n }))],
    ['settlement-closed', codes(terms({ settleBySec: 999_999n }))],
    ['settlement-ends-in-window', codes(terms({ settleBySec: 1_000_001n }))],
    ['short-window', codes(terms({ judgmentWindowSec: 86_399n }))],
    ['underfunded', codes(money(9n))],
    ['partly-funded', codes(money(19n))],
    ['judge-is-seller', codes({ updateAuthority: address('4') })],
    ['judge-is-seller', codes({ owner: address('4') })],
    ['judge-is-contract', codes({}, { judgment: { ...judge, hasCode: true } })],
    [
      'unknown-verifier',
      codes({}, { judgment: { kind: 'unknown-verifier', address: address('4'), claimedProfile: 'x' } }),
    ],
    ['asset-symbol-of-native', codes({}, { asset: { ...nativeAsset, warnings: ['symbol-of-native'] } })],
  ])('says %s and nothing else', (code, found) => {
    expect(found).toEqual([code])
  })

  it('counts what pending deliveries have reserved', () => {
    expect(codes({ pending: 1n, ...money(19n) })).toEqual(['underfunded'])
    expect(codes({ pending: 2n, ...money(15n) })).toEqual(['completions-exhausted', 'shortfall'])
  })

  it('knows what each stock verifier needs', () => {
    const hashlock: Judgment = { kind: 'hashlock', address: address('4'), answerHash: undefined }
    expect(codes({}, { judgment: hashlock })).toEqual(['no-commitment', 'answer-copied'])
    expect(codes(terms({ maxCompletions: 1n }), { judgment: { ...hashlock, answerHash: root } })).toEqual([])
    const batch: Judgment = { kind: 'batch', address: address('4'), batch: undefined }
    expect(codes({}, { judgment: batch })).toEqual(['no-commitment'])
    expect(codes({}, { judgment: { ...batch, batch: { root, minAgeSec: 86_400n } } })).toEqual([
      'window-below-minimum-age',
    ])
    const committed: Judgment = { ...batch, batch: { root, minAgeSec: 60n } }
    expect(codes({}, { judgment: committed, acceptanceProfile: 'x-hashlock-v1' })).toEqual(['profile-mismatch'])
  })

  it('knows what the other verifiers need, and who has the seat of a streak', () => {
    const at = { address: address('4') }
    const secrets: Judgment = { kind: 'secrets', ...at, secrets: undefined }
    expect(codes({}, { judgment: secrets })).toEqual(['no-commitment'])
    const committed: Judgment = { ...secrets, secrets: { root, minAgeSec: 60n } }
    expect(codes({}, { judgment: committed, acceptanceProfile: 'x-merkle-secrets-sha256-minage-v1' })).toEqual([])
    const signed: Judgment = { kind: 'signed-outcome', ...at, threshold: 0n }
    expect(codes({}, { judgment: signed })).toEqual(['no-commitment'])
    const attested = { judgment: { ...signed, threshold: 1n }, acceptanceProfile: 'x-streak-eip712-v1' }
    expect(codes({}, attested)).toEqual(['profile-mismatch'])
    const streak: Judgment = { kind: 'streak', ...at, threshold: 1n, streak: undefined, provider: address('7') }
    expect(codes({}, { judgment: streak })).toEqual(['seat-taken'])
  })

  it('knows whether a jury fits into the window, and who rules through a gate', () => {
    const juryWith = (leastJudgmentWindowSec: bigint): Extract<Judgment, { kind: 'jury' }> => ({
      ...{ kind: 'jury', address: address('4') },
      jury: { jurors: [address('5')], quorum: 1n, voteWindowSec: 60n, leastJudgmentWindowSec },
    })
    expect(codes({}, { judgment: juryWith(86_400n) })).toEqual([])
    expect(codes({}, { judgment: juryWith(86_401n) })).toEqual(['jury-does-not-fit'])
    const rule = {
      ...{ task: address('1'), bondAsset: nativeAsset.address, bondAtomic: 1n, rejectedBps: 0, expiredBps: 0 },
      ...{ beneficiary: undefined, judge: undefined },
    }
    const gate: Judgment = { kind: 'gate', address: address('4'), rule, judge: undefined }
    expect(codes({}, { judgment: gate })).toEqual(['gate-without-judge'])
    expect(codes({}, { judgment: { ...gate, judge: juryWith(86_401n) } })).toEqual(['jury-does-not-fit'])
    const ruled: Judgment = { ...gate, judge }
    expect(codes({}, { judgment: ruled })).toEqual([])
    expect(codes(terms({ judgmentWindowSec: 86_399n }), { judgment: ruled })).toEqual(['short-window'])
    expect(codes({ updateAuthority: address('4') }, { judgment: ruled })).toEqual(['judge-is-seller'])
    const panel = (jurors: string[], quorum: bigint): Judgment => {
      const sole = juryWith(60n)
      return { ...sole, jury: { ...sole.jury, jurors: jurors.map(address), quorum } }
    }
    // the update authority is 3, the owner 2: they can pay, or keep the others from paying
    expect(codes({}, { judgment: panel(['3', '6', '7'], 1n) })).toEqual(['judge-is-seller'])
    expect(codes({}, { judgment: panel(['2', '3', '6'], 2n) })).toEqual(['judge-is-seller'])
    expect(codes({}, { judgment: panel(['3', '6', '7'], 3n) })).toEqual(['judge-is-seller'])
    expect(codes({}, { judgment: panel(['3', '6', '7'], 2n) })).toEqual([])
  })
})
