import type { JsonObject, JsonValue } from '@oikos/core'
import { readAnswer } from '../deciders/read-answer.ts'
import type { Decision } from './action.ts'
import type { OperatorContext } from './context.ts'
import { errorFields, keepable } from './log.ts'
import type { Answer, Question } from './question.ts'
import type { Fence } from './store/leases.ts'

/** An answer to act stands for so many times as long as one to do nothing: for a restart, not for another day. */
const ACT_PATIENCE = 10n

/** An answer with the decision under which it is kept. */
export type Decided = { readonly answer: Answer; readonly decision: Decision }

/**
 * Answers a question: with what was answered not long ago, else by the decider, whose answer is
 * checked and kept before anybody acts on it. A decider that fails, or answers what was not asked, has chosen to do nothing.
 */
export async function decide(
  context: OperatorContext,
  fence: Fence,
  {
    question,
    subject,
    patience = 1n,
  }: {
    readonly question: Question
    readonly subject: string
    /** So many times as long as usual an answer to do nothing stands. */
    readonly patience?: bigint
  },
  signal: AbortSignal,
): Promise<Decided> {
  const { store, identity, settings, clockMs } = context
  const known = await store.notes.findDecision(identity.agent, question.id)
  if (known !== undefined) {
    const answer = readKept(question, known)
    const isIdle = answer?.optionId === question.options[0].id
    const standsMs = settings.askAgainMs * (isIdle ? patience : ACT_PATIENCE)
    if (answer !== undefined && clockMs() - known.atMs < standsMs) return { answer, decision: known }
  }
  return context.telemetry.span('decide', { kind: question.kind }, async () => {
    const asked = await askDecider(context, question, signal)
    const decision: Decision = {
      ...{ id: question.id, kind: question.kind, subject, optionId: asked.answer.optionId },
      ...{ code: asked.code, reason: asked.reason, decidedBy: context.decider.name },
      detail: { question: questionData(question), answer: answerData(asked.answer) },
      atMs: clockMs(),
    }
    await store.notes.putDecision(fence, decision)
    context.telemetry.countDecision(question.kind, decision.optionId, decision.code)
    const { kind, optionId, code, reason } = decision
    context.log.info({ kind, subject, optionId, code, reason, question: question.id }, 'decided')
    return { answer: asked.answer, decision }
  })
}

type Asked = { readonly answer: Answer; readonly code: string; readonly reason: string }

async function askDecider(
  { decider, settings }: OperatorContext,
  question: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const nothing = (code: string, reason: string): Asked => ({
    answer: { optionId: question.options[0].id, claims: { decision: question.options[0].text, rationale: reason } },
    ...{ code, reason },
  })
  let given: unknown
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.decideMs)])
    given = await decider.decide(question, limit)
  } catch (cause) {
    const { error, reason } = errorFields(cause)
    return nothing('decider-failed', `${decider.name} gave no answer: ${error}: ${reason}`)
  }
  const verdict = readAnswer(question, given)
  if (!verdict.ok) return nothing(verdict.code, `${decider.name} answered what was not asked: ${verdict.message}`)
  const { answer } = verdict
  const isIdle = answer.optionId === question.options[0].id
  return { answer, code: isIdle ? 'declined' : 'chosen', reason: answer.claims.decision }
}

/** A kept answer, checked like a new one: the options may have changed since. */
function readKept(question: Question, { detail }: Decision): Answer | undefined {
  const verdict = readAnswer(question, detail['answer'])
  return verdict.ok ? verdict.answer : undefined
}

function questionData({ facts, options, untrusted }: Question): JsonObject {
  return {
    facts,
    options: options.map(({ id, text, amount }) => ({
      ...{ id, text },
      ...(amount !== undefined && {
        minAtomic: amount.minAtomic.toString(),
        maxAtomic: amount.maxAtomic.toString(),
      }),
    })),
    untrusted: untrusted.map(({ source, text }) => ({ source, characters: text.length })),
  }
}

function answerData({ optionId, amountAtomic, claims }: Answer): JsonObject {
  return {
    ...{ optionId, claims: claims as JsonValue },
    ...(amountAtomic !== undefined && { amountAtomic: amountAtomic.toString() }),
  }
}

/** Keeps that something is not taken on, by a limit of the operator that no decider can widen; once for the same reason. */
export async function keepDecline(
  { store, identity, clockMs, log, telemetry }: OperatorContext,
  fence: Fence,
  declined: {
    readonly id: string
    readonly kind: string
    readonly subject: string
    readonly code: string
    readonly reason: string
    readonly detail?: JsonObject
  },
): Promise<void> {
  const { id, kind, subject, code, reason, detail = {} } = declined
  const known = await store.notes.findDecision(identity.agent, id)
  if (known?.code === code && known.reason === keepable(reason)) return
  const decision = { id, kind, subject, optionId: 'wait', code, reason, decidedBy: 'limits', detail, atMs: clockMs() }
  await store.notes.putDecision(fence, decision)
  telemetry.countDecision(kind, 'wait', code)
  log.info({ kind, subject, code, reason }, 'declined')
}
