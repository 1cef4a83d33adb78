import { describe, expect, it } from 'vitest'
import { compilePolicy } from './compile.ts'
import { comparePolicies } from './diff.ts'
import { POLICY_SCHEMA, type PolicyCap, type PolicyDocument, type PolicyRule } from './document.ts'
import { KEEP_DELAY, openScope, type ScopeState } from './policy.ts'

const vault = '0x00000000000000000000000000000000000000b1'
const KEY = `0x00000000000000006e553f65${vault.slice(2)}`
const CAP_KEY = `0x8${'0'.repeat(23)}00000000000000000000000000000000000000a1`
const UINT256_MAX = 2n ** 256n - 1n

const rule: PolicyRule = {
  to: vault,
  call: 'deposit(uint256 assets, address receiver)',
  when: [
    { parameter: 'receiver', is: 'the agent' },
    { parameter: 'assets', atMost: 100 },
  ],
  perCall: { native: '1 ETH', acceptToken: '100 USDC' },
  charge: { asset: 'DAI', parameter: 'assets' },
  calls: { limit: 10, refill: '1 day' },
  until: '2030-01-01',
  codeHash: `0x${'ab'.repeat(32)}`,
}
const cap: PolicyCap = { asset: 'USDC', limit: '100', refill: '1 day', lifetime: '1000' }
const base: PolicyDocument = {
  schema: POLICY_SCHEMA,
  delay: '2 days',
  acceptToken: 'USDC',
  assets: {
    USDC: { address: '0x00000000000000000000000000000000000000a1', decimals: 0 },
    DAI: { address: '0x00000000000000000000000000000000000000a2', decimals: 0 },
  },
  sets: { friends: { id: '1', members: ['7'] } },
  rules: [rule],
  caps: [cap],
}
const policyOf = (change: Partial<PolicyDocument>) => compilePolicy({ ...base, ...change }).policy
const inForce = openScope(policyOf({}), 1_000n)
const compare = (change: Partial<PolicyDocument>, current: ScopeState = inForce) =>
  comparePolicies(current, policyOf(change))
const brief = (change: Partial<PolicyDocument>, current?: ScopeState) =>
  compare(change, current).changes.map(({ of, kind, when, fields }) =>
    `${of} ${kind} ${when}: ${fields.join(' ')}`.trim(),
  )
const withRule = (change: Partial<PolicyRule>) => ({ rules: [{ ...rule, ...change }] })
const withCap = (change: Partial<PolicyCap>) => ({ caps: [{ ...cap, ...change }] })

it('says nothing about equal policies', () => {
  expect(compare({})).toEqual({ changes: [], steps: [], later: undefined, delaySec: 172_800 })
})

describe('what Owner or guardian can do at once (ScopeGovernance.sol, tightening)', () => {
  it('removes a rule', () => {
    const diff = compare({ rules: [] })
    expect(diff).toMatchObject({ steps: [{ call: 'removeRule', key: KEY }], later: undefined })
  })

  it('removes all rules by one call', () => {
    const two = openScope(policyOf({ rules: [rule, { to: vault, call: 'plain payment' }] }), 0n)
    expect(comparePolicies(two, policyOf({ rules: [] }))).toMatchObject({
      steps: [{ call: 'removeAllRules' }],
      later: undefined,
    })
  })

  it('lets a rule end earlier', () => {
    expect(compare(withRule({ until: '2029-01-01' })).steps).toEqual([
      { call: 'expireRule', key: KEY, expiresAt: 1_861_920_000 },
    ])
    const endless = openScope(policyOf({ rules: [{ to: vault, call: rule.call }] }), 0n)
    const ending = policyOf({ rules: [{ to: vault, call: rule.call, until: '2029-01-01' }] })
    expect(comparePolicies(endless, ending).steps).toEqual([{ call: 'expireRule', key: KEY, expiresAt: 1_861_920_000 }])
  })

  it('lowers the calls of a rule, a cap, its lifetime', () => {
    expect(compare(withRule({ calls: { limit: 9, refill: '1 day' } })).steps).toEqual([
      { call: 'lowerCap', key: KEY, limit: 9n, lifetimeLeft: UINT256_MAX },
    ])
    expect(compare(withCap({ limit: '99' })).steps).toEqual([
      { call: 'lowerCap', key: CAP_KEY, limit: 99n, lifetimeLeft: 1000n },
    ])
    expect(compare(withCap({ limit: '99', lifetime: '10' })).steps).toEqual([
      { call: 'lowerCap', key: CAP_KEY, limit: 99n, lifetimeLeft: 10n },
    ])
  })

  it('counts what already left against a lower lifetime', () => {
    const spent = {
      ...inForce,
      caps: inForce.caps.map((one) => ({ ...one, bucket: { ...one.bucket, lifetimeLeft: 400n } })),
    }
    expect(compare(withCap({ lifetime: '900' }), spent).steps).toEqual([
      { call: 'lowerCap', key: CAP_KEY, limit: 100n, lifetimeLeft: 300n },
    ])
    expect(compare(withCap({ lifetime: '500' }), spent).steps).toEqual([
      { call: 'lowerCap', key: CAP_KEY, limit: 100n, lifetimeLeft: 0n },
    ])
    expect(compare({}, spent).changes).toEqual([])
  })

  it('takes a member out of a set', () => {
    expect(compare({ sets: { friends: { id: '1', members: [] } } }).steps).toEqual([
      { call: 'removeMember', set: 1n, member: 7n },
    ])
  })
})

