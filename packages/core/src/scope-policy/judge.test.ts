import { describe, expect, it } from 'vitest'
import { compilePolicy } from './compile.ts'
import { POLICY_SCHEMA, type PolicyDocument, type PolicyRule } from './document.ts'
import { acceptTokenOut, DryRunInputError, judgeCall, type ScopedCall } from './judge.ts'
import { capKeyOf, openScope, readRuleKey, ruleKeyOf, type ScopeState } from './policy.ts'

const agent = '0x00000000000000000000000000000000000000a0'
const usdc = '0x00000000000000000000000000000000000000a1'
const dai = '0x00000000000000000000000000000000000000a2'
const vault = '0x00000000000000000000000000000000000000b1'
const other = '0x00000000000000000000000000000000000000b2'
const word = (value: bigint | number | string) => BigInt(value).toString(16).padStart(64, '0')
const DEPOSIT = '0x6e553f65'

function scopeOf(rule: Partial<PolicyRule>, more: Partial<PolicyDocument> = {}): ScopeState {
  const { policy } = compilePolicy({
    schema: POLICY_SCHEMA,
    delay: '0 seconds',
    acceptToken: 'USDC',
    assets: { USDC: { address: usdc, decimals: 0 }, DAI: { address: dai, decimals: 0 } },
    sets: { friends: { id: '1', members: [vault, '7'] } },
    rules: [{ to: vault, call: 'deposit(uint256 assets, address receiver)', ...rule }],
    ...more,
  })
  return openScope(policy, 1_000n)
}

const call: ScopedCall = {
  agent,
  target: vault,
  value: 0n,
  data: `${DEPOSIT}${word(100)}${word(agent)}`,
  token: usdc,
  tokenOut: 0n,
  nowSec: 2_000n,
}
const verdictOf = (state: ScopeState, change: Partial<ScopedCall> = {}) =>
  judgeCall(state, { ...call, ...change }).verdict

