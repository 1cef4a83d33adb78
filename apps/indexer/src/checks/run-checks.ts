import type { ContentResolver } from '@oikos/sdk/content'
import { type Client, createClient, http } from 'viem'
import { createContractReader } from '../chain/read-contract.ts'
import type { IndexPlan } from '../plan/index-plan.ts'
import {
  type Activity,
  activityPageSchema,
  type Citation,
  citationPageSchema,
  packagePageSchema,
  type TaskPackage,
} from '../rest/types.ts'
import { checkPackage } from './check-package.ts'
import { checkRecord } from './check-record.ts'
import {
  type CheckOutcome,
  type CheckStore,
  type DueCheck,
  packageKey,
  type Reconciliation,
  recordKey,
} from './check-store.ts'
import { HEARTBEAT_MARK } from './heartbeat.ts'
import type { IndexClient } from './index-client.ts'
import { isForgotten, reconcileAgent } from './reconcile-agent.ts'
import { reconcileTender } from './reconcile-tender.ts'
import { retryAt } from './retry.ts'

/** Rows that are asked for at once, and pages of one round. */
const PAGE = 200
const MAX_PAGES = 10

/** Checks and reconciliations of one round, and how many checks are made at the same time. */
const MAX_DUE = 40
const MAX_RECONCILED = 40
const CONCURRENCY = 4

/** Known differences of one round that are compared again. */
const MAX_DIFFERING = 10

/** Contracts that wait to be compared, at most; those beyond come back with their next event. */
const MAX_DIRTY = 20_000

/** What the checking process works with. */
export type ChecksOptions = {
  readonly plan: IndexPlan
  readonly index: IndexClient
  readonly store: CheckStore
  readonly resolver: ContentResolver
  readonly signal: AbortSignal
  /** Pause between two rounds. */
  readonly pauseMs: number
  readonly nowSec?: () => number
  /** Told of a round that failed; the next one begins where that one stopped. */
  readonly onError: (error: unknown) => void
}

/** Checks records and packages and compares the index with the chains, round after round until the signal aborts. */
export async function runChecks(options: ChecksOptions): Promise<void> {
  const { signal, pauseMs, onError } = options
  const round = createRound(options)
  while (!signal.aborted) {
    try {
      await round()
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, pauseMs)
      function done(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
    })
  }
}

