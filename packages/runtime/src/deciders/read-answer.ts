import { buildReasoning, MAX_RECORD_BYTES, type ReasoningClaims, ReasoningRecordError } from '@oikos/core/reasoning'
import type { Answer, Option, Question } from '../operator/question.ts'
import type { AnswerCode } from './codes.ts'
import { copyData, plainFields } from './plain-data.ts'

/** A checked answer with the option that it chooses, or the first thing that is wrong with it. */
export type AnswerVerdict =
  | { readonly ok: true; readonly answer: Answer; readonly option: Option }
  | { readonly ok: false; readonly code: AnswerCode; readonly message: string }

/** Room that a record keeps for its binding and links beside the claims, in bytes. */
const RESERVED_BYTES = 32 * 1024
/** Bytes of the claims of one answer, as compact JSON. */
export const MAX_CLAIMS_BYTES = MAX_RECORD_BYTES - RESERVED_BYTES

const FIELDS: ReadonlySet<string> = new Set(['optionId', 'amountAtomic', 'claims'])
/** An amount as text: no sign, no leading zeros, 2^256 at most by its length. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/

/** Any binding will do: claims are judged by the rules of the record that they will be part of. */
const SPECIMEN = {
  chainId: 1n,
  agent: `0x${'00'.repeat(20)}`,
  action: 'specimen',
  callHash: `0x${'00'.repeat(32)}`,
  nonce: `0x${'00'.repeat(32)}`,
} as const

/**
 * Checks what a decider returned against its question. The value is read as plain data: none of its code runs. Amounts are
 * bigint or decimal text, in smallest units. Never throws; the answer that comes back is a copy.
 */
export function readAnswer(question: Question, value: unknown): AnswerVerdict {
  const fields = plainFields(value)
  if (fields === undefined) return refuse('answer.not-an-object', 'expected a plain object with optionId and claims')
  const unknown = [...fields.keys()].find((name) => !FIELDS.has(name))
  if (unknown !== undefined)
    return refuse('answer.unknown-field', `got a field ${quoted(unknown)}, expected optionId, amountAtomic, claims`)
  const optionId = fields.get('optionId')
  if (typeof optionId !== 'string') return refuse('answer.option-malformed', 'expected optionId to be text')
  const option = question.options.find(({ id }) => id === optionId)
  if (option === undefined)
    return refuse('answer.option-unknown', `got ${quoted(optionId)}, expected one of the options of the question`)
  const amount = readAmount(option, fields.get('amountAtomic'))
  if (!amount.ok) return amount
  const claims = readClaims(fields.get('claims'))
  if (!claims.ok) return claims
  const { amountAtomic } = amount
  return {
    ok: true,
    option,
    answer: { optionId: option.id, ...(amountAtomic !== undefined && { amountAtomic }), claims: claims.claims },
  }
}

type Refusal = Extract<AnswerVerdict, { readonly ok: false }>

function refuse(code: AnswerCode, message: string): Refusal {
  return { ok: false, code, message }
}

/** A name of a stranger's, short and on one line. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}

function readAmount(option: Option, value: unknown): { readonly ok: true; readonly amountAtomic?: bigint } | Refusal {
  const isText = typeof value === 'string' && DECIMAL.test(value)
  if (value !== undefined && typeof value !== 'bigint' && !isText)
    return refuse('answer.amount-malformed', 'expected amountAtomic to be a bigint or decimal text in smallest units')
  if (option.amount === undefined)
    return value === undefined
      ? { ok: true }
      : refuse('answer.amount-unasked', `the option ${quoted(option.id)} asks for no amount`)
  const { minAtomic, maxAtomic } = option.amount
  if (value === undefined)
    return refuse('answer.amount-missing', `the option ${quoted(option.id)} asks for ${minAtomic} to ${maxAtomic}`)
  const amountAtomic = BigInt(value as string | bigint)
  if (amountAtomic < minAtomic || amountAtomic > maxAtomic)
    return refuse('answer.amount-out-of-bounds', `got an amount outside of ${minAtomic} to ${maxAtomic}`)
  return { ok: true, amountAtomic }
}

function readClaims(value: unknown): { readonly ok: true; readonly claims: ReasoningClaims } | Refusal {
  if (plainFields(value) === undefined)
    return refuse('answer.claims-malformed', 'expected claims to be a plain object of JSON values')
  const copied = copyData(value)
  if ('fault' in copied)
    return copied.fault === 'too-large'
      ? refuse('answer.claims-too-large', `expected ${MAX_CLAIMS_BYTES} bytes at most and few levels`)
      : refuse('answer.claims-malformed', 'expected claims to hold JSON values only')
  const claims = copied.copy as ReasoningClaims
  if (typeof claims.decision !== 'string' || claims.decision.trim() === '')
    return refuse('answer.decision-missing', 'expected claims.decision to say in one sentence what was decided')
  try {
    const { bytes } = buildReasoning({ binding: SPECIMEN, claims })
    if (bytes.length <= MAX_CLAIMS_BYTES) return { ok: true, claims }
    return refuse('answer.claims-too-large', `got ${bytes.length} bytes, expected ${MAX_CLAIMS_BYTES} at most`)
  } catch (cause) {
    if (!(cause instanceof ReasoningRecordError) && !(cause instanceof RangeError)) throw cause
    return refuse('answer.claims-unrecordable', `no reasoning record can hold them: ${cause.message.slice(0, 300)}`)
  }
}
