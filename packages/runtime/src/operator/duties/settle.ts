import type { JsonObject } from '@oikos/core'
import type { ReasoningClaims } from '@oikos/core/reasoning'
import {
  type AgentPosition,
  judgeCorridor,
  outcomeReasons,
  quoteSettlement,
  type RequestKind,
  requestKindNumber,
} from '@oikos/sdk'
import { type Address, isAddressEqual, keccak256, stringToHex } from 'viem'
import type { Intent } from '../act/intent.ts'
import { type Decided, decide, keepDecline } from '../decide.ts'
import type { Pass } from '../pass.ts'
import type { Option, Question } from '../question.ts'
import type { IdlePosition } from './idle.ts'
import type { OpenRequester } from './requests.ts'

/** A request that could be settled now, with what it would take or give in Accept Token. */
type ReadyRequest = { readonly user: Address; readonly position: AgentPosition; readonly tokensAtomic: bigint }

/** Requests that are asked about apart in one pass, where the decider would not settle them together. */
const MAX_APART = 16
/** What cannot be settled anyway is asked about so much less often. */
const HOPELESS_PATIENCE = 60n

/**
 * Settles what waits: those that can be settled now, at the price of the books and within everybody's own limit, are asked about
 * together; where the answer is not to settle, each is asked about apart, and may be declined. Nobody's own request is touched.
 */
export async function* settleRequests(
  pass: Pass,
  kind: RequestKind,
  requesters: readonly OpenRequester[],
  idle: IdlePosition,
): AsyncGenerator<Intent, void, void> {
  const pending = requesters
    .map(({ user, mint, redeem }) => ({ user, position: kind === 'mint' ? mint : redeem }))
    .filter(({ position }) => position.pendingAtomic > 0n)
  if (pending.length === 0) return
  const brake = findBrake(pass)
  if (brake !== undefined) {
    pass.wait(`Settlement of ${pending.length} ${kind} requests waits: ${brake.reason}.`)
    const subject = `all ${kind} requests`
    await keepDecline(pass.context, pass.fence, { id: `settle ${kind}`, kind: `${kind}-requests`, subject, ...brake })
    return
  }
  const { ready, hopeless } = await sortRequests(pass, kind, pending, idle)
  const batch = ready.slice(0, pass.context.settings.maxBatch)
  if (batch.length > 0) yield* settleReady(pass, kind, batch, idle)
  for (const request of hopeless.slice(0, MAX_APART)) {
    const decided = await askAbout(pass, kind, [request], idle, ['decline'], HOPELESS_PATIENCE)
    if (decided.answer.optionId === 'decline') yield declineIntent(kind, request.user, decided)
  }
}

async function* settleReady(
  pass: Pass,
  kind: RequestKind,
  batch: readonly ReadyRequest[],
  idle: IdlePosition,
): AsyncGenerator<Intent, void, void> {
  const together = await askAbout(pass, kind, batch, idle, batch.length === 1 ? ['settle', 'decline'] : ['settle'])
  const [only] = batch
  if (together.answer.optionId === 'settle') {
    yield* settleIntents(pass, kind, batch, idle, { claims: together.answer.claims, decided: together })
    return
  }
  if (batch.length === 1 && only !== undefined) {
    if (together.answer.optionId === 'decline') yield declineIntent(kind, only.user, together)
    else pass.wait(`One ${kind} request waits: ${together.decision.reason}`)
    return
  }
  const chosen: ReadyRequest[] = []
  const reasons: JsonObject[] = []
  for (const request of batch.slice(0, MAX_APART)) {
    const apart = await askAbout(pass, kind, [request], idle, ['settle', 'decline'])
    if (apart.answer.optionId === 'decline') yield declineIntent(kind, request.user, apart)
    if (apart.answer.optionId !== 'settle') continue
    chosen.push(request)
    reasons.push({ requester: request.user, decision: apart.answer.claims.decision, question: apart.decision.id })
  }
  if (chosen.length === 0) {
    pass.wait(`${batch.length} ${kind} requests wait: ${together.decision.reason}`)
    return
  }
  const decision = `Settle ${chosen.length} of ${batch.length} ${kind} requests, each decided apart.`
  yield* settleIntents(pass, kind, chosen, idle, { claims: { decision, requests: reasons }, decided: together })
}

