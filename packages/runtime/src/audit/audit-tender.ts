import { mapInOrder } from '@oikos/core'
import {
  type AnyTaskEvent,
  getBlockMoment,
  getCredit,
  getSubmission,
  getTender,
  listTaskEvents,
  type SubmissionStatus,
  type TaskEvent,
  type Tender,
} from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import { type Address, type Client, isAddressEqual, zeroAddress } from 'viem'
import { type AuditedDelivery, auditDelivery, type BoundVersion, boundVersionOf } from './audit-delivery.ts'
import { auditPackage } from './audit-package.ts'
import type { BookLine } from './compare-books.ts'
import { type AuditFindings, addFinding, noAuditFindings, statusOfFindings } from './findings.ts'
import { dateChanges } from './judge-roles.ts'
import { AUDIT_SCHEMA, type AuditProgress, type TenderAuditReport } from './report.ts'
import type { RoleChange } from './roles.ts'

/** What a tender is audited with. */
export type AuditTenderOptions = {
  readonly task: Address
  readonly tokenId: bigint
  readonly resolver: ContentResolver
  /** First block; that of the mint or earlier. */
  readonly fromBlock: bigint
  readonly toBlock?: bigint
  readonly onProgress?: (progress: AuditProgress) => void
  readonly signal?: AbortSignal
}

/** Deliveries, versions, accounts and changes of one audit. */
const MAX_KEPT = 10_000
const CONCURRENCY = 8

/** A tender as its events add up. */
type TenderHistory = {
  owner: Address
  authority: Address
  updateAuthority: Address
  isFrozen: boolean
  isCancelled: boolean
  readonly versions: BoundVersion[]
  readonly submitted: TaskEvent<'FulfillmentSubmitted'>[]
  readonly states: Map<bigint, SubmissionStatus>
  readonly credits: Map<Address, bigint>
  readonly changes: RoleChange[]
  isCut: boolean
}

/**
 * Audits a tender: every version and delivery with its package and result, the powers over it, and its counts and credits
 * added up from events. Throws ContractRevertedError for a tender that is none, RpcError, the reason of an aborted signal.
 */
export async function auditTender(client: Client, options: AuditTenderOptions): Promise<TenderAuditReport> {
  const { task, tokenId, fromBlock, resolver, signal } = options
  const at = { task, tokenId, ...(options.toBlock !== undefined && { blockNumber: options.toBlock }) }
  const tender = await getTender(client, at)
  const toBlock = tender.blockNumber
  const { hash } = await getBlockMoment(client, toBlock)
  const findings = noAuditFindings()
  const history = await readHistory(client, options, toBlock)
  if (history.isCut)
    addFinding(findings, 'audit.incomplete', `task ${tokenId}`, `more than ${MAX_KEPT} events of a kind`)
  const context = { resolver, packages: new Map(), findings, taskURI: tender.taskURI, ...(signal && { signal }) }
  const versions: TenderAuditReport['versions'][number][] = []
  for (const bound of history.versions) {
    const earlier = history.versions.filter(({ version }) => version < bound.version)
    const where = `task ${tokenId}, version ${bound.version}`
    const demand = { ...bound, uri: tender.taskURI, history: earlier }
    versions.push({ ...bound, package: (await auditPackage(demand, where, context)).status })
  }
  const deliveries: AuditedDelivery[] = []
  for (const event of history.submitted) {
    signal?.throwIfAborted()
    deliveries.push(await auditDelivery(event, history.versions, context))
    options.onProgress?.({ block: toBlock, toBlock, actions: 0, deliveries: deliveries.length })
  }
  const lines = await compareTender(client, tender, history, findings)
  judgePowers(tender, history, findings)
  return {
    ...{ schema: AUDIT_SCHEMA, kind: 'tender', status: statusOfFindings(findings) },
    ...{ chainId: tender.chainId, task, tokenId, tender, versions, deliveries, lines, changes: history.changes },
    range: { fromBlock, toBlock, toBlockHash: hash, toBlockTimestampSec: tender.blockTimestampSec },
    counts: Object.fromEntries(findings.counts),
    findings: findings.list,
  }
}

async function readHistory(client: Client, options: AuditTenderOptions, toBlock: bigint): Promise<TenderHistory> {
  const { task, tokenId, signal, onProgress } = options
  const history: TenderHistory = {
    ...{
      owner: zeroAddress,
      authority: zeroAddress,
      updateAuthority: zeroAddress,
      isFrozen: false,
      isCancelled: false,
    },
    ...{ versions: [], submitted: [], states: new Map(), credits: new Map(), changes: [], isCut: false },
  }
  for (let from: bigint | undefined = options.fromBlock; from !== undefined; ) {
    signal?.throwIfAborted()
    const page = await listTaskEvents(client, { task, tokenId, fromBlock: from, toBlock })
    for (const event of page.events) apply(history, event)
    onProgress?.({ block: page.toBlock, toBlock, actions: 0, deliveries: history.submitted.length })
    from = page.nextFromBlock
  }
  await dateChanges(client, history)
  return history
}

