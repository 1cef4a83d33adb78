/** What can be wrong with an answer, in the order of the checks. The table with all meanings is in `docs/deciders.md`. */
export const ANSWER_CODES = [
  'answer.not-an-object',
  'answer.unknown-field',
  'answer.option-malformed',
  'answer.option-unknown',
  'answer.amount-malformed',
  'answer.amount-missing',
  'answer.amount-unasked',
  'answer.amount-out-of-bounds',
  'answer.claims-malformed',
  'answer.decision-missing',
  'answer.claims-too-large',
  'answer.claims-unrecordable',
] as const

/** A stable name of what is wrong with an answer. */
export type AnswerCode = (typeof ANSWER_CODES)[number]
