import { type Asset, formatAmount, type Tender } from '@oikos/sdk'
import { exactDuration } from '../output/speech.ts'
import { isKnownVerifier, type Judgment, PROFILES } from './authority.ts'

/** Something that a careful reader would want to know before working or paying. Not a broken rule. */
export type TenderWarning = { readonly code: string; readonly message: string }

/** A judge with less time than this rarely reads a delivery; silence then pays for anything, in seconds. */
const SHORT_WINDOW_SEC = 86_400n

/** What is known about a tender and its package. */
export type WarningFacts = {
  readonly tender: Tender
  readonly judgment: Judgment
  readonly asset: Asset
  /** Acceptance profile that the package names, where it was read. */
  readonly acceptanceProfile?: string | undefined
}

/** The warnings about a tender, in the order of what costs most. */
export function warningsOf(facts: WarningFacts): readonly TenderWarning[] {
  return [...stateWarnings(facts), ...moneyWarnings(facts), ...judgmentWarnings(facts), ...powerWarnings(facts)]
}

function stateWarnings({ tender }: WarningFacts): TenderWarning[] {
  const { terms, blockTimestampSec: nowSec } = tender
  const warnings: TenderWarning[] = []
  const add = (code: string, message: string) => warnings.push({ code, message })
  if (tender.cancelled) add('cancelled', 'The task is cancelled: it takes no new deliveries.')
  if (terms.submitBySec !== 0n && nowSec > terms.submitBySec) add('submissions-closed', 'The time to deliver is over.')
  else if (terms.settleBySec !== 0n && nowSec > terms.settleBySec) add('settlement-closed', 'The time to rule is over.')
  else if (terms.settleBySec !== 0n && nowSec + terms.judgmentWindowSec > terms.settleBySec) {
    add(
      'settlement-ends-in-window',
      'Rulings end before the window of a delivery made now does: until then a judge can refuse, and a proof must come in time.',
    )
  }
  if (terms.maxCompletions !== 0n && tender.completions + tender.pending >= terms.maxCompletions) {
    add('completions-exhausted', `All ${terms.maxCompletions} completions are paid or reserved.`)
  }
  return warnings
}

function moneyWarnings({ tender, asset }: WarningFacts): TenderWarning[] {
  const { terms } = tender
  const available = tender.shares.fundersAtomic + tender.shares.residualAtomic
  const reserved = tender.pending * terms.rewardPerCompletionAtomic
  const free = available > reserved ? available - reserved : 0n
  const open = terms.maxCompletions - tender.completions - tender.pending
  const warnings: TenderWarning[] = []
  const reward = formatAmount(terms.rewardPerCompletionAtomic, asset)
  if (available < reserved) {
    warnings.push({
      code: 'shortfall',
      message: `The vault has ${formatAmount(available, asset)} for pending deliveries that were promised ${formatAmount(reserved, asset)}.`,
    })
  }
  const takesMore = !tender.cancelled && (terms.maxCompletions === 0n || open > 0n)
  if (takesMore && free < terms.rewardPerCompletionAtomic) {
    warnings.push({
      code: 'underfunded',
      message: `The vault has ${formatAmount(free, asset)} free, less than one reward of ${reward}: a delivery is refused.`,
    })
  } else if (takesMore && terms.maxCompletions !== 0n && free < open * terms.rewardPerCompletionAtomic) {
    warnings.push({
      code: 'partly-funded',
      message: `The vault covers ${free / terms.rewardPerCompletionAtomic} of the ${open} completions that are open.`,
    })
  }
  for (const warning of asset.warnings) {
    warnings.push({ code: `asset-${warning}`, message: `The asset ${asset.address} is not what it seems: ${warning}.` })
  }
  return warnings
}

