import type { JsonObject } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import type { Option, Question, QuestionKind } from '../operator/question.ts'
import { FactError } from './facts.ts'
import { readAnswer } from './read-answer.ts'
import { createRulesDecider } from './rules.ts'
import { RulesError } from './rules-document.ts'

const wait: Option = { id: 'wait', text: 'Nothing happens.' }
const named = (id: string, minAtomic?: bigint, maxAtomic?: bigint): Option => ({
  id,
  text: `Does ${id}.`,
  ...(minAtomic !== undefined && maxAtomic !== undefined && { amount: { minAtomic, maxAtomic } }),
})

async function decide(rules: unknown, kind: QuestionKind, facts: JsonObject, ...options: Option[]) {
  const question: Question = { id: 'q', kind, facts, untrusted: [], options: [wait, ...options] }
  const verdict = readAnswer(question, await createRulesDecider(rules).decide(question, new AbortController().signal))
  if (!verdict.ok) throw new Error(verdict.message)
  const { optionId, amountAtomic } = verdict.answer
  return amountAtomic === undefined ? optionId : `${optionId} ${amountAtomic}`
}

describe('rules for requests', () => {
  const request = { requests: '1', smallestAtomic: '500', largestAtomic: '500', totalAtomic: '500', oldestSec: '60' }
  const options = [named('settle'), named('decline')]

  it('settles at the rate of the books without any configuration', async () => {
    expect(await decide({}, 'mint-requests', request, ...options)).toBe('settle')
    expect(await decide({}, 'redeem-requests', { ...request, liquidAtomic: '500' }, ...options)).toBe('settle')
  })

  it('waits while less is liquid than would be owed', async () => {
    expect(await decide({}, 'redeem-requests', { ...request, liquidAtomic: '499' }, ...options)).toBe('wait')
  })

  it('waits until a request is old enough', async () => {
    const rules = (settleAfterSec: number) => ({ mint: { settleAfterSec } })
    expect(await decide(rules(60), 'mint-requests', request, ...options)).toBe('settle')
    expect(await decide(rules(61), 'mint-requests', request, ...options)).toBe('wait')
  })

  it('declines by stated bounds, both of which are allowed themselves', async () => {
    const rules = (below: string, above: string) => ({
      redeem: { declineBelowAtomic: below, declineAboveAtomic: above },
    })
    const facts = { ...request, liquidAtomic: '0' }
    expect(await decide(rules('500', '500'), 'redeem-requests', facts, ...options)).toBe('wait')
    expect(await decide(rules('501', '900'), 'redeem-requests', facts, ...options)).toBe('decline')
    expect(await decide(rules('0', '499'), 'redeem-requests', facts, ...options)).toBe('decline')
  })

  it('does nothing where the operator does not offer what the rules want', async () => {
    expect(await decide({ mint: { declineBelowAtomic: '501' } }, 'mint-requests', request, named('settle'))).toBe(
      'wait',
    )
  })

  it('leaves settlement to somebody else when told so', async () => {
    expect(await decide({ mint: { settle: false } }, 'mint-requests', request, ...options)).toBe('wait')
  })
})

describe('rules for tenders', () => {
  const token = `0x${'aa'.repeat(20)}`
  const other = `0x${'bb'.repeat(20)}`
  const tender = {
    specProfile: 'x-intent-labels-v1',
    rewardAsset: token,
    acceptToken: token,
    rewardAtomic: '100',
    secondsLeft: '7200',
    packageBytes: '2048',
  }
  const rules = (terms: JsonObject, more: JsonObject = {}) => ({
    tender: { profiles: { 'x-intent-labels-v1': terms }, ...more },
  })
  const work = named('work:labels')

  it('takes none without terms for its profile', async () => {
    expect(await decide({}, 'tender', tender, work)).toBe('wait')
    expect(await decide(rules({}), 'tender', { ...tender, specProfile: 'constructor' }, work)).toBe('wait')
  })

  it('takes one whose reward per effort fits exactly, and not one that pays a unit less', async () => {
    const terms = rules({ minRewardAtomic: '100', minRewardPerKiBAtomic: '50' })
    expect(await decide(terms, 'tender', tender, work)).toBe('work:labels')
    expect(await decide(terms, 'tender', { ...tender, rewardAtomic: '99' }, work)).toBe('wait')
    expect(await decide(terms, 'tender', { ...tender, packageBytes: '2049' }, work)).toBe('wait')
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['too little time', { secondsLeft: '3599' }, {}],
    ['too large a package', { packageBytes: '2048' }, { maxPackageBytes: 2047 }],
    ['a reward in another asset', { rewardAsset: other }, {}],
  ])('leaves one with %s', async (_, facts, more) => {
    expect(await decide(rules({}, more), 'tender', { ...tender, ...facts }, work)).toBe('wait')
  })

  it('takes a reward in an asset that the rules name', async () => {
    expect(await decide(rules({}, { assets: [other] }), 'tender', { ...tender, rewardAsset: other }, work)).toBe(
      'work:labels',
    )
  })
})

