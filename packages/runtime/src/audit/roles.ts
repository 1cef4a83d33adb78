import type { AnyAgentEvent } from '@oikos/sdk'
import { type Address, zeroAddress } from 'viem'

/** A power, who had it, and from which block to which; `toBlock` is absent while it lasts. */
export type RolePeriod = {
  readonly role: 'owner' | 'guardian' | 'executor' | 'fee recipient'
  readonly account: Address
  readonly fromBlock: bigint
  toBlock?: bigint
}

/** One change of powers, rules or guards, in words of ours. */
export type RoleChange = {
  readonly blockNumber: bigint
  /** Unix seconds; absent until the block was asked for. */
  timestampSec?: bigint
  readonly transactionHash: string
  readonly text: string
}

/** Roles of an Agent as events say, with their history. */
export type RoleHistory = {
  owner: Address
  guardian: Address
  feeRecipient: Address
  isPaused: boolean
  /** Terms that are not powers; undefined until an event tells. */
  readonly terms: {
    pendingOwner: Address
    corridorBpsPerDay: number
    minRequestAgeSec: number
    isHalted: boolean
    anchorRate: bigint | undefined
    fees: string | undefined
    agentURI: string
    readonly valuations: Set<Address>
  }
  readonly executors: Set<Address>
  readonly everExecutors: Set<Address>
  readonly periods: RolePeriod[]
  readonly changes: RoleChange[]
  /** Changes that were not kept. */
  omitted: number
}

/** Changes and periods that are kept. */
const MAX_ROLE_CHANGES = 5_000

/** Roles before the birth. */
export function createRoleHistory(): RoleHistory {
  const nobody = { owner: zeroAddress, guardian: zeroAddress, feeRecipient: zeroAddress }
  const sets = { executors: new Set<Address>(), everExecutors: new Set<Address>() }
  const guard = { corridorBpsPerDay: 0, minRequestAgeSec: 0, isHalted: false, anchorRate: undefined }
  const terms = { ...guard, pendingOwner: zeroAddress, fees: undefined, agentURI: '', valuations: new Set<Address>() }
  return { ...nobody, isPaused: false, terms, ...sets, periods: [], changes: [], omitted: 0 }
}

/**
 * Adds one event.
 * @returns the account of an action that was no Executor at that moment
 */
export function applyToRoles(history: RoleHistory, event: AnyAgentEvent): Address | undefined {
  const note = (text: string): void => noteChange(history, event, text)
  applyToTerms(history.terms, event)
  switch (event.eventName) {
    case 'OwnershipTransferStarted':
      note(`Owner offers the ownership to ${event.args.newOwner}`)
      break
    case 'OwnershipTransferred':
      replace(history, 'owner', event.args.newOwner, event.blockNumber)
      note(event.args.newOwner === zeroAddress ? 'ownership is renounced' : `Owner is ${event.args.newOwner}`)
      break
    case 'GuardianUpdated':
      replace(history, 'guardian', event.args.guardian, event.blockNumber)
      note(event.args.guardian === zeroAddress ? 'nobody is guardian' : `guardian is ${event.args.guardian}`)
      break
    case 'FeeRecipientUpdated':
      replace(history, 'fee recipient', event.args.recipient, event.blockNumber)
      note(`fees go to ${event.args.recipient}`)
      break
    case 'ExecutorUpdated': {
      const { executor, enabled } = event.args
      setExecutor(history, executor, enabled, event.blockNumber)
      note(`${executor} ${enabled ? 'becomes' : 'is no longer'} Executor`)
      break
    }
    case 'Paused':
    case 'Unpaused':
      history.isPaused = event.eventName === 'Paused'
      note(`${history.isPaused ? 'paused' : 'reopened'} by ${event.args.by}`)
      break
    case 'GuardUpdated':
      note(`corridor ${event.args.corridorBpsPerDay} bps a day, requests at least ${event.args.minRequestAgeSec} s old`)
      break
    case 'FeesUpdated':
      note(`fees ${event.args.mintFeeBps} bps of deposits, ${event.args.redeemFeeBps} bps of payouts`)
      break
    case 'RateConfirmed':
      note(`rate ${event.args.rate} confirmed by ${event.args.by}`)
      break
    case 'SettlementStopped':
      note(`settlement stopped itself: rate ${event.args.rate} left the corridor around ${event.args.anchor}`)
      break
    case 'ValuationAdded':
    case 'ValuationRemoved':
      note(`valuation ${event.args.valuation} ${event.eventName === 'ValuationAdded' ? 'added' : 'removed'}`)
      break
    case 'AgentURIUpdated':
      note('metadata changed')
      break
    case 'Executed':
      return actedWithout(history, event.args.executor)
    case 'Reasoned':
      return actedWithout(history, event.args.actor)
    default:
      break
  }
  return undefined
}

