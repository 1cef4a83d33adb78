import type { Answer, SignedAnswer } from './answer.ts'
import type { ApproverKey } from './approver-key.ts'
import { ApprovalError } from './errors.ts'
import { type RequestContext, type RequestView, readRequest } from './request-view.ts'
import { QUESTION_SCHEMA } from './webhook.ts'

/** A request that waits for a person. */
export type WaitingRequest = { readonly nonce: string; readonly view: RequestView }

/** Where requests wait until a person has decided. It signs what was decided, and nothing else. */
export type ApprovalDesk = {
  /**
   * Takes a question and gives the signed answer; undefined when nobody has decided within `holdMs`. The same question may be
   * put again and again. Throws {@link ApprovalError} for what is no question, and when too many wait.
   */
  readonly put: (questionText: string, holdMs: number) => Promise<SignedAnswer | undefined>
  /** What waits now, oldest first. */
  readonly waiting: () => readonly WaitingRequest[]
  /** Decides about a request that waits; false when it does not wait any more. */
  readonly decide: (nonce: string, decision: Answer['decision']) => boolean
}

/** What a desk is made of. */
export type ApprovalDeskOptions = {
  readonly key: ApproverKey
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
  /** How long an answer counts, milliseconds. Default 30,000. */
  readonly answerLifeMs?: number
}

/** Requests that wait at once. */
const MAX_WAITING = 64
const DEFAULT_LIFE_MS = 30_000
const NONCE = /^[0-9a-f]{64}$/
const AMOUNT = /^(?:0|[1-9][0-9]{0,19})$/

type Entry = {
  readonly view: RequestView
  answer: SignedAnswer | undefined
  readonly wake: (() => void)[]
}

/** A desk in memory: what waits is put again by whoever asks. */
export function createApprovalDesk(options: ApprovalDeskOptions): ApprovalDesk {
  const { key, clockMs, answerLifeMs = DEFAULT_LIFE_MS } = options
  const entries = new Map<string, Entry>()

  const forgetEnded = (): void => {
    for (const [nonce, { view, answer }] of entries) {
      const endMs = answer?.expiresAtMs ?? Number(view.request.document.expires_at_ms)
      if (clockMs() >= endMs) entries.delete(nonce)
    }
  }

  const enter = (question: Question): Entry => {
    const view = readRequest(question.request, question.context)
    if (BigInt(clockMs()) >= view.request.document.expires_at_ms)
      throw new ApprovalError('request_expired', 'the request ended before it came')
    const known = entries.get(question.nonce)
    if (known !== undefined) {
      if (known.view.request.digest === view.request.digest) return known
      throw new ApprovalError('request_malformed', 'the nonce stands for another request')
    }
    if (entries.size >= MAX_WAITING) throw new ApprovalError('channel_failed', `${MAX_WAITING} requests wait already`)
    const entry: Entry = { view, answer: undefined, wake: [] }
    entries.set(question.nonce, entry)
    return entry
  }

  return {
    put: async (questionText, holdMs) => {
      forgetEnded()
      const entry = enter(readQuestion(questionText))
      if (entry.answer === undefined) await decisionWithin(entry, holdMs)
      return entry.answer
    },
    waiting: () => {
      forgetEnded()
      return [...entries].filter(([, { answer }]) => answer === undefined).map(([nonce, { view }]) => ({ nonce, view }))
    },
    decide: (nonce, decision) => {
      forgetEnded()
      const entry = entries.get(nonce)
      if (entry === undefined || entry.answer !== undefined) return false
      const issuedAtMs = clockMs()
      entry.answer = key.signAnswer({
        nonce,
        request: entry.view.request.digest,
        decision,
        approverId: key.approverId,
        reason: 'decided at the desk',
        issuedAtMs,
        expiresAtMs: issuedAtMs + answerLifeMs,
      })
      for (const wake of entry.wake.splice(0)) wake()
      return true
    },
  }
}

function decisionWithin(entry: Entry, holdMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, holdMs)
    entry.wake.push(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

type Question = { readonly nonce: string; readonly request: string; readonly context: RequestContext }

function readQuestion(text: string): Question {
  const malformed = new ApprovalError('request_malformed', `not a question of ${QUESTION_SCHEMA}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed
  }
  if (typeof value !== 'object' || value === null) throw malformed
  const { schema, nonce, request, intent, policy, reservedAtomic } = value as Readonly<Record<string, unknown>>
  if (schema !== QUESTION_SCHEMA || typeof request !== 'string') throw malformed
  if (typeof nonce !== 'string' || !NONCE.test(nonce)) throw malformed
  const context = {
    ...(typeof intent === 'string' ? { intent } : {}),
    ...(typeof policy === 'string' ? { policy } : {}),
    ...(typeof reservedAtomic === 'string' && AMOUNT.test(reservedAtomic)
      ? { reservedAtomic: BigInt(reservedAtomic) }
      : {}),
  }
  return { nonce, request, context }
}