describe('rules for paid resources', () => {
  const invoice = { asset: 'evm:native', priceAtomic: '100', origin: 'https://data.example' }
  const rules = (more: JsonObject = {}) => ({ resource: { maxPriceAtomic: { 'evm:native': '100' }, ...more } })

  it('buys at the stated price and not above it, nor in another asset', async () => {
    expect(await decide(rules(), 'paid-resource', invoice, named('buy'))).toBe('buy')
    expect(await decide(rules(), 'paid-resource', { ...invoice, priceAtomic: '101' }, named('buy'))).toBe('wait')
    expect(await decide(rules(), 'paid-resource', { ...invoice, asset: 'solana:native' }, named('buy'))).toBe('wait')
    expect(await decide({}, 'paid-resource', invoice, named('buy'))).toBe('wait')
  })

  it('buys only where the rules name the origin, when they name any', async () => {
    expect(await decide(rules({ origins: ['https://data.example'] }), 'paid-resource', invoice, named('buy'))).toBe(
      'buy',
    )
    expect(await decide(rules({ origins: [] }), 'paid-resource', invoice, named('buy'))).toBe('wait')
  })
})

describe('rules for idle capital', () => {
  const both = [named('invest', 1n, 10_000n), named('withdraw', 1n, 10_000n)]
  const facts = (liquidAtomic: string, assetsAtomic = '10001') => ({ liquidAtomic, assetsAtomic })
  const rules = { capital: { liquidBps: 2_000, minMoveAtomic: '50' } }

  it('keeps all of it liquid without any configuration', async () => {
    expect(await decide({}, 'idle-capital', facts('10001'), ...both)).toBe('wait')
  })

  it('invests what is beyond the liquid share, which is rounded up', async () => {
    expect(await decide(rules, 'idle-capital', facts('3001'), ...both)).toBe('invest 1000')
  })

  it('withdraws what the liquid share lacks', async () => {
    expect(await decide(rules, 'idle-capital', facts('1001'), ...both)).toBe('withdraw 1000')
  })

  it('moves nothing below the least move', async () => {
    expect(await decide(rules, 'idle-capital', facts('2050'), ...both)).toBe('wait')
    expect(await decide(rules, 'idle-capital', facts('2051'), ...both)).toBe('invest 50')
  })

  it('stays within the bounds of the option', async () => {
    expect(await decide(rules, 'idle-capital', facts('9000'), named('invest', 1n, 70n))).toBe('invest 70')
    expect(await decide(rules, 'idle-capital', facts('2100'), named('invest', 500n, 900n))).toBe('wait')
  })
})

describe('a rules document', () => {
  it.each<[string, unknown, string]>([
    ['an unknown field', { mint: { setle: true } }, 'rules.mint'],
    ['a number as amount', { mint: { declineBelowAtomic: 5 } }, 'rules.mint.declineBelowAtomic'],
    ['an amount with a fraction', { capital: { minMoveAtomic: '1.5' } }, 'rules.capital.minMoveAtomic'],
    ['more than the whole', { capital: { liquidBps: 10_001 } }, 'rules.capital.liquidBps'],
    ['an address in mixed case', { tender: { assets: [`0x${'aA'.repeat(20)}`] } }, 'rules.tender.assets.0'],
    ['another schema', { schema: 'oikos-rules/2' }, 'rules.schema'],
    ['no object', 'settle everything', 'rules'],
    [
      'too many profiles',
      { tender: { profiles: Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`p${index}`, {}])) } },
      'rules.tender.profiles',
    ],
  ])('with %s is refused, with its place', (_, document, where) => {
    expect(() => createRulesDecider(document)).toThrow(RulesError)
    expect(() => createRulesDecider(document)).toThrow(`${where}: `)
  })

  it('is refused with every problem at once', () => {
    try {
      createRulesDecider({ mint: { settle: 1 }, capital: { liquidBps: -1 } })
      expect.unreachable()
    } catch (error) {
      expect((error as RulesError).problems.map(({ where }) => where)).toEqual([
        'rules.mint.settle',
        'rules.capital.liquidBps',
      ])
    }
  })
})

it('names the fact that a question lacks', async () => {
  await expect(decide({}, 'idle-capital', { liquidAtomic: 5 }, named('invest'))).rejects.toThrow(FactError)
  await expect(decide({}, 'idle-capital', { liquidAtomic: '-5' }, named('invest'))).rejects.toThrow('liquidAtomic')
})