function applyToTerms(terms: RoleHistory['terms'], event: AnyAgentEvent): void {
  switch (event.eventName) {
    case 'OwnershipTransferStarted':
      terms.pendingOwner = event.args.newOwner
      break
    case 'OwnershipTransferred':
      terms.pendingOwner = zeroAddress
      break
    case 'GuardUpdated':
      terms.corridorBpsPerDay = event.args.corridorBpsPerDay
      terms.minRequestAgeSec = event.args.minRequestAgeSec
      break
    case 'SettlementStopped':
    case 'RateConfirmed':
      terms.isHalted = event.eventName === 'SettlementStopped'
      break
    case 'ExchangeRateUpdated':
      terms.anchorRate = event.args.newRate
      break
    case 'FeesUpdated':
      terms.fees = `${event.args.mintFeeBps} and ${event.args.redeemFeeBps} bps`
      break
    case 'ValuationAdded':
      terms.valuations.add(event.args.valuation)
      break
    case 'ValuationRemoved':
      terms.valuations.delete(event.args.valuation)
      break
    case 'AgentURIUpdated':
      terms.agentURI = event.args.newURI
      break
    default:
      break
  }
}

/** The account, where it was no Executor; the contract is asked about it at the end. */
function actedWithout(history: RoleHistory, account: Address): Address | undefined {
  if (history.executors.has(account)) return undefined
  history.everExecutors.add(account)
  return account
}

/** Keeps one change, in the order in which it is told. */
export function noteChange(
  history: RoleHistory,
  { blockNumber, transactionHash }: { readonly blockNumber: bigint; readonly transactionHash: string },
  text: string,
): void {
  if (history.changes.length >= MAX_ROLE_CHANGES) history.omitted += 1
  else history.changes.push({ blockNumber, transactionHash, text })
}

function replace(
  history: RoleHistory,
  role: Exclude<RolePeriod['role'], 'executor'>,
  account: Address,
  blockNumber: bigint,
): void {
  const open = history.periods.findLast((period) => period.role === role && period.toBlock === undefined)
  if (open !== undefined) open.toBlock = blockNumber
  if (account !== zeroAddress) openPeriod(history, role, account, blockNumber)
  if (role === 'owner') history.owner = account
  else if (role === 'guardian') history.guardian = account
  else history.feeRecipient = account
}

function setExecutor(history: RoleHistory, executor: Address, enabled: boolean, blockNumber: bigint): void {
  history.everExecutors.add(executor)
  const isExecutor = history.executors.has(executor)
  if (enabled && !isExecutor) {
    history.executors.add(executor)
    openPeriod(history, 'executor', executor, blockNumber)
  } else if (!enabled && isExecutor) {
    history.executors.delete(executor)
    const open = history.periods.findLast(
      ({ role, account, toBlock }) => role === 'executor' && account === executor && toBlock === undefined,
    )
    if (open !== undefined) open.toBlock = blockNumber
  }
}

function openPeriod(history: RoleHistory, role: RolePeriod['role'], account: Address, fromBlock: bigint): void {
  if (history.periods.length < MAX_ROLE_CHANGES) history.periods.push({ role, account, fromBlock })
  else history.omitted += 1
}
