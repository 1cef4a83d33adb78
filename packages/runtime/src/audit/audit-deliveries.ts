import { mapInOrder } from '@oikos/core'
import {
  type AgentSnapshot,
  getAcceptanceAuthority,
  getTaskURI,
  listFulfillmentSubmitted,
  listTaskUpdated,
  OikosError,
  type TaskEvent,
} from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import { type Address, type Client, isAddressEqual } from 'viem'
import { type AuditedDelivery, auditDelivery, type BoundVersion, boundVersionOf } from './audit-delivery.ts'
import type { PackageVerdicts } from './audit-package.ts'
import { type AuditFindings, addFinding, noAuditFindings } from './findings.ts'
import type { RoleHistory } from './roles.ts'

/** How far the deliveries of an Agent were audited. Plain data, so that it goes into a checkpoint. */
export type DeliveryState = {
  /** The first of them, and later ones that are not verified, as far as there is room. */
  readonly listed: AuditedDelivery[]
  readonly counts: { total: number; verified: number; refused: number; unavailable: number }
  /** Task contracts that are done. */
  readonly done: Set<Address>
  /** Where the current one goes on: the page from a block, without the events of it that are done. */
  cursor: { fromBlock: bigint; taken: number; found: number } | undefined
  /** Tenders whose judge was looked at. */
  readonly judged: Set<string>
}

/** Deliveries that a report lists, and later ones that are not verified. */
const MAX_LISTED = 2_000
/** Deliveries that are looked at: a contract that an Agent called once can tell of as many as it likes. */
const MAX_DELIVERIES = 100_000
/** Deliveries between two checkpoints, and deliveries at the same time. */
const STEP = 64
const CONCURRENCY = 8
/** Versions of one tender that are read, tenders whose versions are remembered, tenders whose judge is looked at. */
const MAX_VERSIONS = 10_000
const MAX_TENDERS = 100
const MAX_JUDGED = 10_000

/** Before the first delivery. */
export function createDeliveryState(): DeliveryState {
  const counts = { total: 0, verified: 0, refused: 0, unavailable: 0 }
  return { listed: [], counts, done: new Set(), cursor: undefined, judged: new Set() }
}

type Context = {
  readonly fromBlock: bigint
  readonly resolver: ContentResolver
  readonly roles: RoleHistory
  readonly findings: AuditFindings
  readonly packages: PackageVerdicts
  readonly deliveries: DeliveryState
  /** Task contracts with the number of calls that delivered to them. */
  readonly markets: ReadonlyMap<Address, number>
  readonly save: () => Promise<void>
  readonly signal?: AbortSignal
}

/**
 * Audits every delivery of an Agent to the task contracts that its actions called: the package at the version that it cites,
 * and the result. Throws RpcError and the reason of an aborted signal.
 */
export async function auditDeliveries(client: Client, snapshot: AgentSnapshot, context: Context): Promise<void> {
  const { deliveries, markets, findings } = context
  for (const [task, calls] of markets) {
    if (deliveries.done.has(task)) continue
    const found = await auditMarket(client, snapshot, task, context)
    if (found < calls) {
      const message = `${calls} calls delivered, ${found} deliveries are told`
      addFinding(findings, 'delivery.unseen', `task contract ${task}`, message)
    }
    if (found > calls) {
      const message = `${found} deliveries are told, ${calls} calls delivered`
      addFinding(findings, 'delivery.unexplained', `task contract ${task}`, message)
    }
    deliveries.done.add(task)
    deliveries.cursor = undefined
    await context.save()
  }
}

