import type { Address } from '../call-data/index.ts'
import {
  type Cap,
  type Condition,
  capKeyOf,
  KEEP_DELAY,
  type Member,
  NO_CODE_HASH,
  OPERATIONS,
  type Policy,
  type Rule,
  ruleKeyOf,
  type ScopeCap,
  type ScopeRule,
  type ScopeState,
  UINT128_MAX,
  UINT256_MAX,
} from './policy.ts'

/** A call of the Scope contract that tightens at once; Owner or guardian. Source: ScopeGovernance.sol. */
export type GovernanceStep =
  | { readonly call: 'removeAllRules' }
  | { readonly call: 'removeRule'; readonly key: `0x${string}` }
  | { readonly call: 'expireRule'; readonly key: `0x${string}`; readonly expiresAt: number }
  | {
      readonly call: 'lowerCap'
      readonly key: `0x${string}`
      readonly limit: bigint
      readonly lifetimeLeft: bigint
    }
  | { readonly call: 'removeMember'; readonly set: bigint; readonly member: bigint }

/** What a change does to the boundary. `changed`: looser in one way and tighter in another, or not comparable. */
export type ChangeKind = 'added' | 'removed' | 'loosened' | 'tightened' | 'changed'

/**
 * One difference. `now`: Owner or guardian can do it at once, by `steps`. `after-delay`: only the Owner, by proposing `later`
 * of the diff and enacting it; a tightening can be of this kind, too, because the contract has no shorter way for it.
 */
export type PolicyChange = {
  readonly kind: ChangeKind
  readonly when: 'now' | 'after-delay'
  readonly fields: readonly string[]
  readonly steps: readonly GovernanceStep[]
} & (
  | { readonly of: 'rule'; readonly before: Rule | undefined; readonly after: Rule | undefined }
  | { readonly of: 'cap'; readonly before: Cap | undefined; readonly after: Cap | undefined }
  | { readonly of: 'member'; readonly member: Member }
  | { readonly of: 'delay'; readonly before: number; readonly after: number }
)

/** Two policies compared: the changes, the calls that tighten at once, and the one change to propose, if any. */
export type PolicyDiff = {
  readonly changes: readonly PolicyChange[]
  readonly steps: readonly GovernanceStep[]
  /** The `Policy` to propose and, `delaySec` later, to enact; undefined where all can be done at once. */
  readonly later: Policy | undefined
  readonly delaySec: number
}

type Direction = 'same' | 'looser' | 'tighter' | 'other'

/**
 * Compares what is in force with a whole policy that is wanted: what the wanted one does not have is to go. Equal policies
 * give no changes.
 */
export function comparePolicies(current: ScopeState, wanted: Policy): PolicyDiff {
  const rules = compareRules(current.rules, wanted.rules)
  const caps = compareCaps(current.caps, wanted.caps)
  const members = compareMembers(current.members, wanted.members)
  const delay = compareDelay(current.delaySec, wanted.delaySec)
  const changes = [...rules, ...caps, ...members, ...delay]
  const later = changes.filter(({ when }) => when === 'after-delay')
  return {
    changes,
    steps: changes.flatMap(({ steps }) => steps),
    delaySec: current.delaySec,
    later:
      later.length === 0
        ? undefined
        : {
            rules: later.flatMap((change) =>
              change.of === 'rule' && change.after !== undefined ? [change.after] : [],
            ),
            caps: later.flatMap((change) => (change.of === 'cap' ? [change.after ?? liftedCap(change.before)] : [])),
            members: later.flatMap((change) => (change.of === 'member' ? [change.member] : [])),
            delaySec: delay.length === 0 ? KEEP_DELAY : wanted.delaySec,
          },
  }
}

function compareRules(before: readonly ScopeRule[], after: readonly Rule[]): readonly PolicyChange[] {
  const wanted = new Map(after.map((rule) => [ruleKeyOf(rule), rule]))
  const present = new Map(before.map((rule) => [ruleKeyOf(rule), rule]))
  const changes: PolicyChange[] = []
  const isEmptied = after.length === 0 && before.length > 1
  for (const [key, rule] of present) {
    const other = wanted.get(key)
    if (other !== undefined) changes.push(...compareRule(key, rule, other))
    else {
      const removeAll: readonly GovernanceStep[] = changes.length === 0 ? [{ call: 'removeAllRules' }] : []
      const steps: readonly GovernanceStep[] = isEmptied ? removeAll : [{ call: 'removeRule', key }]
      changes.push({ of: 'rule', kind: 'removed', when: 'now', fields: [], steps, before: rule, after: undefined })
    }
  }
  for (const [key, rule] of wanted)
    if (!present.has(key))
      changes.push({
        of: 'rule',
        kind: 'added',
        when: 'after-delay',
        fields: [],
        steps: [],
        before: undefined,
        after: rule,
      })
  return changes
}

