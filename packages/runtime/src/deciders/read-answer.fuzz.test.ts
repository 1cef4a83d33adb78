import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Question } from '../operator/question.ts'
import { ANSWER_CODES } from './codes.ts'
import { readAnswer } from './read-answer.ts'

const question: Question = {
  id: 'q',
  kind: 'idle-capital',
  facts: {},
  untrusted: [],
  options: [
    { id: 'wait', text: 'Nothing happens.' },
    { id: 'invest', text: 'Invest.', amount: { minAtomic: 10n, maxAtomic: 1_000n } },
  ],
}

/** Values that are answers in part, so that every check is reached. */
const almost = fc.record(
  {
    optionId: fc.oneof(fc.constantFrom('wait', 'invest', 'Invest', '__proto__'), fc.anything()),
    amountAtomic: fc.oneof(fc.constantFrom('9', '10', '1000', '1001', '-1', 10, 10n, -10n), fc.bigInt(), fc.anything()),
    claims: fc.oneof(
      fc.record({ decision: fc.string({ unit: 'binary' }), more: fc.anything() }, { requiredKeys: [] }),
      fc.anything(),
    ),
    extra: fc.anything(),
  },
  { requiredKeys: [] },
)

it('never throws, and accepts nothing but an option that was offered with an amount within its bounds', () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.oneof({ arbitrary: almost, weight: 4 }, fc.anything({ withNullPrototype: true })), (value) => {
      const verdict = readAnswer(question, value)
      if (!verdict.ok) return ANSWER_CODES.includes(verdict.code)
      accepted += 1
      const { option, answer } = verdict
      const { amountAtomic } = answer
      if (!question.options.includes(option) || answer.optionId !== option.id) return false
      return option.amount === undefined
        ? amountAtomic === undefined
        : amountAtomic !== undefined && amountAtomic >= 10n && amountAtomic <= 1_000n
    }),
    { numRuns: 3_000 },
  )
  expect(accepted).toBeGreaterThan(0)
})