function judgmentWarnings({ tender, judgment, acceptanceProfile }: WarningFacts): TenderWarning[] {
  const { judgmentWindowSec: windowSec, maxCompletions } = tender.terms
  const warnings: TenderWarning[] = []
  const add = (code: string, message: string) => warnings.push({ code, message })
  switch (judgment.kind) {
    case 'person':
      if (windowSec < SHORT_WINDOW_SEC) {
        add(
          'short-window',
          `The judge has ${exactDuration(windowSec)} for a delivery; after that silence pays for anything.`,
        )
      }
      if (judgment.hasCode)
        add('judge-is-contract', 'The judge is a contract that declares no verifier; its rules are not known here.')
      break
    case 'jury':
    case 'gate':
      for (const { code, message } of companionWarnings(judgment, windowSec)) add(code, message)
      break
    case 'hashlock':
      if (judgment.answerHash === undefined) add('no-commitment', 'No answer is committed, so nothing can settle.')
      if (maxCompletions !== 1n) {
        add('answer-copied', 'Settling shows the answer to everyone; with more than one completion others can copy it.')
      }
      break
    case 'batch':
      if (judgment.batch === undefined) add('no-commitment', 'No receipts are committed, so nothing can settle.')
      else if (judgment.batch.minAgeSec >= windowSec) {
        add(
          'window-below-minimum-age',
          `A delivery settles after ${exactDuration(judgment.batch.minAgeSec)} at the earliest, but can be released after ${exactDuration(windowSec)}.`,
        )
      }
      break
    case 'secrets':
      if (judgment.secrets === undefined) add('no-commitment', 'No secrets are committed, so nothing can settle.')
      break
    case 'signed-outcome':
      if (judgment.threshold === 0n) add('no-commitment', 'No attestors are committed, so nothing can settle.')
      break
    case 'streak':
      if (judgment.threshold === 0n) add('no-commitment', 'No attestors are committed, so nothing can settle.')
      if (judgment.provider !== undefined) {
        add('seat-taken', `The seat belongs to ${judgment.provider}: until it misses an epoch, nobody else is paid.`)
      }
      break
    case 'unknown-verifier':
      add(
        'unknown-verifier',
        `The verifier ${judgment.address} is of unknown kind: nobody here can say what it pays for.`,
      )
      break
    default:
      judgment satisfies never
  }
  const known = isKnownVerifier(judgment) ? PROFILES[judgment.kind] : undefined
  if (acceptanceProfile !== undefined && known !== undefined && acceptanceProfile !== known) {
    add('profile-mismatch', `The package promises judgment by another profile than ${known}, which is in the slot.`)
  }
  return warnings
}

function companionWarnings(
  judgment: Extract<Judgment, { readonly kind: 'jury' | 'gate' }>,
  windowSec: bigint,
): TenderWarning[] {
  if (judgment.kind === 'jury') {
    const { leastJudgmentWindowSec } = judgment.jury
    if (windowSec >= leastJudgmentWindowSec) return []
    const message = `The jury needs ${exactDuration(leastJudgmentWindowSec)} and the window is ${exactDuration(windowSec)}: no case can be opened, and silence pays for anything.`
    return [{ code: 'jury-does-not-fit', message }]
  }
  const { judge } = judgment
  if (judge === undefined) {
    const message = 'The gate names no judge, so nobody can accept or refuse: silence pays for anything with a bond.'
    return [{ code: 'gate-without-judge', message }]
  }
  if (judge.kind === 'jury') return companionWarnings(judge, windowSec)
  if (windowSec >= SHORT_WINDOW_SEC) return []
  const message = `The judge has ${exactDuration(windowSec)} for a delivery; after that silence pays for anything.`
  return [{ code: 'short-window', message }]
}

function powerWarnings({ tender, judgment }: WarningFacts): TenderWarning[] {
  const warnings: TenderWarning[] = []
  if (!tender.frozen) {
    warnings.push({
      code: 'unfrozen',
      message: 'The content is not frozen: the update authority can change what is asked.',
    })
  }
  const { owner, updateAuthority } = tender
  const ruling = judgment.kind === 'gate' ? judgment.judge : judgment
  if (ruling?.kind === 'person' && (ruling.address === updateAuthority || ruling.address === owner)) {
    const who = ruling.address === updateAuthority ? 'the update authority' : 'the owner'
    warnings.push({
      code: 'judge-is-seller',
      message: `The judge is also ${who}: who asks for the work decides whether it is paid.`,
    })
  }
  if (ruling?.kind === 'jury') {
    const { jurors, quorum } = ruling.jury
    const sellers = jurors.filter((juror) => juror === updateAuthority || juror === owner).length
    if (BigInt(sellers) > BigInt(jurors.length) - quorum || BigInt(sellers) >= quorum) {
      const message = `The update authority and the owner are ${sellers} of ${jurors.length} jurors: who asks for the work can decide whether it is paid.`
      warnings.push({ code: 'judge-is-seller', message })
    }
  }
  return warnings
}
