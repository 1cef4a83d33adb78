import {
  BATCH_RECEIPT_PROFILE,
  HASHLOCK_PROFILE,
  MERKLE_SECRETS_PROFILE,
  SIGNED_OUTCOME_PROFILE,
  STREAK_PROFILE,
} from '@oikos/core/verifier-profiles'
import type { CheckStore, KeptVerdict } from '../checks/check-store.ts'
import { packageKey, reconciliationKey } from '../checks/check-store.ts'
import type { Judge, Submission, Tender, TenderTerms, TenderWarning, Verdict } from '../rest/types.ts'
import type { Clocks } from './clock.ts'
import {
  birthOf,
  type JudgeRow,
  placeOf,
  type SubmissionRow,
  type TenderRow,
  type TokenRow,
  tokenOf,
  whole,
  wholeOrNull,
} from './rows.ts'
import { tenderState } from './tender-state.ts'

/** A judge that is a person should have a day at least; below, silence pays before most people have looked. */
const SHORT_WINDOW_SEC = 86_400n

/** Profiles of verifiers whose contract is in this project. */
const KNOWN_PROFILES: ReadonlySet<string> = new Set([
  ...[HASHLOCK_PROFILE, BATCH_RECEIPT_PROFILE, MERKLE_SECRETS_PROFILE, SIGNED_OUTCOME_PROFILE, STREAK_PROFILE],
])

/** What a row is shown with. */
export type TenderContext = {
  readonly clocks: Clocks
  readonly tokens: ReadonlyMap<string, TokenRow>
  readonly judges: ReadonlyMap<string, JudgeRow>
  readonly packageOf: (row: TenderRow) => KeptVerdict
  readonly giftsOf: (row: TenderRow) => bigint | null
}

/** Key of a row of one chain in a map. */
export function chainKey(chainId: number, address: string): string {
  return `${chainId}:${address}`
}

/** Reads the verdicts and gifts of some tenders. */
export async function readTenderChecks(
  checks: CheckStore,
  rows: readonly TenderRow[],
): Promise<Pick<TenderContext, 'packageOf' | 'giftsOf'>> {
  const keyOf = (row: TenderRow): string =>
    packageKey(row.chainId, row.contract, whole(row.tokenId), whole(row.version))
  const placeKey = (row: TenderRow): string => reconciliationKey(row.chainId, row.contract, whole(row.tokenId))
  const [verdictOf, reconciled] = await Promise.all([
    checks.verdicts(rows.map(keyOf)),
    checks.reconciliations(rows.map(placeKey)),
  ])
  return {
    packageOf: (row) => verdictOf(keyOf(row)),
    giftsOf: (row) => {
      const result = reconciled(placeKey(row))
      if (result === undefined) return null
      const gift = result.differences.find(({ kind }) => kind === 'gift')
      return gift === undefined ? 0n : BigInt(gift.onChain ?? 0) - BigInt(gift.indexed ?? 0)
    },
  }
}

/** A verdict without what only packages have. */
export function verdictOf({ title: _, ...verdict }: KeptVerdict): Verdict {
  return verdict
}

/** A row of the market. */
export function showTender(row: TenderRow, context: TenderContext): Tender {
  const kept = context.packageOf(row)
  const gifts = context.giftsOf(row)
  const escrow = row.escrow < 0n ? 0n : row.escrow
  const reward = row.rewardPerCompletion ?? 0n
  const reserved = row.pending * reward
  const free = row.escrow + (gifts ?? 0n) - reserved
  const most = row.maxCompletions
  const taken = row.completions + row.pending
  const remaining = most === null || most === 0n ? null : most > taken ? most - taken : 0n
  const judge = showJudge(row, context)
  return {
    ...{ chainId: row.chainId, contract: row.contract, tokenId: whole(row.tokenId) },
    origin: row.origin === 'oikos' ? 'oikos' : 'foreign',
    title: kept.state === 'verified' ? kept.title : null,
    ...{ owner: row.owner, updateAuthority: row.updateAuthority, judge },
    state: tenderState(row, context.clocks.of(row.chainId)),
    ...{ isFrozen: row.isFrozen, isCancelled: row.isCancelled, terms: showTerms(row) },
    asset: tokenOf(row.asset, context.tokens.get(chainKey(row.chainId, row.asset ?? ''))),
    ...{ vault: row.vault, taskUri: row.taskUri, tdHash: row.tdHash, taskHash: row.taskHash },
    ...{ version: whole(row.version), hasOnchainDocument: row.hasOnchainDocument },
    ...{ escrow: whole(escrow), reserved: bounded(reserved), credited: whole(row.credited) },
    gifts: gifts === null ? null : whole(gifts),
    ...{ completions: whole(row.completions), pending: whole(row.pending) },
    remainingCompletions: wholeOrNull(remaining),
    fundedCompletions: whole(reward === 0n || free < 0n ? 0n : free / reward),
    submissions: whole(row.submissions),
    package: verdictOf(kept),
    warnings: warningsOf(row, judge, kept, context.clocks),
    ...{ createdAt: birthOf(row), updatedAt: placeOf(row) },
  }
}

