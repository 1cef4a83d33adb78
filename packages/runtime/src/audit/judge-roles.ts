import { mapInOrder } from '@oikos/core'
import { type AgentSnapshot, getBlockMoment, isAgentExecutor } from '@oikos/sdk'
import { type Address, type Client, isAddressEqual, zeroAddress } from 'viem'
import { AUDIT_CODES } from './codes.ts'
import { type AuditFindings, addFinding } from './findings.ts'
import type { RoleHistory } from './roles.ts'

const CONCURRENCY = 8

/**
 * Compares roles and terms, as events tell them, with the contract at the last block, and names concentrations of power.
 * Throws RpcError and the reason of an aborted signal.
 */
export async function judgeRoles(
  client: Client,
  snapshot: AgentSnapshot,
  context: { readonly roles: RoleHistory; readonly findings: AuditFindings; readonly signal?: AbortSignal },
): Promise<void> {
  const { roles, findings } = context
  const { agent, blockNumber, owner, guardian } = snapshot
  const differ = (what: string, derived: string, contract: string): void => {
    if (derived === contract) return
    addFinding(findings, 'roles.differ', what, `events give ${derived}, the contract ${contract}`)
  }
  differ('owner', roles.owner, owner)
  differ('offered owner', roles.terms.pendingOwner, snapshot.pendingOwner)
  differ('guardian', roles.guardian, guardian)
  differ('fee recipient', roles.feeRecipient, snapshot.books.fees.recipient)
  differ('paused', String(roles.isPaused), String(snapshot.books.isPaused))
  await mapInOrder([...roles.everExecutors], CONCURRENCY, async (account) => {
    const isExecutor = await isAgentExecutor(client, { agent, account, blockNumber })
    differ(`executor ${account}`, String(roles.executors.has(account)), String(isExecutor))
  })
  context.signal?.throwIfAborted()
  judgeTerms(snapshot, roles.terms, findings)
  warnOfPowers(snapshot, roles, findings)
}

/** What is no power and decides about money all the same. Fees of the birth are in no event of the Agent. */
function judgeTerms({ agentURI, books }: AgentSnapshot, terms: RoleHistory['terms'], findings: AuditFindings): void {
  const { guard, fees } = books
  const differ = (what: string, derived: string, contract: string): void => {
    if (derived === contract) return
    addFinding(findings, 'terms.differ', what, `events give ${derived}, the contract ${contract}`)
  }
  const list = (accounts: Iterable<Address>): string => [...accounts].sort().join(', ') || 'none'
  differ('metadata', terms.agentURI, agentURI)
  differ('corridor', `${terms.corridorBpsPerDay} bps a day`, `${guard.corridorBpsPerDay} bps a day`)
  differ('least age of requests', `${terms.minRequestAgeSec} s`, `${guard.minRequestAgeSec} s`)
  differ('settlement halted', String(terms.isHalted), String(guard.isHalted))
  differ('anchor of the corridor', String(terms.anchorRate ?? books.initialRate), String(guard.anchorRate))
  differ('valuations', list(terms.valuations), list(books.valuations.map(({ valuation }) => valuation)))
  const charged = `${fees.mintFeeBps} and ${fees.redeemFeeBps} bps`
  differ('fees', terms.fees ?? charged, charged)
}

function warnOfPowers(snapshot: AgentSnapshot, roles: RoleHistory, findings: AuditFindings): void {
  const { agent, owner, guardian } = snapshot
  const executors = [...roles.executors]
  const acts = (account: Address): boolean => executors.some((executor) => isAddressEqual(executor, account))
  const isNobody = (account: Address): boolean => isAddressEqual(account, zeroAddress)
  const warn = (holds: boolean, code: Parameters<typeof addFinding>[1], account: Address): void => {
    if (holds) addFinding(findings, code, agent, isNobody(account) ? AUDIT_CODES[code][1] : account)
  }
  warn(acts(owner), 'roles.owner-executes', owner)
  warn(acts(guardian), 'roles.guardian-executes', guardian)
  warn(!isNobody(owner) && isAddressEqual(owner, guardian), 'roles.owner-guards', owner)
  warn(isNobody(guardian), 'roles.no-guardian', guardian)
  warn(isNobody(owner), 'roles.no-owner', owner)
  warn(!isNobody(owner) && snapshot.scopeDelaySec === 0, 'roles.no-delay', owner)
  warn(acts(roles.feeRecipient), 'roles.fees-to-executor', roles.feeRecipient)
}

/** Puts changes into the order of the chain and gives each the time of its block. Throws RpcError. */
export async function dateChanges(client: Client, { changes }: Pick<RoleHistory, 'changes'>): Promise<void> {
  changes.sort((a, b) => (a.blockNumber < b.blockNumber ? -1 : a.blockNumber > b.blockNumber ? 1 : 0))
  const blocks = [...new Set(changes.map(({ blockNumber }) => blockNumber))]
  const moments = await mapInOrder(blocks, CONCURRENCY, (block) => getBlockMoment(client, block))
  const times = new Map(moments.map(({ number, timestampSec }) => [number, timestampSec]))
  for (const change of changes) change.timestampSec = times.get(change.blockNumber) ?? 0n
}