function compareRule(key: `0x${string}`, before: ScopeRule, after: Rule): readonly PolicyChange[] {
  const directions: Record<string, Direction> = {
    until: compareExpiry(before.expiresAt, after.expiresAt),
    'perCall.native': compareBound(before.maxValue, after.maxValue),
    'perCall.acceptToken': compareBound(before.maxTokenOut, after.maxTokenOut),
    codeHash: comparePin(before.codeHash.toLowerCase(), after.codeHash.toLowerCase()),
    charge: compareCharge(before, after),
    'calls.limit': compareCallLimit(before.callLimit, after.callLimit),
    'calls.refill':
      before.callLimit === 0 || after.callLimit === 0
        ? 'same'
        : compareRefill(before.callPeriodSec, after.callPeriodSec),
    when: compareConditions(before.conditions, after.conditions),
  }
  const differing = Object.keys(directions).filter((field) => directions[field] !== 'same')
  if (differing.length === 0) return []
  const steps: GovernanceStep[] = []
  if (directions['until'] === 'tighter') steps.push({ call: 'expireRule', key, expiresAt: after.expiresAt })
  // only a rule that counts its calls already has a bucket that can be lowered
  if (directions['calls.limit'] === 'tighter' && before.callLimit > 0)
    steps.push({
      call: 'lowerCap',
      key,
      limit: BigInt(after.callLimit),
      lifetimeLeft: before.bucket?.lifetimeLeft ?? UINT256_MAX,
    })
  const isNow = steps.length === differing.length
  // a rule that is set again gets a fresh bucket lifetime, which a document cannot bound
  const renews = !isNow && after.callLimit > 0 && (before.bucket?.lifetimeLeft ?? UINT256_MAX) !== UINT256_MAX
  if (renews) directions['calls.lifetime'] = 'looser'
  const fields = renews ? [...differing, 'calls.lifetime'] : differing
  return [
    {
      of: 'rule',
      kind: kindOf(fields.map((field) => directions[field] ?? 'same')),
      when: isNow ? 'now' : 'after-delay',
      fields,
      steps: isNow ? steps : [],
      before,
      after,
    },
  ]
}

function compareCaps(before: readonly ScopeCap[], after: readonly Cap[]): readonly PolicyChange[] {
  const wanted = new Map(after.map((cap) => [cap.asset.toLowerCase(), cap]))
  const present = new Map(before.map((cap) => [cap.asset.toLowerCase(), cap]))
  const changes: PolicyChange[] = []
  for (const [asset, cap] of present) {
    const other = wanted.get(asset)
    if (other !== undefined) changes.push(...compareCap(cap, other))
    // a cap cannot be taken away, only raised until it bounds nothing
    else if (!isLifted(cap))
      changes.push({
        of: 'cap',
        kind: 'removed',
        when: 'after-delay',
        fields: [],
        steps: [],
        before: cap,
        after: undefined,
      })
  }
  for (const [asset, cap] of wanted)
    if (!present.has(asset))
      changes.push({
        of: 'cap',
        kind: 'added',
        when: 'after-delay',
        fields: [],
        steps: [],
        before: undefined,
        after: cap,
      })
  return changes
}

function compareCap(before: ScopeCap, after: Cap): readonly PolicyChange[] {
  const directions: Record<string, Direction> = {
    limit: compareBound(before.limit, after.limit),
    refill: compareRefill(before.periodSec, after.periodSec),
    lifetime: compareBound(before.lifetime, after.lifetime),
  }
  const differing = Object.keys(directions).filter((field) => directions[field] !== 'same')
  if (differing.length === 0) return []
  const isNow = differing.every((field) => field !== 'refill' && directions[field] === 'tighter')
  const { lifetimeLeft } = before.bucket
  // a cap that is set again counts its lifetime from then on
  const renews = !isNow && after.lifetime > lifetimeLeft && directions['lifetime'] === 'same'
  if (renews) directions['lifetime'] = 'looser'
  const fields = renews ? [...differing, 'lifetime'] : differing
  // what left already counts against a lower lifetime; a lifetime that was unbounded begins now
  const spent = before.lifetime === UINT256_MAX ? 0n : before.lifetime - lifetimeLeft
  const left = after.lifetime === UINT256_MAX ? UINT256_MAX : after.lifetime > spent ? after.lifetime - spent : 0n
  return [
    {
      of: 'cap',
      kind: kindOf(fields.map((field) => directions[field] ?? 'same')),
      when: isNow ? 'now' : 'after-delay',
      fields,
      steps: isNow
        ? [
            {
              call: 'lowerCap',
              key: capKeyOf(before.asset),
              limit: after.limit,
              lifetimeLeft: left < lifetimeLeft ? left : lifetimeLeft,
            },
          ]
        : [],
      before,
      after,
    },
  ]
}