const MAX_WHOLE = 10n ** 78n - 1n
/** A product of two hostile words may have more digits than the API promises. */
const bounded = (value: bigint): string => (value > MAX_WHOLE ? MAX_WHOLE : value).toString()

function showTerms(row: TenderRow): TenderTerms | null {
  const { asset, rewardPerCompletion, maxCompletions, submitBy, settleBy, epochLength, maxCompletionsPerEpoch } = row
  if (!row.hasTerms || asset === null) return null
  const text = (value: bigint | null): string => whole(value ?? 0n)
  return {
    ...{ asset, rewardPerCompletion: text(rewardPerCompletion), maxCompletions: text(maxCompletions) },
    ...{ submitBy: text(submitBy), settleBy: text(settleBy), epochLength: text(epochLength) },
    ...{ maxCompletionsPerEpoch: text(maxCompletionsPerEpoch), judgmentWindow: text(row.judgmentWindow) },
  }
}

function showJudge(row: TenderRow, { judges }: TenderContext): Judge | null {
  const address = row.acceptanceAuthority
  if (address === null) return null
  const judge = judges.get(chainKey(row.chainId, address))
  const kind = judge?.kind
  return {
    address,
    kind: kind === 'account' || kind === 'verifier' || kind === 'jury' || kind === 'contract' ? kind : 'unknown',
    ...{ profile: judge?.profile ?? null, isDeployed: judge?.isDeployed ?? false },
    ...{ jurors: judge?.jurors ?? [], quorum: wholeOrNull(judge?.quorum ?? null) },
  }
}

function warningsOf(row: TenderRow, judge: Judge | null, kept: KeptVerdict, clocks: Clocks): TenderWarning[] {
  const state = tenderState(row, clocks.of(row.chainId))
  const isJudged = judge !== null && judge.kind !== 'verifier'
  const unknownVerifier = judge?.kind === 'verifier' && !judge.isDeployed && !KNOWN_PROFILES.has(judge.profile ?? '')
  const warnings: readonly (readonly [TenderWarning, boolean])[] = [
    ['foreign-implementation', row.origin !== 'oikos'],
    ['no-terms', !row.hasTerms],
    ['unfrozen', !row.isFrozen],
    ['authority-with-owner', !row.isFrozen && row.owner !== null && row.updateAuthority === row.owner],
    ['judge-is-owner', row.owner !== null && judge?.address === row.owner],
    ['verifier-of-unknown-kind', unknownVerifier],
    ['window-too-short', isJudged && row.judgmentWindow !== null && row.judgmentWindow < SHORT_WINDOW_SEC],
    ['settlement-closed', state === 'over'],
    ['underfunded', state === 'unfunded'],
    ['package-refused', kept.state === 'refused'],
    ['package-unavailable', kept.state === 'unavailable'],
  ]
  return warnings.filter(([, applies]) => applies).map(([warning]) => warning)
}

/** A delivery. */
export function showSubmission(row: SubmissionRow): Submission {
  const { decidedBlock: block, decidedTimeSec: timeSec, decidedTx: tx, decidedLogIndex: logIndex } = row
  const isDecided = block !== null && timeSec !== null && tx !== null && logIndex !== null
  const isPending = row.status === 'pending'
  return {
    ...{ chainId: row.chainId, contract: row.contract, tokenId: whole(row.tokenId) },
    ...{ submissionId: whole(row.submissionId), fulfiller: row.fulfiller, resultHash: row.resultHash },
    ...{ resultUri: row.resultUri, taskVersion: whole(row.taskVersion), submittedAtSec: whole(row.submittedAtSec) },
    ...{ deadlineSec: wholeOrNull(row.deadlineSec), machineSettled: row.machineSettled },
    status: row.status === 'accepted' ? 'accepted' : row.status === 'rejected' ? 'rejected' : 'pending',
    decidedBy: isPending ? null : row.decidedBy === 'clock' ? 'clock' : row.decidedBy === 'proof' ? 'proof' : 'judge',
    silence: !isPending || row.machineSettled === null ? null : row.machineSettled ? 'releases' : 'pays',
    ...{ reward: wholeOrNull(row.reward), credited: wholeOrNull(row.credited), place: placeOf(row) },
    decidedAt: isDecided && !isPending ? { block, timeSec, tx, logIndex } : null,
  }
}