async function auditMarket(client: Client, snapshot: AgentSnapshot, task: Address, context: Context): Promise<number> {
  const { deliveries, signal } = context
  const { agent: fulfiller, blockNumber: toBlock } = snapshot
  const tenders = new Map<bigint, Promise<DeliveredTender>>()
  const tenderOf = (tokenId: bigint): Promise<DeliveredTender> => {
    const known = tenders.get(tokenId)
    if (known !== undefined) return known
    const read = readTender(client, snapshot, { task, tokenId }, context)
    if (tenders.size < MAX_TENDERS) tenders.set(tokenId, read)
    return read
  }
  let { fromBlock, taken, found } = deliveries.cursor ?? { fromBlock: context.fromBlock, taken: 0, found: 0 }
  for (let from: bigint | undefined = fromBlock; from !== undefined; ) {
    signal?.throwIfAborted()
    const page = await listFulfillmentSubmitted(client, { task, fulfiller, fromBlock: from, toBlock })
    while (taken < page.events.length) {
      if (deliveries.counts.total >= MAX_DELIVERIES) {
        const message = `more than ${MAX_DELIVERIES} deliveries`
        addFinding(context.findings, 'audit.incomplete', `task contract ${task}`, message)
        return found
      }
      const part = page.events.slice(taken, taken + STEP)
      await auditPart(part, tenderOf, context)
      taken += part.length
      found += part.length
      deliveries.cursor = { fromBlock: from, taken, found }
      await context.save()
    }
    taken = 0
    from = page.nextFromBlock
    if (from !== undefined) deliveries.cursor = { fromBlock: from, taken, found }
  }
  return found
}

async function auditPart(
  events: readonly TaskEvent<'FulfillmentSubmitted'>[],
  tenderOf: (tokenId: bigint) => Promise<DeliveredTender>,
  { resolver, packages, findings, deliveries, signal }: Context,
): Promise<void> {
  const audited = await mapInOrder(events, CONCURRENCY, async (event) => {
    const tender = await tenderOf(event.args.tokenId)
    const own = noAuditFindings()
    const delivery = await auditDelivery(event, tender.versions, {
      ...{ resolver, packages, findings: own },
      ...(tender.taskURI !== undefined && { taskURI: tender.taskURI }),
      ...(signal && { signal }),
    })
    return { own, delivery }
  })
  // findings are added in the order of the chain, whoever answered first
  for (const { own, delivery } of audited) {
    for (const { code, where, message } of own.list) addFinding(findings, code, where, message)
    deliveries.counts.total += 1
    deliveries.counts[delivery.package] += 1
    const isVerified = delivery.package === 'verified' && delivery.result === 'verified'
    const room = deliveries.counts.total <= MAX_LISTED || !isVerified ? 2 * MAX_LISTED : 0
    if (deliveries.listed.length < room) deliveries.listed.push(delivery)
  }
}

type DeliveredTender = { readonly versions: readonly BoundVersion[]; readonly taskURI: string | undefined }

/** The bindings of a tender, from the first block on: it is older than a delivery to it. The contract is a stranger. */
async function readTender(
  client: Client,
  snapshot: AgentSnapshot,
  { task, tokenId }: { readonly task: Address; readonly tokenId: bigint },
  { findings, roles, deliveries }: Context,
): Promise<DeliveredTender> {
  const { blockNumber: toBlock } = snapshot
  const at = { task, tokenId, blockNumber: toBlock }
  const [taskURI, judge] = await Promise.all([
    orUndefined(getTaskURI(client, at)),
    orUndefined(getAcceptanceAuthority(client, at)),
  ])
  const name = `task contract ${task}, task ${tokenId}`
  if (judge !== undefined && !deliveries.judged.has(name) && deliveries.judged.size < MAX_JUDGED) {
    deliveries.judged.add(name)
    const own = [snapshot.owner, snapshot.guardian, ...roles.executors]
    if (own.some((account) => isAddressEqual(account, judge))) addFinding(findings, 'roles.own-judge', name, judge)
  }
  const versions: BoundVersion[] = []
  for (let from: bigint | undefined = 0n; from !== undefined; ) {
    const page = await listTaskUpdated(client, { task, tokenId, fromBlock: from, toBlock })
    versions.push(...page.events.map(boundVersionOf))
    if (versions.length > MAX_VERSIONS) {
      addFinding(findings, 'audit.incomplete', name, `over ${MAX_VERSIONS} versions`)
      return { versions: versions.slice(0, MAX_VERSIONS), taskURI }
    }
    from = page.nextFromBlock
  }
  return { versions, taskURI }
}

/** A contract that does not answer has said nothing; a node that does not answer is an error. */
async function orUndefined<value>(answer: Promise<value>): Promise<value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof OikosError && !error.retryable) return undefined
    throw error
  }
}
