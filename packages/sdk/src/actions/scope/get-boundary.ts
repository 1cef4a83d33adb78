import {
  capKeyOf,
  type Member,
  type Policy,
  type ScopeCap,
  type ScopeRule,
  type ScopeState,
} from '@oikos/core/scope-policy'
import { type Address, type Client, type Hash, maxUint256 } from 'viem'
import { OikosError } from '../../errors/oikos-error.ts'
import { collectEvents } from '../../events/collect-events.ts'
import { listScopeEvents } from '../../events/scope/all-scope-events.ts'
import type { AnyScopeEvent } from '../../events/scope/define-scope-event.ts'
import { getBlockMoment } from '../block.ts'
import { mapBounded } from '../page.ts'
import { getPolicyReadyAt } from './get-policy-ready-at.ts'
import { getRuleKeys } from './get-rule-keys.ts'
import { getScopeBounds } from './get-scope-bounds.ts'
import { getScopeBucket } from './get-scope-bucket.ts'
import { getScopeConfig } from './get-scope-config.ts'
import { getScopeRule } from './get-scope-rule.ts'
import { isScopeMember } from './is-scope-member.ts'
import type { ScopeReadParameters } from './read-scope.ts'
import { replayRevision } from './replay-revision.ts'

/** A change that was proposed and is neither applied nor withdrawn. */
export type PendingChange = {
  readonly changeId: Hash
  readonly change: Policy
  /** From when on it can be enacted, in unix seconds. */
  readonly readyAtSec: bigint
  /** Last second in which it can be enacted. */
  readonly lapsesAtSec: bigint
  readonly state: 'waiting' | 'ready' | 'lapsed'
}

/** The whole boundary of an Agent, all at one block. */
export type Boundary = {
  readonly scope: Address
  readonly agent: Address
  readonly blockNumber: bigint
  readonly blockTimestampSec: bigint
  /** Rolling hash of every change that took effect. */
  readonly revision: Hash
  /** Rules, caps, members and the delay of changes, as `core` compares, writes and judges them. */
  readonly state: ScopeState
  readonly pending: readonly PendingChange[]
  /**
   * Whether the events that name caps, members and proposals are all of them: their rolling hash is that of the contract.
   * Rules are listed by the contract itself.
   */
  readonly isComplete: boolean
}

/** Parameters of {@link getBoundary}. */
export type GetBoundaryParameters = ScopeReadParameters & {
  /** First block that is read; the birth of the Agent is early enough. */
  fromBlock: bigint
}

/** Things that are read at the same time. */
const CONCURRENCY = 20

/**
 * The boundary of an Agent. The contract lists rules; caps, members and proposals are named by events, and every one is
 * read from the contract.
 * @throws ContractRevertedError, NoContractError, WrongChainError, RpcError
 */
export async function getBoundary(client: Client, parameters: GetBoundaryParameters): Promise<Boundary> {
  const { scope, agent } = parameters
  const block = await getBlockMoment(client, parameters.blockNumber)
  const at = { ...parameters, blockNumber: block.number }
  const [config, bounds, rules, history] = await Promise.all([
    getScopeConfig(client, at),
    getScopeBounds(client, at),
    readRules(client, at),
    collectEvents(parameters.fromBlock, (fromBlock) =>
      listScopeEvents(client, { ...{ scope, agent, fromBlock }, toBlock: block.number }),
    ),
  ])
  const { events } = history
  const [caps, members, pending] = await Promise.all([
    readCaps(client, at, events),
    readMembers(client, at, events),
    readPending(client, at, events, { nowSec: block.timestampSec, graceSec: bounds.graceSec }),
  ])
  return {
    ...{ scope, agent, blockNumber: block.number, blockTimestampSec: block.timestampSec },
    ...{ revision: config.revision, state: { rules, caps, members, delaySec: config.delaySec }, pending },
    isComplete: history.isComplete && replayRevision(events) === config.revision,
  }
}

async function readRules(client: Client, at: ScopeReadParameters): Promise<readonly ScopeRule[]> {
  const keys = await getRuleKeys(client, at)
  const rules = await mapBounded(keys, CONCURRENCY, (key) => getScopeRule(client, { ...at, key }))
  return rules.filter((rule) => rule !== undefined)
}