/** One round: what is new, what is due, what changed. */
function createRound(options: ChecksOptions): () => Promise<void> {
  const { plan, index, store } = options
  const nowSec = options.nowSec ?? (() => Math.floor(Date.now() / 1_000))
  const clients = new Map<number, Client>()
  const readers = new Map(plan.chains.map(({ chainId, rpcUrls }) => [chainId, createContractReader(rpcUrls)]))
  for (const { chainId, rpcUrls } of plan.chains) clients.set(chainId, createClient({ transport: http(rpcUrls[0]) }))
  const dirty = new Map<string, Pick<Activity, 'chainId' | 'contract' | 'tokenId'>>()
  /** What differed once, by key: a reorganisation that the index has not seen yet looks like a difference, and passes. */
  const suspected = new Map<string, string>()

  /** Everything behind a mark, and the newest page again: a reorganisation may put rows before the mark. */
  const collect = async <item>(
    name: string,
    ask: (query: string) => Promise<{ items: item[]; nextCursor: string | null }>,
    take: (item: item) => Promise<void>,
  ): Promise<void> => {
    for (const item of (await ask(`order=desc&limit=${PAGE}`)).items) await take(item)
    let cursor = await store.mark(name)
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, nextCursor } = await ask(`limit=${PAGE}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      for (const item of items) await take(item)
      if (nextCursor === null) return
      cursor = nextCursor
      await store.setMark(name, cursor)
    }
  }

  const wantRecord = ({ record, ...cited }: Citation): Promise<void> => {
    const { chainId, agent, place } = cited
    // the verdict that is shown with it is ours, and no part of what is to be checked
    const subject: Citation = { ...cited, record: { ...record, verdict: UNCHECKED } }
    return store.want('record', recordKey(chainId, agent, place.tx, record.hash), JSON.stringify(subject), nowSec())
  }
  const wantPackage = (one: TaskPackage): Promise<void> =>
    store.want(
      'package',
      packageKey(one.chainId, one.contract, one.tokenId, one.version),
      JSON.stringify(one),
      nowSec(),
    )
  const note = async ({ chainId, contract, tokenId }: Activity): Promise<void> => {
    if (dirty.size < MAX_DIRTY) dirty.set(`${chainId}:${contract}:${tokenId ?? ''}`, { chainId, contract, tokenId })
  }

  const checkOne = async (due: DueCheck): Promise<void> => {
    const outcome = await judge(due, options, clients)
    const at = nowSec()
    await store.settle(due.key, { ...outcome, retryAtSec: retryAt(outcome.state, due.attempts, at) }, at)
  }

  const reconcileOne = async (key: string): Promise<void> => {
    const about = dirty.get(key)
    const reader = about === undefined ? undefined : readers.get(about.chainId)
    if (about === undefined || reader === undefined) return
    const { chainId, contract, tokenId } = about
    const tools = { index, reader, nowSec }
    try {
      const result =
        tokenId === null
          ? await reconcileAgent(tools, chainId, contract)
          : await reconcileTender(tools, chainId, contract, tokenId)
      // undefined: it changed while it was compared, and stays on the list
      if (result === undefined) return
      const doubts = doubtsOf(result)
      if (doubts !== '' && suspected.get(key) !== doubts) {
        suspected.set(key, doubts)
        return
      }
      suspected.delete(key)
      await store.keepReconciliation(result)
    } catch (error) {
      if (!isForgotten(error)) throw error
    }
    dirty.delete(key)
  }

  return async () => {
    // each chain by itself: their clocks run apart, and one mark for all would pass over the slower ones
    for (const { chainId } of plan.chains) {
      const of = (list: string): string => `/v1/${list}?chainId=${chainId}&`
      const mark = (list: string): string => `${list}:${chainId}`
      await collect(mark('citations'), (query) => index.ask(of('citations') + query, citationPageSchema), wantRecord)
      await collect(mark('packages'), (query) => index.ask(of('packages') + query, packagePageSchema), wantPackage)
      await collect(mark('activity'), (query) => index.ask(of('activity') + query, activityPageSchema), note)
    }
    await inParallel(await store.due(nowSec(), MAX_DUE), checkOne)
    for (const { chainId, contract, tokenId } of await store.differing(MAX_DIFFERING)) {
      dirty.set(`${chainId}:${contract}:${tokenId}`, { chainId, contract, tokenId: tokenId === '' ? null : tokenId })
    }
    await inParallel([...dirty.keys()].slice(0, MAX_RECONCILED), reconcileOne)
    await store.setMark(HEARTBEAT_MARK, String(nowSec()))
  }
}

/** What differs, as text that is the same when the same differs again; empty where nothing does. */
function doubtsOf({ block, differences }: Reconciliation): string {
  const doubts = differences.filter(({ kind }) => kind === 'difference')
  return doubts.length === 0
    ? ''
    : JSON.stringify([block, doubts.map(({ subject, field, indexed, onChain }) => [subject, field, indexed, onChain])])
}

const UNCHECKED: Citation['record']['verdict'] = {
  ...{ state: 'pending', codes: [], checkedAtSec: null, attempts: 0, retryAtSec: null, from: null },
}

async function judge(
  { kind, subject }: DueCheck,
  { plan, index, resolver, signal }: ChecksOptions,
  clients: ReadonlyMap<number, Client>,
): Promise<Omit<CheckOutcome, 'retryAtSec'>> {
  switch (kind) {
    case 'package':
      return checkPackage(subject, { index, resolver, signal })
    case 'record': {
      const { chainId } = JSON.parse(subject) as { chainId: number }
      const client = clients.get(chainId)
      if (client === undefined) throw new Error(`chain ${chainId} is not one of ${plan.chains.length} that are planned`)
      return checkRecord(subject, { client, resolver, signal })
    }
    default: {
      const never: never = kind
      throw new Error(`unknown check ${String(never)}`)
    }
  }
}

async function inParallel<item>(items: readonly item[], work: (item: item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}