/** The settlement; before it, where the money lies in the vault, its withdrawal. */
async function* settleIntents(
  pass: Pass,
  kind: RequestKind,
  batch: readonly ReadyRequest[],
  idle: IdlePosition,
  { claims, decided }: { claims: ReasoningClaims; decided: Decided },
): AsyncGenerator<Intent, void, void> {
  const { books } = pass
  const missing = kind === 'redeem' ? sum(batch) - books.freeAtomic : 0n
  const users = batch.map(({ user }) => user)
  const name = keccak256(stringToHex(users.join())).slice(2, 10)
  if (missing > 0n) {
    const freed = await idle.withdrawIntent(missing, {
      subject: `for ${batch.length} redemptions ${name}`,
      claims: {
        ...claims,
        decision: `Take ${missing} out of the vault, to pay redemptions. ${claims.decision}`.slice(0, 2_000),
      },
      decided,
    })
    if (freed !== undefined) yield freed
    return
  }
  const count = batch.length === 1 ? 'one request' : `${batch.length} requests`
  yield {
    kind: kind === 'mint' ? 'settle-mint' : 'settle-redeem',
    subject: `${count} ${name}`,
    title: `Settle ${count} to ${kind}.`,
    decisionId: decided.decision.id,
    spendAtomic: 0n,
    call: {
      form: 'reasoned',
      action: kind === 'mint' ? 'settleMintBatch' : 'settleRedeemBatch',
      args: [users],
      claims: withFacts(claims, decided),
      decidedAtMs: decided.decision.atMs,
    },
  }
}

/** The figures on which it was decided, as they were kept: a record that is written again has the same bytes. */
function withFacts(claims: ReasoningClaims, { decision }: Decided): ReasoningClaims {
  const question = decision.detail['question'] as JsonObject | undefined
  return { ...claims, decider: decision.decidedBy, facts: question?.['facts'] ?? {} }
}

function declineIntent(kind: RequestKind, user: Address, decided: Decided): Intent {
  return {
    kind: 'decline-request',
    subject: `${kind} of ${user}`,
    title: `Decline the request of ${user} to ${kind}.`,
    decisionId: decided.decision.id,
    spendAtomic: 0n,
    call: {
      form: 'reasoned',
      action: 'decline',
      args: [user, requestKindNumber(kind)],
      claims: decided.answer.claims,
      decidedAtMs: decided.decision.atMs,
    },
  }
}

const optionTexts: Readonly<Record<'settle' | 'decline', string>> = {
  settle: 'Settle them at the rate of the books, each within its own limit.',
  decline: 'Give what was requested back to the requester, unsettled.',
}

function askAbout(
  pass: Pass,
  kind: RequestKind,
  batch: readonly ReadyRequest[],
  idle: IdlePosition,
  acts: readonly ('settle' | 'decline')[],
  patience = 1n,
): Promise<Decided> {
  const { context, fence, books, head, signal } = pass
  const situation = batch.map(({ user, position }) => {
    const { pendingAtomic, requestedAtSec, limitRate } = position
    return [user, pendingAtomic, requestedAtSec, limitRate].join()
  })
  const tokens = batch.map(({ tokensAtomic }) => tokensAtomic)
  const oldest = batch.map(({ position }) => position.requestedAtSec).reduce(smaller)
  const options: [Option, ...Option[]] = [
    { id: 'wait', text: 'Leave the requests as they are for now.' },
    ...acts.map((id) => ({ id, text: optionTexts[id] })),
  ]
  const question: Question = {
    id: `${kind}-requests ${acts.join('+')} ${keccak256(stringToHex(situation.join('\n')))}`,
    kind: `${kind}-requests`,
    facts: {
      requests: batch.length.toString(),
      smallestAtomic: tokens.reduce(smaller).toString(),
      largestAtomic: tokens.reduce(larger).toString(),
      totalAtomic: sum(batch).toString(),
      oldestSec: (head.timestampSec - oldest).toString(),
      liquidAtomic: (books.freeAtomic + idle.withdrawableAtomic).toString(),
      rate: (books.rate ?? 0n).toString(),
      assetsAtomic: books.assetsAtomic.toString(),
      supplyAtomic: books.effectiveSupplyAtomic.toString(),
    },
    untrusted: [],
    options,
  }
  const count = batch.length === 1 ? `${kind} of ${batch[0]?.user}` : `${batch.length} requests to ${kind}`
  return decide(context, fence, { question, subject: count, patience }, signal)
}