/** What a cap was set to, as its history tells: the lifetime counts from when it was set, not from when it was lowered. */
type SetCap = { readonly asset: Address; readonly lifetime: bigint; readonly leftAt?: { block: bigint; left: bigint } }

/** The contract keeps what is left of a lifetime; what it was set to is in the events. */
async function readCaps(
  client: Client,
  at: ScopeReadParameters,
  events: readonly AnyScopeEvent[],
): Promise<readonly ScopeCap[]> {
  const lifetimes = new Map<Hash, SetCap>()
  for (const { eventName, args, blockNumber } of events) {
    if (eventName === 'PolicyApplied') {
      for (const { asset, lifetime } of args.policy.caps) lifetimes.set(capKeyOf(asset), { asset, lifetime })
    } else if (eventName === 'CapLowered') {
      const cap = lifetimes.get(args.key)
      if (cap === undefined) continue
      const spent = await spentBefore(client, { ...at, key: args.key }, cap, blockNumber)
      const lifetime = args.lifetimeLeft === maxUint256 ? maxUint256 : args.lifetimeLeft + spent
      lifetimes.set(args.key, { ...cap, lifetime, leftAt: { block: blockNumber, left: args.lifetimeLeft } })
    }
  }
  const caps = await mapBounded(
    [...lifetimes],
    CONCURRENCY,
    async ([key, { asset, lifetime }]): Promise<ScopeCap[]> => {
      const bucket = await getScopeBucket(client, { ...at, key })
      if (bucket === undefined) return []
      const { available: _, ...stored } = bucket
      return [{ asset, lifetime, limit: bucket.limit, periodSec: bucket.periodSec, bucket: stored }]
    },
  )
  return caps.flat()
}

/**
 * What had left of a cap's lifetime when it was lowered. A node that keeps no state of that block cannot say; then the
 * lifetime counts from the lowering, which makes it look tighter than it was set, never looser.
 */
async function spentBefore(
  client: Client,
  at: ScopeReadParameters & { key: Hash },
  { lifetime, leftAt }: SetCap,
  block: bigint,
): Promise<bigint> {
  if (lifetime === maxUint256) return 0n
  if (leftAt?.block === block) return lifetime - leftAt.left
  try {
    const bucket = await getScopeBucket(client, { ...at, blockNumber: block - 1n })
    return bucket === undefined ? 0n : lifetime - bucket.lifetimeLeft
  } catch (error) {
    if (error instanceof OikosError) return 0n
    throw error
  }
}

async function readMembers(
  client: Client,
  at: ScopeReadParameters,
  events: readonly AnyScopeEvent[],
): Promise<readonly Member[]> {
  const named = new Map<string, Member>()
  for (const { eventName, args } of events) {
    if (eventName !== 'PolicyApplied') continue
    for (const entry of args.policy.members) named.set(`${entry.set} ${entry.member}`, entry)
  }
  const members = await mapBounded([...named.values()], CONCURRENCY, async (entry) =>
    (await isScopeMember(client, { ...at, ...entry })) ? [entry] : [],
  )
  return members.flat()
}

async function readPending(
  client: Client,
  at: ScopeReadParameters,
  events: readonly AnyScopeEvent[],
  clock: { nowSec: bigint; graceSec: bigint },
): Promise<readonly PendingChange[]> {
  const proposed = new Map<Hash, Policy>()
  for (const event of events) {
    if (event.eventName === 'PolicyProposed') proposed.set(event.args.changeId, event.args.policy)
    else if (event.eventName === 'PolicyApplied' || event.eventName === 'PolicyWithdrawn') {
      proposed.delete(event.args.changeId)
    }
  }
  const pending = await mapBounded([...proposed], CONCURRENCY, async ([changeId, change]): Promise<PendingChange[]> => {
    const readyAtSec = await getPolicyReadyAt(client, { ...at, changeId })
    if (readyAtSec === 0n) return []
    const lapsesAtSec = readyAtSec + clock.graceSec
    const state = clock.nowSec < readyAtSec ? 'waiting' : clock.nowSec <= lapsesAtSec ? 'ready' : 'lapsed'
    return [{ changeId, change, readyAtSec, lapsesAtSec, state }]
  })
  return pending.flat()
}