function apply(history: TenderHistory, event: AnyTaskEvent): void {
  const { blockNumber, transactionHash } = event
  const note = (text: string): void => {
    if (history.changes.length < MAX_KEPT) history.changes.push({ blockNumber, transactionHash, text })
    else history.isCut = true
  }
  const credit = (account: Address, by: bigint): void => {
    if (history.credits.size >= MAX_KEPT && !history.credits.has(account)) history.isCut = true
    else history.credits.set(account, (history.credits.get(account) ?? 0n) + by)
  }
  switch (event.eventName) {
    case 'Transfer':
      history.owner = event.args.to
      note(`owner is ${event.args.to}`)
      break
    case 'AcceptanceAuthorityChanged':
      history.authority = event.args.newAuthority
      note(`judge is ${event.args.newAuthority}`)
      break
    case 'TaskUpdateAuthorityChanged':
      history.updateAuthority = event.args.newAuthority
      note(`the content is published by ${event.args.newAuthority}`)
      break
    case 'TaskUpdated':
      if (history.versions.length < MAX_KEPT) history.versions.push(boundVersionOf(event))
      else history.isCut = true
      note(`version ${event.args.version} is bound`)
      break
    case 'TaskFrozen':
      history.isFrozen = true
      note('the content is final')
      break
    case 'TenderCancelled':
      history.isCancelled = true
      note('cancelled')
      break
    case 'FulfillmentSubmitted':
      if (history.submitted.length >= MAX_KEPT) history.isCut = true
      else history.submitted.push(event)
      history.states.set(event.args.submissionId, 'pending')
      break
    case 'FulfillmentAccepted':
    case 'FulfillmentClaimedUnjudged':
      history.states.set(event.args.submissionId, 'accepted')
      break
    case 'FulfillmentRejected':
    case 'SubmissionReleased':
      history.states.set(event.args.submissionId, 'rejected')
      break
    case 'PayoutCredited':
      credit(event.args.fulfiller, event.args.amount)
      break
    case 'PayoutWithdrawn':
      credit(event.args.account, -event.args.amount)
      break
    default:
      break
  }
}

async function compareTender(
  client: Client,
  tender: Tender,
  history: TenderHistory,
  findings: AuditFindings,
): Promise<readonly BookLine[]> {
  const { task, tokenId, blockNumber } = tender
  const lines: BookLine[] = []
  const compare = (
    code: 'tender.deliveries' | 'tender.credit',
    what: string,
    derived: bigint,
    contract: bigint,
  ): void => {
    lines.push({ what, derived, contract })
    if (derived === contract) return
    addFinding(findings, code, `block ${blockNumber}`, `${what}: events give ${derived}, the contract ${contract}`)
  }
  const count = (wanted: SubmissionStatus): bigint =>
    BigInt([...history.states.values()].filter((status) => status === wanted).length)
  compare('tender.deliveries', 'deliveries', BigInt(history.states.size), tender.submissionCount)
  compare('tender.deliveries', 'pending', count('pending'), tender.pending)
  compare('tender.deliveries', 'completions', count('accepted'), tender.completions)
  for (const [account, derived] of history.credits) {
    const contract = await getCredit(client, { task, tokenId, creditor: account, blockNumber })
    compare('tender.credit', `credit of ${account}`, derived, contract)
  }
  await mapInOrder(history.submitted, CONCURRENCY, async ({ args }) => {
    const { submissionId, resultHash, taskVersion, fulfiller } = args
    const seen = await getSubmission(client, { task, tokenId, submissionId, blockNumber })
    const isSame =
      seen.resultHash === resultHash &&
      seen.taskVersion === taskVersion &&
      isAddressEqual(seen.fulfiller, fulfiller) &&
      seen.status === history.states.get(submissionId)
    if (!isSame) addFinding(findings, 'tender.deliveries', `delivery ${submissionId}`, 'event and contract differ')
  })
  return lines
}

function judgePowers(tender: Tender, history: TenderHistory, findings: AuditFindings): void {
  const where = `task ${tender.tokenId}`
  const last = history.versions.at(-1)
  const { binding } = tender
  if (last?.taskHash !== binding.taskHash || last.tdHash !== binding.tdHash || last.version !== binding.version) {
    const message = `events end with version ${last?.version ?? 'none'}, the contract has ${binding.version}`
    addFinding(findings, 'tender.binding', where, message)
  }
  const pairs: readonly (readonly [what: string, derived: unknown, contract: unknown])[] = [
    ['owner', history.owner, tender.owner],
    ['judge', history.authority, tender.acceptanceAuthority],
    ['publisher', history.updateAuthority, tender.updateAuthority],
    ['frozen', history.isFrozen, tender.frozen],
    ['cancelled', history.isCancelled, tender.cancelled],
  ]
  for (const [what, derived, contract] of pairs) {
    if (derived === contract) continue
    addFinding(findings, 'tender.powers', where, `${what}: events give ${derived}, the contract ${contract}`)
  }
  if (tender.balanceAtomic < tender.lockedAtomic) {
    addFinding(findings, 'tender.underfunded', where, `holds ${tender.balanceAtomic}, promised ${tender.lockedAtomic}`)
  }
  const judge = tender.acceptanceAuthority
  if (isAddressEqual(judge, tender.owner) || isAddressEqual(judge, tender.updateAuthority)) {
    addFinding(findings, 'roles.judge-owns', where, judge)
  }
  for (const { args } of history.submitted) {
    if (isAddressEqual(args.fulfiller, judge)) {
      addFinding(findings, 'roles.judge-delivers', `${where}, delivery ${args.submissionId}`, judge)
    }
  }
}