describe('§6.6.7 the answer of a Scope', () => {
  it('is no by default', () => {
    expect(verdictOf(scopeOf({}))).toBe('Allowed')
    expect(verdictOf(scopeOf({}), { target: other })).toBe('NoRule')
    expect(verdictOf(scopeOf({}), { data: `0x6e553f66${word(100)}${word(agent)}` })).toBe('NoRule')
    expect(verdictOf(scopeOf({}), { data: '0x' })).toBe('NoRule')
  })

  it('refuses one to three bytes of data where the selector zero is allowed', () => {
    const state = scopeOf({ call: '0x00000000' })
    expect(verdictOf(state, { data: '0x00' })).toBe('Malformed')
    expect(verdictOf(state, { data: '0x00000000' })).toBe('Allowed')
  })

  it('ends with the second of the expiry', () => {
    const state = scopeOf({ until: '1970-01-01T00:50:00Z' })
    expect(verdictOf(state, { nowSec: 2_999n })).toBe('Allowed')
    expect(verdictOf(state, { nowSec: 3_000n })).toBe('Expired')
  })

  it('compares a pinned code hash, and does not guess without one', () => {
    const codeHash = `0x${'ab'.repeat(32)}` as const
    const state = scopeOf({ codeHash })
    expect(verdictOf(state, { targetCodeHash: codeHash })).toBe('Allowed')
    expect(verdictOf(state, { targetCodeHash: `0x${'00'.repeat(32)}` })).toBe('CodeChanged')
    expect(() => verdictOf(state)).toThrow(DryRunInputError)
  })

  it('bounds native value and Accept Token per call, at the bound and one above', () => {
    const state = scopeOf({ perCall: { native: '0.000000000000000005 ETH', acceptToken: '9 USDC' } })
    expect(verdictOf(state, { value: 5n, tokenOut: 9n })).toBe('Allowed')
    expect(verdictOf(state, { value: 6n, tokenOut: 9n })).toBe('ValueTooHigh')
    expect(verdictOf(state, { value: 5n, tokenOut: 10n })).toBe('TokenOutTooHigh')
  })

  it.each<[string, Partial<PolicyRule>, string, string]>([
    ['is', { when: [{ parameter: 'receiver', is: 'the agent' }] }, agent, other],
    ['equals', { when: [{ parameter: 'receiver', equals: vault }] }, vault, other],
    ['not', { when: [{ parameter: 'receiver', not: vault }] }, other, vault],
    ['in', { when: [{ parameter: 'receiver', in: 'friends' }] }, '7', '8'],
    ['atMost', { when: [{ offset: 32, atMost: 7 }] }, '7', '8'],
    ['atLeast', { when: [{ offset: 32, atLeast: 7 }] }, '7', '6'],
    [
      'equals beyond 232 bits',
      { when: [{ offset: 32, equals: `0x${'ff'.repeat(32)}` }] },
      `0x${'ff'.repeat(32)}`,
      `0x${'ff'.repeat(31)}fe`,
    ],
  ])('judges the word: %s', (_, rule, right, wrong) => {
    const state = scopeOf(rule)
    expect(verdictOf(state, { data: `${DEPOSIT}${word(0)}${word(right)}` })).toBe('Allowed')
    expect(verdictOf(state, { data: `${DEPOSIT}${word(0)}${word(wrong)}` })).toBe('ConditionFailed')
    expect(verdictOf(state, { data: `${DEPOSIT}${word(0)}` })).toBe('Malformed')
  })

  it('compares words whole: an address with dirty upper bits is another word', () => {
    const state = scopeOf({ when: [{ parameter: 'receiver', equals: vault }] })
    expect(verdictOf(state, { data: `${DEPOSIT}${word(0)}01${word(vault).slice(2)}` })).toBe('ConditionFailed')
  })

  it('judges the length of the whole call', () => {
    const state = scopeOf({ when: [{ length: 68 }] })
    expect(verdictOf(state)).toBe('Allowed')
    expect(verdictOf(state, { data: `${call.data}00` })).toBe('ConditionFailed')
  })

  it('judges each element of an array, 32 at most', () => {
    const state = scopeOf({ call: 'pay(address[] to)', when: [{ parameter: 'to', eachIn: 'friends' }] })
    const pay = (pointer: number, ...words: (number | string)[]) =>
      verdictOf(state, { data: `${SELECTOR_PAY}${word(pointer)}${words.map(word).join('')}` })
    const SELECTOR_PAY = state.rules[0]?.selector ?? '0x'
    expect(pay(32, 2, vault, 7)).toBe('Allowed')
    expect(pay(32, 0)).toBe('Allowed')
    expect(pay(32, 2, vault, 8)).toBe('ConditionFailed')
    expect(pay(32, 2, vault)).toBe('Malformed')
    expect(pay(64, 1)).toBe('Malformed')
    expect(pay(32, 33, ...Array.from({ length: 33 }, () => 7))).toBe('Malformed')
    expect(pay(32, 32, ...Array.from({ length: 32 }, () => 7))).toBe('Allowed')
    expect(verdictOf(state, { data: `${SELECTOR_PAY}${'ff'.repeat(32)}` })).toBe('Malformed')
  })

  it('charges caps and says what they would still give', () => {
    const state = scopeOf(
      {
        perCall: { native: 'unlimited', acceptToken: 'unlimited' },
        charge: { asset: 'DAI', parameter: 'assets' },
        calls: { limit: 2, refill: 'never' },
      },
      {
        caps: [
          { asset: 'ETH', limit: '0.000000000000000010 ETH', refill: 'never' },
          { asset: 'USDC', limit: '20', refill: '1 hour' },
          { asset: 'DAI', limit: '100', refill: 'never', lifetime: '100' },
        ],
      },
    )
    const { verdict, charges } = judgeCall(state, { ...call, value: 3n, tokenOut: 5n })
    expect(verdict).toBe('Allowed')
    expect(
      charges.map(({ of, amount, available }) => [of.kind === 'asset' ? of.asset : 'calls', amount, available]),
    ).toEqual([
      [`0x${'0'.repeat(40)}`, 3n, 10n],
      [usdc, 5n, 20n],
      [dai, 100n, 100n],
      ['calls', 1n, 2n],
    ])
    expect(verdictOf(state, { value: 11n })).toBe('CapExceeded')
    expect(verdictOf(state, { tokenOut: 21n })).toBe('CapExceeded')
    expect(verdictOf(state, { data: `${DEPOSIT}${word(101)}${word(agent)}` })).toBe('CapExceeded')
  })

  it('tells a spent lifetime from a full bucket', () => {
    const state = scopeOf(
      { perCall: { acceptToken: 'unlimited' } },
      { caps: [{ asset: 'USDC', limit: '20', refill: '1 hour', lifetime: '10' }] },
    )
    expect(verdictOf(state, { tokenOut: 10n })).toBe('Allowed')
    expect(verdictOf(state, { tokenOut: 11n })).toBe('LifetimeExceeded')
    expect(judgeCall(state, { ...call, tokenOut: 21n }).refusedBy).toMatchObject({ amount: 21n, available: 10n })
  })

  it('charges the Accept Token once when it is also the charged asset', () => {
    const state = scopeOf({ perCall: { acceptToken: 'unlimited' }, charge: { asset: 'USDC', parameter: 'assets' } })
    expect(judgeCall(state, { ...call, tokenOut: 5n }).charges.map(({ amount }) => amount)).toEqual([5n])
    expect(judgeCall(state, { ...call, tokenOut: 0n }).charges.map(({ amount }) => amount)).toEqual([100n])
  })

  it('has no word to charge: malformed', () => {
    expect(verdictOf(scopeOf({ charge: { asset: 'DAI', parameter: 'assets' } }), { data: DEPOSIT })).toBe('Malformed')
  })

  it('refills evenly, and rounds what is used up', () => {
    const state = scopeOf(
      { perCall: { acceptToken: 'unlimited' } },
      { caps: [{ asset: 'USDC', limit: '10', refill: '100 seconds' }] },
    )
    const used: ScopeState = {
      ...state,
      caps: state.caps.map((cap) => ({ ...cap, bucket: { ...cap.bucket, used: 10n, at: 1_000n } })),
    }
    const at = (nowSec: bigint, tokenOut: bigint) => verdictOf(used, { nowSec, tokenOut })
    expect(at(1_009n, 1n)).toBe('CapExceeded')
    expect(at(1_010n, 1n)).toBe('Allowed')
    expect(at(1_099n, 10n)).toBe('CapExceeded')
    expect(at(1_100n, 10n)).toBe('Allowed')
    expect(at(9_999n, 11n)).toBe('CapExceeded')
  })

  it('gives the first reason in the order of the contract', () => {
    const codeHash = `0x${'ab'.repeat(32)}` as const
    const rule = {
      until: '1970-01-01T00:50:00Z',
      codeHash,
      perCall: { native: '0 ETH' },
      when: [
        { parameter: 'receiver', is: 'the agent' },
        { offset: 999, equals: 1 },
      ],
      calls: { limit: 1, refill: 'never' },
    } as const
    const state = scopeOf(rule, { caps: [{ asset: 'USDC', limit: '0', refill: 'never', lifetime: '0' }] })
    const bad: Partial<ScopedCall> = {
      nowSec: 5_000n,
      targetCodeHash: `0x${'00'.repeat(32)}`,
      value: 1n,
      tokenOut: 1n,
      data: `${DEPOSIT}${word(1)}${word(other)}`,
    }
    const fixes: [string, Partial<ScopedCall>][] = [
      ['Expired', {}],
      ['CodeChanged', { nowSec: 2_000n }],
      ['ValueTooHigh', { targetCodeHash: codeHash }],
      ['TokenOutTooHigh', { value: 0n }],
      ['ConditionFailed', { tokenOut: 0n }],
      ['Malformed', { data: `${DEPOSIT}${word(1)}${word(agent)}` }],
    ]
    let attempt = bad
    for (const [verdict, fix] of fixes) {
      attempt = { ...attempt, ...fix }
      expect(verdictOf(state, attempt)).toBe(verdict)
    }
  })

  it('refuses data that is no bytes', () => {
    expect(() => verdictOf(scopeOf({}), { data: '0x123' })).toThrow(DryRunInputError)
  })
})

describe('acceptTokenOut', () => {
  const transfer = `0xa9059cbb${word(other)}${word(77)}` as const
  it('is the amount of a transfer of the Accept Token, else the allowance', () => {
    expect(acceptTokenOut({ target: usdc, data: transfer, token: usdc, allowance: 0n })).toBe(77n)
    expect(acceptTokenOut({ target: dai, data: transfer, token: usdc, allowance: 0n })).toBe(0n)
    expect(acceptTokenOut({ target: vault, data: call.data, token: usdc, allowance: 5n })).toBe(5n)
    expect(acceptTokenOut({ target: usdc, data: `${transfer}00`, token: usdc, allowance: 0n })).toBe(0n)
  })
})

it('keys name target, selector and form, and are never those of a cap', () => {
  const parts = { target: vault, selector: DEPOSIT, plain: false } as const
  expect(readRuleKey(ruleKeyOf(parts))).toEqual(parts)
  expect(readRuleKey(ruleKeyOf({ ...parts, selector: '0x00000000', plain: true })).plain).toBe(true)
  expect(capKeyOf(vault)).toBe(`0x8${'0'.repeat(23)}${vault.slice(2)}`)
})
