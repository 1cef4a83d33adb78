import type { AnyAgentEvent } from '@oikos/sdk'
import { type Address, isAddressEqual, zeroAddress } from 'viem'

/** What an account has at an Agent, as events add up. Smallest units; of a mint, tokens go in and shares come out. */
export type LedgerAccount = {
  mintPending: bigint
  mintClaimable: bigint
  redeemPending: bigint
  redeemClaimable: bigint
}

/** The books of an Agent, as events add up. */
export type Ledger = {
  readonly agent: Address
  /** Accept Token that is there, as transfers add up; undefined where nobody knows what was there before. */
  held: bigint | undefined
  /** Accept Token: pending deposits, claimable payouts, fees owed. */
  reserve: bigint
  fees: bigint
  /** Shares that exist, those that are settled and not claimed, and those in escrow. */
  supply: bigint
  unclaimed: bigint
  escrow: bigint
  /** Accounts with anything that is not zero. */
  readonly accounts: Map<Address, LedgerAccount>
  /** Over the whole life: what went in and came out. */
  readonly totals: {
    deposited: bigint
    minted: bigint
    redeemed: bigint
    paid: bigint
    reclaimed: bigint
    fees: bigint
  }
  /** Details of the transaction that is read, which wait for their `Settled`. */
  readonly open: Map<string, bigint>
  transaction: string
}

/** The books of an Agent before its first event. */
export function createLedger(agent: Address): Ledger {
  const totals = { deposited: 0n, minted: 0n, redeemed: 0n, paid: 0n, reclaimed: 0n, fees: 0n }
  const amounts = { held: undefined, reserve: 0n, fees: 0n, supply: 0n, unclaimed: 0n, escrow: 0n }
  return { agent, ...amounts, accounts: new Map(), totals, open: new Map(), transaction: '' }
}

/**
 * Adds one event; events come in the order of the chain. Gives what contradicts an earlier event, in words.
 * Source: the emitting lines of AgentRequests.sol, AgentSettlement.sol and ShareToken.sol.
 */
export function applyToLedger(ledger: Ledger, event: AnyAgentEvent): readonly string[] {
  const problems: string[] = []
  if (event.transactionHash !== ledger.transaction) {
    for (const key of ledger.open.keys()) problems.push(`${ledger.transaction}: a settlement of ${key} is not told`)
    ledger.open.clear()
    ledger.transaction = event.transactionHash
  }
  const change = (account: Address, part: keyof LedgerAccount, by: bigint): void => {
    const before = ledger.accounts.get(account) ?? emptyAccount()
    const value = before[part] + by
    if (value < 0n) problems.push(`${account}: ${part} would be ${value}`)
    const after = { ...before, [part]: value }
    if (Object.values(after).every((amount) => amount === 0n)) ledger.accounts.delete(account)
    else ledger.accounts.set(account, after)
  }
  switch (event.eventName) {
    case 'MintRequested': {
      const { requester, assets } = event.args
      change(requester, 'mintPending', assets)
      ledger.reserve += assets
      ledger.totals.deposited += assets
      break
    }
    case 'RedeemRequested':
      change(event.args.requester, 'redeemPending', event.args.shares)
      break
    case 'SettlementDetail': {
      const { requester, kind, consumed, produced, fee } = event.args
      const [from, to] =
        kind === 0 ? (['mintPending', 'mintClaimable'] as const) : (['redeemPending', 'redeemClaimable'] as const)
      const pending = ledger.accounts.get(requester)?.[from] ?? 0n
      if (pending !== consumed) problems.push(`${requester}: ${consumed} settled of ${pending} pending`)
      change(requester, from, -consumed)
      change(requester, to, produced)
      ledger.fees += fee
      ledger.totals.fees += fee
      if (kind === 0) {
        ledger.reserve -= consumed - fee
        ledger.unclaimed += produced
      } else ledger.reserve += produced + fee
      ledger.open.set(`${requester} ${kind}`, produced)
      break
    }
    case 'Settled': {
      const { requester, kind, amount } = event.args
      const key = `${requester} ${kind}`
      const detail = ledger.open.get(key) ?? 0n
      if (detail !== amount) problems.push(`${requester}: settled ${amount}, and the detail says ${detail}`)
      ledger.open.delete(key)
      break
    }
    case 'SharesMinted': {
      const { requester, shares } = event.args
      change(requester, 'mintClaimable', -shares)
      ledger.unclaimed -= shares
      ledger.totals.minted += shares
      break
    }
    case 'SharesRedeemed': {
      const { requester, shares, assets } = event.args
      change(requester, 'redeemClaimable', -assets)
      ledger.reserve -= assets
      ledger.totals.redeemed += shares
      ledger.totals.paid += assets
      break
    }
    case 'Reclaimed': {
      const { requester, kind, amount } = event.args
      change(requester, kind === 0 ? 'mintPending' : 'redeemPending', -amount)
      if (kind === 0) {
        ledger.reserve -= amount
        ledger.totals.reclaimed += amount
      }
      break
    }
    case 'FeesClaimed':
      ledger.fees -= event.args.amount
      ledger.reserve -= event.args.amount
      break
    case 'Transfer':
      moveShares(ledger, event.args)
      break
    default:
      break
  }
  return problems
}

function moveShares(ledger: Ledger, { from, to, value }: { from: Address; to: Address; value: bigint }): void {
  if (isAddressEqual(from, zeroAddress)) ledger.supply += value
  if (isAddressEqual(to, zeroAddress)) ledger.supply -= value
  if (isAddressEqual(from, ledger.agent)) ledger.escrow -= value
  if (isAddressEqual(to, ledger.agent)) ledger.escrow += value
}

function emptyAccount(): LedgerAccount {
  return { mintPending: 0n, mintClaimable: 0n, redeemPending: 0n, redeemClaimable: 0n }
}
