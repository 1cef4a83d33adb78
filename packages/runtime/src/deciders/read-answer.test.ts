import { MAX_RECORD_BYTES } from '@oikos/core/reasoning'
import { describe, expect, it } from 'vitest'
import type { Question } from '../operator/question.ts'
import type { AnswerCode } from './codes.ts'
import { MAX_CLAIMS_BYTES, readAnswer } from './read-answer.ts'

const question: Question = {
  id: 'q1',
  kind: 'idle-capital',
  facts: {},
  untrusted: [],
  options: [
    { id: 'wait', text: 'Nothing happens.' },
    { id: 'invest', text: 'Put the amount into the vault.', amount: { minAtomic: 10n, maxAtomic: 1_000n } },
  ],
}
const claims = { decision: 'Wait.' }
const getter = {
  get optionId(): string {
    throw new Error('code of the answer ran')
  },
  claims,
}
const trap = new Proxy(
  { optionId: 'wait', claims },
  {
    get: () => {
      throw new Error('code of the answer ran')
    },
    ownKeys: () => {
      throw new Error('code of the answer ran')
    },
  },
)
const endless: Record<string, unknown> = { decision: 'x' }
endless['self'] = endless

describe('readAnswer', () => {
  it.each<[string, unknown, AnswerCode]>([
    ['nothing', undefined, 'answer.not-an-object'],
    ['null', null, 'answer.not-an-object'],
    ['text that holds an answer', '{"optionId":"wait","claims":{"decision":"x"}}', 'answer.not-an-object'],
    ['a list', [{ optionId: 'wait', claims }], 'answer.not-an-object'],
    ['a class instance', new (class Answer {})(), 'answer.not-an-object'],
    ['a proxy', trap, 'answer.not-an-object'],
    ['an accessor', getter, 'answer.not-an-object'],
    ['a symbol key', { optionId: 'wait', claims, [Symbol.iterator]: 1 }, 'answer.not-an-object'],
    ['an inherited option', Object.create({ optionId: 'wait', claims }), 'answer.not-an-object'],
    ['a hidden field', Object.defineProperty({ claims }, 'optionId', { value: 'wait' }), 'answer.not-an-object'],
    ['an own __proto__', JSON.parse('{"__proto__":{"optionId":"wait"}}'), 'answer.unknown-field'],
    ['an extra field', { optionId: 'wait', claims, recipient: '0x1' }, 'answer.unknown-field'],
    ['no option', { claims }, 'answer.option-malformed'],
    ['an option by number', { optionId: 0, claims }, 'answer.option-malformed'],
    ['a list of options', { optionId: ['wait'], claims }, 'answer.option-malformed'],
    ['an option that does not exist', { optionId: 'pay', claims }, 'answer.option-unknown'],
    ['an option in other case', { optionId: 'Wait', claims }, 'answer.option-unknown'],
    ['an option with a space', { optionId: 'wait ', claims }, 'answer.option-unknown'],
    ['an option with an invisible mark', { optionId: 'wait\u200b', claims }, 'answer.option-unknown'],
    ['a name of the prototype', { optionId: '__proto__', claims }, 'answer.option-unknown'],
    ['a number as amount', { optionId: 'invest', amountAtomic: 10, claims }, 'answer.amount-malformed'],
    ['an exponent', { optionId: 'invest', amountAtomic: '1e2', claims }, 'answer.amount-malformed'],
    ['hexadecimal', { optionId: 'invest', amountAtomic: '0x20', claims }, 'answer.amount-malformed'],
    ['a sign', { optionId: 'invest', amountAtomic: '+20', claims }, 'answer.amount-malformed'],
    ['a leading zero', { optionId: 'invest', amountAtomic: '020', claims }, 'answer.amount-malformed'],
    ['digits of another script', { optionId: 'invest', amountAtomic: '٢٠', claims }, 'answer.amount-malformed'],
    ['a line end', { optionId: 'invest', amountAtomic: '20\n', claims }, 'answer.amount-malformed'],
    ['endless digits', { optionId: 'invest', amountAtomic: '1'.repeat(79), claims }, 'answer.amount-malformed'],
    ['no amount where one is asked', { optionId: 'invest', claims }, 'answer.amount-missing'],
    ['an amount where none is asked', { optionId: 'wait', amountAtomic: '0', claims }, 'answer.amount-unasked'],
    ['too little', { optionId: 'invest', amountAtomic: '9', claims }, 'answer.amount-out-of-bounds'],
    ['too much', { optionId: 'invest', amountAtomic: 1_001n, claims }, 'answer.amount-out-of-bounds'],
    ['less than nothing', { optionId: 'invest', amountAtomic: -10n, claims }, 'answer.amount-out-of-bounds'],
    ['no claims', { optionId: 'wait' }, 'answer.claims-malformed'],
    ['claims as text', { optionId: 'wait', claims: 'x' }, 'answer.claims-malformed'],
    [
      'claims with a function',
      { optionId: 'wait', claims: { decision: 'x', toJSON: () => 1 } },
      'answer.claims-malformed',
    ],
    ['claims with a date', { optionId: 'wait', claims: { decision: 'x', at: new Date(0) } }, 'answer.claims-malformed'],
    ['claims with NaN', { optionId: 'wait', claims: { decision: 'x', rate: Number.NaN } }, 'answer.claims-malformed'],
    ['claims with half a surrogate', { optionId: 'wait', claims: { decision: '\ud800' } }, 'answer.claims-malformed'],
    [
      'a list with a hole',
      { optionId: 'wait', claims: { decision: 'x', list: new Array(1) } },
      'answer.claims-malformed',
    ],
    ['no decision', { optionId: 'wait', claims: { rationale: 'x' } }, 'answer.decision-missing'],
    ['an empty decision', { optionId: 'wait', claims: { decision: ' \n' } }, 'answer.decision-missing'],
    ['endless nesting', { optionId: 'wait', claims: endless }, 'answer.claims-too-large'],
    [
      'more values than a record needs',
      { optionId: 'wait', claims: { decision: 'x', list: Array(20_001).fill(0) } },
      'answer.claims-too-large',
    ],
    [
      'a flood',
      { optionId: 'wait', claims: { decision: 'x', flood: 'x'.repeat(MAX_RECORD_BYTES) } },
      'answer.claims-too-large',
    ],
    ['a long decision', { optionId: 'wait', claims: { decision: 'x'.repeat(2_001) } }, 'answer.claims-unrecordable'],
    [
      'a model that is no text',
      { optionId: 'wait', claims: { decision: 'x', model: 7 } },
      'answer.claims-unrecordable',
    ],
  ])('refuses %s', (_, value, code) => {
    expect(readAnswer(question, value)).toMatchObject({ ok: false, code })
  })

  it('takes both ends of the bounds, as bigint and as decimal text', () => {
    for (const amountAtomic of [10n, '10', 1_000n, '1000'])
      expect(readAnswer(question, { optionId: 'invest', amountAtomic, claims })).toMatchObject({
        ok: true,
        answer: { optionId: 'invest', amountAtomic: BigInt(amountAtomic) },
      })
  })

  it('gives a copy that later changes of the answer do not reach', () => {
    const mine = { optionId: 'wait', claims: { decision: 'Wait.', steps: ['one'] } }
    const verdict = readAnswer(question, mine)
    mine.claims.decision = 'Pay everything.'
    mine.claims.steps.push('two')
    expect(verdict).toMatchObject({ ok: true, answer: { claims: { decision: 'Wait.', steps: ['one'] } } })
  })

  it('keeps __proto__ in claims as a plain key and changes no prototype', () => {
    const value = JSON.parse('{"optionId":"wait","claims":{"decision":"x","__proto__":{"polluted":true}}}') as unknown
    expect(readAnswer(question, value).ok).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('leaves room for binding and links in the record', () => {
    const flood = (bytes: number) => ({ optionId: 'wait', claims: { decision: 'x', flood: 'x'.repeat(bytes) } })
    expect(readAnswer(question, flood(MAX_CLAIMS_BYTES - 600)).ok).toBe(true)
    expect(readAnswer(question, flood(MAX_CLAIMS_BYTES))).toMatchObject({ code: 'answer.claims-too-large' })
  })
})
