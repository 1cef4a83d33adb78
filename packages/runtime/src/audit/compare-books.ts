import { mapInOrder } from '@oikos/core'
import { getAgentBooks, getAgentPosition, OikosError } from '@oikos/sdk'
import type { Address, Client } from 'viem'
import type { AuditCode } from './codes.ts'
import { type AuditFindings, addFinding } from './findings.ts'
import type { Ledger, LedgerAccount } from './ledger.ts'

/** One amount of the books: what events add up to, and what the contract says. */
export type BookLine = {
  readonly what: string
  readonly derived: bigint
  readonly contract: bigint
}

/** The books at one chosen block. */
export type ComparedBooks = {
  readonly blockNumber: bigint
  readonly lines: readonly BookLine[]
  /** Accounts that are open, and how many of them were compared. */
  readonly openAccounts: number
  readonly comparedAccounts: number
}

/** Accounts that are compared at one block; two requests each. */
const MAX_COMPARED_ACCOUNTS = 1_000
const CONCURRENCY = 16

/**
 * Compares the books with the contract's views at a block. Differences become findings and stay in the lines.
 * @returns undefined where the node does not have the state of the block
 * @throws RpcError where the node does not answer
 */
export async function compareBooks(
  client: Client,
  ledger: Ledger,
  blockNumber: bigint,
  findings: AuditFindings,
): Promise<ComparedBooks | undefined> {
  const { agent } = ledger
  const at = { agent, blockNumber }
  let books: Awaited<ReturnType<typeof getAgentBooks>>
  try {
    books = await getAgentBooks(client, at)
  } catch (error) {
    if (!(error instanceof OikosError)) throw error
    addFinding(findings, 'books.unreadable', `block ${blockNumber}`, error.shortMessage)
    return undefined
  }
  const lines: BookLine[] = []
  const compare = (code: AuditCode, what: string, derived: bigint, contract: bigint): void => {
    if (derived !== contract || !what.startsWith('0x')) lines.push({ what, derived, contract })
    if (derived === contract) return
    addFinding(findings, code, `block ${blockNumber}`, `${what}: events give ${derived}, the contract ${contract}`)
  }
  if (ledger.held !== undefined) compare('books.balance', 'Accept Token held', ledger.held, books.balanceAtomic)
  compare('books.reserve', 'reserve', ledger.reserve, books.reserveAtomic)
  compare('books.supply', 'supply of shares', ledger.supply, books.supplyAtomic)
  compare('books.settled', 'shares settled, not claimed', ledger.unclaimed, books.unclaimedAtomic)
  compare('books.escrow', 'shares in escrow', ledger.escrow, books.escrowedAtomic)
  compare('books.fees', 'fees owed', ledger.fees, books.fees.owedAtomic)
  if (books.balanceAtomic < books.reserveAtomic) {
    const message = `holds ${books.balanceAtomic}, owes ${books.reserveAtomic}`
    addFinding(findings, 'books.reserve-broken', `block ${blockNumber}`, message)
  }
  const accounts = [...ledger.accounts].slice(0, MAX_COMPARED_ACCOUNTS)
  await mapInOrder(accounts, CONCURRENCY, async ([user, account]) => {
    const position = (kind: 'mint' | 'redeem') => getAgentPosition(client, { ...at, user, kind })
    const [mint, redeem] = await Promise.all([position('mint'), position('redeem')])
    compareAccount(compare, user, account, { mint, redeem })
  })
  if (accounts.length < ledger.accounts.size) {
    const message = `${ledger.accounts.size} accounts are open, ${accounts.length} were compared`
    addFinding(findings, 'books.partial', `block ${blockNumber}`, message)
  }
  return { blockNumber, lines, openAccounts: ledger.accounts.size, comparedAccounts: accounts.length }
}

type Positions = { readonly [kind in 'mint' | 'redeem']: { pendingAtomic: bigint; claimableAtomic: bigint } }

function compareAccount(
  compare: (code: AuditCode, what: string, derived: bigint, contract: bigint) => void,
  user: Address,
  account: LedgerAccount,
  { mint, redeem }: Positions,
): void {
  compare('books.pending', `${user} deposit pending`, account.mintPending, mint.pendingAtomic)
  compare('books.claimable', `${user} shares claimable`, account.mintClaimable, mint.claimableAtomic)
  compare('books.pending', `${user} shares pending`, account.redeemPending, redeem.pendingAtomic)
  compare('books.claimable', `${user} payout claimable`, account.redeemClaimable, redeem.claimableAtomic)
}
