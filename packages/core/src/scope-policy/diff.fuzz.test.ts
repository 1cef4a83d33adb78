import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aimCall, callFrom, PLACES, policy, policyPair } from '../../test/policy-arbitrary.ts'
import { comparePolicies, type GovernanceStep } from './diff.ts'
import { judgeCall } from './judge.ts'
import { type Bucket, capKeyOf, KEEP_DELAY, openScope, type Policy, ruleKeyOf, type ScopeState } from './policy.ts'

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 8406) })

const START = 1_000n
const [agent = '0x', token = '0x'] = PLACES

/** What the tightening calls of ScopeGovernance.sol do, with the conditions under which they revert. */
function tighten(state: ScopeState, step: GovernanceStep): ScopeState {
  switch (step.call) {
    case 'removeAllRules':
      return { ...state, rules: [] }
    case 'removeRule': {
      const rules = state.rules.filter((rule) => ruleKeyOf(rule) !== step.key)
      if (rules.length === state.rules.length) throw new Error('NoSuchRule')
      return { ...state, rules }
    }
    case 'expireRule':
      return {
        ...state,
        rules: state.rules.map((rule) => {
          if (ruleKeyOf(rule) !== step.key) return rule
          if (step.expiresAt === 0 || (rule.expiresAt !== 0 && step.expiresAt >= rule.expiresAt))
            throw new Error('NotTighter')
          return { ...rule, expiresAt: step.expiresAt }
        }),
      }
    case 'lowerCap': {
      const lower = (bucket: Bucket): Bucket => {
        if (step.limit > bucket.limit || step.lifetimeLeft > bucket.lifetimeLeft) throw new Error('NotTighter')
        return { ...bucket, limit: step.limit, lifetimeLeft: step.lifetimeLeft }
      }
      return {
        ...state,
        caps: state.caps.map((cap) =>
          capKeyOf(cap.asset) === step.key
            ? { ...cap, limit: step.limit, lifetime: step.lifetimeLeft, bucket: lower(cap.bucket) }
            : cap,
        ),
        rules: state.rules.map((rule) =>
          ruleKeyOf(rule) === step.key && rule.bucket !== undefined
            ? { ...rule, callLimit: Number(step.limit), bucket: lower(rule.bucket) }
            : rule,
        ),
      }
    }
    case 'removeMember':
      return {
        ...state,
        members: state.members.filter(({ set, member }) => set !== step.set || member !== step.member),
      }
    default:
      return step satisfies never
  }
}

/** What `_install` of ScopeGovernance.sol does to fresh buckets. */
function install(state: ScopeState, change: Policy): ScopeState {
  const fresh = openScope(change, START)
  const [keys, assets] = [new Set(fresh.rules.map(ruleKeyOf)), new Set(fresh.caps.map(({ asset }) => asset))]
  return {
    rules: [...state.rules.filter((rule) => !keys.has(ruleKeyOf(rule))), ...fresh.rules],
    caps: [...state.caps.filter(({ asset }) => !assets.has(asset)), ...fresh.caps],
    members: [...state.members, ...fresh.members],
    delaySec: change.delaySec === KEEP_DELAY ? state.delaySec : change.delaySec,
  }
}

describe('a diff', () => {
  it('leads from any policy to any other, by its steps and its one later change', () => {
    fc.assert(
      fc.property(fc.oneof(policyPair, fc.tuple(policy, policy)), ([from, to]) => {
        const state = openScope(from, START)
        const { steps, later } = comparePolicies(state, to)
        const tightened = steps.reduce(tighten, state)
        const reached = later === undefined ? tightened : install(tightened, later)
        expect(comparePolicies(reached, to).changes).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('§6.6.8 never lets its immediate steps allow a call that was refused', () => {
    const scenario = fc.tuple(policyPair, callFrom(START), fc.nat())
    fc.assert(
      fc.property(scenario, ([[from, to], call, pick]) => {
        const state = openScope(from, START)
        const tightened = comparePolicies(state, to).steps.reduce(tighten, state)
        const facts = { ...aimCall(call, to, pick), agent, token, targetCodeHash: `0x${'0'.repeat(64)}` as const }
        const after = judgeCall(tightened, facts).verdict
        if (after === 'Allowed') expect(judgeCall(state, facts).verdict).toBe('Allowed')
      }),
      { numRuns: 500 },
    )
  })

  it('calls tightened only what allows nothing more, and loosened only what forbids nothing more', () => {
    fc.assert(
      fc.property(policyPair, callFrom(START), fc.nat(), ([from, to], call, pick) => {
        const [before, after] = [openScope(from, START), openScope(to, START)]
        const kinds = new Set(
          comparePolicies(before, to)
            .changes.filter(({ of }) => of !== 'delay')
            .map(
              ({ of, kind }) =>
                (of === 'cap'
                  ? {
                      added: 'tightened',
                      removed: 'loosened',
                      loosened: 'loosened',
                      tightened: 'tightened',
                      changed: 'changed',
                    }
                  : {
                      added: 'loosened',
                      removed: 'tightened',
                      loosened: 'loosened',
                      tightened: 'tightened',
                      changed: 'changed',
                    })[kind],
            ),
        )
        const facts = { ...aimCall(call, to, pick), agent, token, targetCodeHash: `0x${'0'.repeat(64)}` as const }
        const [was, is] = [before, after].map((state) => judgeCall(state, facts).verdict === 'Allowed')
        if ([...kinds].every((kind) => kind === 'tightened') && is) expect(was).toBe(true)
        if ([...kinds].every((kind) => kind === 'loosened') && was) expect(is).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