describe('what waits for the delay of the Owner', () => {
  it.each<[string, Partial<PolicyDocument>, string]>([
    ['a new rule', { rules: [rule, { to: vault, call: 'plain payment' }] }, 'rule added after-delay:'],
    ['a later end', withRule({ until: '2031-01-01' }), 'rule loosened after-delay: until'],
    [
      'more per call',
      withRule({ perCall: { native: '2 ETH', acceptToken: '101 USDC' } }),
      'rule loosened after-delay: perCall.native perCall.acceptToken',
    ],
    [
      'less per call, for which there is no shorter way',
      withRule({ perCall: { native: '0.5 ETH', acceptToken: '100 USDC' } }),
      'rule tightened after-delay: perCall.native',
    ],
    ['more calls', withRule({ calls: { limit: 11, refill: '1 day' } }), 'rule loosened after-delay: calls.limit'],
    [
      'a faster refill of calls',
      withRule({ calls: { limit: 10, refill: '1 hour' } }),
      'rule loosened after-delay: calls.refill',
    ],
    [
      'calls that never refill',
      withRule({ calls: { limit: 10, refill: 'never' } }),
      'rule tightened after-delay: calls.refill',
    ],
    ['another code', withRule({ codeHash: `0x${'cd'.repeat(32)}` }), 'rule changed after-delay: codeHash'],
    [
      'a condition less',
      withRule({ when: [{ parameter: 'receiver', is: 'the agent' }] }),
      'rule loosened after-delay: when',
    ],
    [
      'a condition more',
      withRule({ when: [...(rule.when ?? []), { length: 68 }] }),
      'rule tightened after-delay: when',
    ],
    [
      'a higher bound',
      withRule({
        when: [
          { parameter: 'receiver', is: 'the agent' },
          { parameter: 'assets', atMost: 101 },
        ],
      }),
      'rule loosened after-delay: when',
    ],
    [
      'a lower bound',
      withRule({
        when: [
          { parameter: 'receiver', is: 'the agent' },
          { parameter: 'assets', atMost: 99 },
        ],
      }),
      'rule tightened after-delay: when',
    ],
    [
      'another condition',
      withRule({
        when: [
          { parameter: 'receiver', equals: vault },
          { parameter: 'assets', atMost: 100 },
        ],
      }),
      'rule changed after-delay: when',
    ],
    [
      'looser and tighter at once',
      withRule({ until: '2029-01-01', perCall: { native: '2 ETH', acceptToken: '100 USDC' } }),
      'rule changed after-delay: until perCall.native',
    ],
    [
      'a charge elsewhere',
      withRule({ charge: { asset: 'USDC', parameter: 'assets' } }),
      'rule changed after-delay: charge',
    ],
    ['a higher cap', withCap({ limit: '101' }), 'cap loosened after-delay: limit'],
    ['a higher lifetime', withCap({ lifetime: '1001' }), 'cap loosened after-delay: lifetime'],
    ['a slower refill', withCap({ refill: '2 days' }), 'cap tightened after-delay: refill'],
    [
      'a lower cap with a faster refill',
      withCap({ limit: '99', refill: '1 hour' }),
      'cap changed after-delay: limit refill',
    ],
    ['no cap', { caps: [] }, 'cap removed after-delay:'],
    ['one more cap', { caps: [cap, { asset: 'DAI', limit: '1', refill: 'never' }] }, 'cap added after-delay:'],
    ['a member more', { sets: { friends: { id: '1', members: ['7', '8'] } } }, 'member added after-delay:'],
    ['a shorter delay', { delay: '1 day' }, 'delay loosened after-delay: delay'],
    ['a longer delay', { delay: '3 days' }, 'delay tightened after-delay: delay'],
  ])('%s', (_, change, expected) => {
    expect(brief(change)).toEqual([expected])
    const diff = compare(change)
    expect(diff.steps).toEqual([])
    expect(diff.later).toBeDefined()
  })

  it.each<[string, Partial<PolicyRule>, Partial<PolicyRule>, string]>([
    ['calls', { calls: { limit: 10, refill: '1 day' } }, {}, 'calls.limit'],
    ['codeHash', { codeHash: `0x${'ab'.repeat(32)}` }, {}, 'codeHash'],
    ['charge', { charge: { asset: 'DAI', parameter: 'assets' } }, {}, 'charge'],
    ['until', { until: '2030-01-01' }, {}, 'until'],
  ])('taking %s away loosens; adding it tightens', (_, more, less, field) => {
    const bare = { to: vault, call: rule.call }
    const [tight, loose] = [policyOf({ rules: [{ ...bare, ...more }] }), policyOf({ rules: [{ ...bare, ...less }] })]
    const fields = (from: typeof tight, to: typeof tight) =>
      comparePolicies(openScope(from, 0n), to).changes.map(({ kind, fields: list }) => [kind, list])
    expect(fields(tight, loose)).toEqual([['loosened', [field]]])
    expect(fields(loose, tight)).toEqual([['tightened', [field]]])
  })

  it('proposes only what changes, and keeps the delay', () => {
    const diff = compare({ rules: [rule, { to: vault, call: 'plain payment' }], caps: [{ ...cap, limit: '99' }] })
    expect(diff.later).toMatchObject({ caps: [], members: [], delaySec: KEEP_DELAY })
    expect(diff.later?.rules.map(({ plain }) => plain)).toEqual([true])
    expect(diff.steps).toHaveLength(1)
  })

  it('says that a cap which is set again starts its lifetime anew', () => {
    const spent = {
      ...inForce,
      caps: inForce.caps.map((one) => ({ ...one, bucket: { ...one.bucket, lifetimeLeft: 400n } })),
    }
    expect(brief(withCap({ refill: '2 days' }), spent)).toEqual(['cap changed after-delay: refill lifetime'])
  })

  it('says that a rule which is set again forgets how often it was called in all', () => {
    const lowered = {
      ...inForce,
      rules: inForce.rules.map((one) => ({
        ...one,
        ...(one.bucket && { bucket: { ...one.bucket, lifetimeLeft: 3n } }),
      })),
    }
    expect(brief(withRule({ perCall: { native: '0.5 ETH', acceptToken: '100 USDC' } }), lowered)).toEqual([
      'rule changed after-delay: perCall.native calls.lifetime',
    ])
    expect(compare(withRule({ calls: { limit: 9, refill: '1 day' } }), lowered).steps).toEqual([
      { call: 'lowerCap', key: KEY, limit: 9n, lifetimeLeft: 3n },
    ])
  })

  it('does not remove a lifted cap again', () => {
    const lifted = compare({ caps: [] }).later?.caps ?? []
    expect(lifted).toEqual([
      {
        asset: '0x00000000000000000000000000000000000000a1',
        limit: 2n ** 128n - 1n,
        periodSec: 1,
        lifetime: UINT256_MAX,
      },
    ])
    const after = openScope({ ...policyOf({}), caps: lifted }, 0n)
    expect(comparePolicies(after, policyOf({ caps: [] })).changes).toEqual([])
  })
})