/** A cap that bounds nothing: the nearest to none that the contract can hold. */
function liftedCap(cap: Cap | undefined): Cap {
  const asset: Address = cap?.asset ?? `0x${'0'.repeat(40)}`
  return { asset, limit: UINT128_MAX, periodSec: 1, lifetime: UINT256_MAX }
}

function isLifted({ limit, periodSec, lifetime }: Cap): boolean {
  return limit === UINT128_MAX && periodSec === 1 && lifetime === UINT256_MAX
}

function compareMembers(before: readonly Member[], after: readonly Member[]): readonly PolicyChange[] {
  const keyOf = ({ set, member }: Member) => `${set}:${member}`
  const wanted = new Set(after.map(keyOf))
  const present = new Set(before.map(keyOf))
  return [
    ...before
      .filter((member) => !wanted.has(keyOf(member)))
      .map(
        (member): PolicyChange => ({
          of: 'member',
          kind: 'removed',
          when: 'now',
          fields: [],
          steps: [{ call: 'removeMember', ...member }],
          member,
        }),
      ),
    ...after
      .filter((member) => !present.has(keyOf(member)))
      .map(
        (member): PolicyChange => ({ of: 'member', kind: 'added', when: 'after-delay', fields: [], steps: [], member }),
      ),
  ]
}

function compareDelay(before: number, after: number): readonly PolicyChange[] {
  if (after === KEEP_DELAY || after === before) return []
  const kind = after < before ? 'loosened' : 'tightened'
  return [{ of: 'delay', kind, when: 'after-delay', fields: ['delay'], steps: [], before, after }]
}

function kindOf(directions: readonly Direction[]): ChangeKind {
  if (directions.every((direction) => direction === 'tighter')) return 'tightened'
  return directions.every((direction) => direction === 'looser') ? 'loosened' : 'changed'
}

function compareBound(before: bigint, after: bigint): Direction {
  if (before === after) return 'same'
  return after < before ? 'tighter' : 'looser'
}

/** 0 is never. */
function compareExpiry(before: number, after: number): Direction {
  if (before === after) return 'same'
  if (before === 0 || after === 0) return after === 0 ? 'looser' : 'tighter'
  return after < before ? 'tighter' : 'looser'
}

/** 0 is never refilled, so it is the tightest. */
function compareRefill(before: number, after: number): Direction {
  if (before === after) return 'same'
  if (before === 0 || after === 0) return after === 0 ? 'tighter' : 'looser'
  return after > before ? 'tighter' : 'looser'
}

/** 0 is no limit. */
function compareCallLimit(before: number, after: number): Direction {
  if (before === after) return 'same'
  if (before === 0 || after === 0) return after === 0 ? 'looser' : 'tighter'
  return after < before ? 'tighter' : 'looser'
}

function comparePin(before: string, after: string): Direction {
  if (before === after) return 'same'
  if (before === NO_CODE_HASH) return 'tighter'
  return after === NO_CODE_HASH ? 'looser' : 'other'
}

function compareCharge(before: Rule, after: Rule): Direction {
  const none = `0x${'0'.repeat(40)}`
  const [left, right] = [before.spendAsset.toLowerCase(), after.spendAsset.toLowerCase()]
  if (left === right && (left === none || before.spendOffset === after.spendOffset)) return 'same'
  if (left === none) return 'tighter'
  return right === none ? 'looser' : 'other'
}

/** A call must meet all conditions, so one more is tighter and one less is looser. */
function compareConditions(before: readonly Condition[], after: readonly Condition[]): Direction {
  const keyOf = ({ offset, op, value }: Condition) => `${offset}:${op}:${value}`
  const [left, right] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const gone = before.filter((condition) => !right.has(keyOf(condition)))
  const fresh = after.filter((condition) => !left.has(keyOf(condition)))
  if (gone.length === 0 && fresh.length === 0) return 'same'
  if (gone.length === 0) return 'tighter'
  if (fresh.length === 0) return 'looser'
  const pairs = gone.map((condition) => compareBounds(condition, fresh))
  if (gone.length !== fresh.length || pairs.includes(undefined)) return 'other'
  const [first] = pairs
  return first !== undefined && pairs.every((pair) => pair === first) ? first : 'other'
}

/** Compares with the one bound of the same kind at the same place, if there is exactly one. */
function compareBounds(before: Condition, candidates: readonly Condition[]): Direction | undefined {
  const twins = candidates.filter(({ offset, op }) => offset === before.offset && op === before.op)
  const [twin] = twins
  if (twin === undefined || twins.length > 1) return undefined
  const operation = OPERATIONS[before.op]
  if (operation === 'AtMost') return compareBound(before.value, twin.value)
  return operation === 'AtLeast' ? compareBound(twin.value, before.value) : undefined
}