/** Why nothing can be settled at all now. */
function findBrake({ books }: Pass): { readonly code: string; readonly reason: string } | undefined {
  if (books.isPaused) return { code: 'paused', reason: 'the Agent is paused' }
  if (books.guard.isHalted)
    return { code: 'corridor', reason: 'settlement has stopped until the Owner or the guardian confirms the rate' }
  const stale = books.valuations.find(({ state }) => state !== 'fresh')
  if (stale !== undefined && !books.isFixedPrice)
    return { code: `valuation-${stale.state}`, reason: `the valuation ${stale.valuation} is ${stale.state}` }
  if (books.shortfallAtomic > 0n)
    return { code: 'reserve', reason: `${books.shortfallAtomic} of the Accept Token are missing from the reserve` }
  if (judgeCorridor(books)?.isInside === false)
    return { code: 'corridor', reason: 'the rate has left its corridor, and a settlement would stop the Agent' }
  return undefined
}

/** Who can be settled now, oldest first, and who cannot be until something changes; why not is kept. */
async function sortRequests(
  pass: Pass,
  kind: RequestKind,
  pending: readonly { readonly user: Address; readonly position: AgentPosition }[],
  idle: IdlePosition,
): Promise<{ ready: readonly ReadyRequest[]; hopeless: readonly ReadyRequest[] }> {
  const { context, books, head } = pass
  const ready: ReadyRequest[] = []
  const hopeless: ReadyRequest[] = []
  const own = [context.account.address, ...context.settings.ownAccounts]
  let freeAtomic = books.freeAtomic + idle.withdrawableAtomic
  const keep = async (user: Address, code: string, reason: string): Promise<void> => {
    const subject = `${kind} of ${user}`
    const declined = { id: `settle ${subject}`, kind: `${kind}-requests`, subject, code, reason: `${reason}.` }
    await keepDecline(context, pass.fence, declined)
  }
  const oldestFirst = pending.toSorted((left, right) =>
    left.position.requestedAtSec < right.position.requestedAtSec ? -1 : 1,
  )
  for (const { user, position } of oldestFirst) {
    if (own.some((account) => isAddressEqual(account, user))) {
      await keep(user, 'own-request', outcomeReasons['own-request'])
      continue
    }
    if (head.timestampSec < position.requestedAtSec + BigInt(books.guard.minRequestAgeSec)) {
      pass.wait(`The ${kind} of ${user} is too young to be settled.`)
      continue
    }
    const { pendingAtomic, limitRate } = position
    const quote = quoteSettlement({ books: { ...books, freeAtomic }, kind, pendingAtomic, limitRate })
    if (quote.outcome === 'settled') {
      const gross = quote.amountAtomic + quote.feeAtomic
      if (kind === 'redeem') freeAtomic -= gross
      ready.push({ user, position, tokensAtomic: kind === 'mint' ? pendingAtomic : gross })
      continue
    }
    const reason = quote.outcome === 'no-price' ? 'there is no price' : outcomeReasons[quote.outcome]
    await keep(user, quote.outcome, reason)
    pass.wait(`The ${kind} of ${user} waits: ${reason}.`)
    if (quote.outcome === 'limit-breached' || quote.outcome === 'too-small')
      hopeless.push({ user, position, tokensAtomic: kind === 'mint' ? pendingAtomic : 0n })
  }
  return { ready, hopeless }
}

function sum(batch: readonly ReadyRequest[]): bigint {
  return batch.reduce((total, { tokensAtomic }) => total + tokensAtomic, 0n)
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
