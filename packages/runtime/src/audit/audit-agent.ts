import { mapInOrder } from '@oikos/core'
import {
  type AgentSnapshot,
  type AnyAgentEvent,
  getAgent,
  getAssetMetadata,
  getBlockMoment,
  groupCitations,
  listAgentEvents,
} from '@oikos/sdk'
import type { ContentResolver } from '@oikos/sdk/content'
import { type Address, type Client, type Hash, toFunctionSelector } from 'viem'
import { type AuditedAction, auditAction } from './audit-action.ts'
import { auditDeliveries, createDeliveryState, type DeliveryState } from './audit-deliveries.ts'
import type { AuditedPayment } from './audit-evidence-link.ts'
import { auditMetadata } from './audit-metadata.ts'
import type { PackageVerdicts } from './audit-package.ts'
import { type AuditedScope, auditScope } from './audit-scope.ts'
import { type CheckpointStore, decodeState, encodeState } from './checkpoint.ts'
import { AUDIT_CODES } from './codes.ts'
import { type ComparedBooks, compareBooks } from './compare-books.ts'
import { type AuditFindings, addFinding, noAuditFindings, statusOfFindings } from './findings.ts'
import { dateChanges, judgeRoles } from './judge-roles.ts'
import { applyToLedger, createLedger, type Ledger } from './ledger.ts'
import { type AgentAuditReport, AUDIT_SCHEMA, type AuditProgress } from './report.ts'
import { applyToRoles, createRoleHistory, type RoleHistory } from './roles.ts'
import { checkOutflows, heldBefore, listTokenMoves, type TokenMove } from './token-moves.ts'

/** What an Agent is audited with. */
export type AuditAgentOptions = {
  readonly agent: Address
  readonly resolver: ContentResolver
  /** First block; the birth of the Agent or earlier. */
  readonly fromBlock: bigint
  /** Last block; default the latest. */
  readonly toBlock?: bigint
  /** More blocks at which the books are compared; the last one always is. At most {@link MAX_CHOSEN_BLOCKS}. */
  readonly booksAt?: readonly bigint[]
  readonly knownImplementations?: readonly Address[]
  readonly checkpoint?: CheckpointStore
  /** Actions of one step, rounded up to whole blocks. Default 256. */
  readonly actionsPerStep?: number
  /** Moves of the Accept Token of one page, unless it is one block. Default 20,000. */
  readonly maxMovesPerPage?: number
  readonly onProgress?: (progress: AuditProgress) => void
  readonly signal?: AbortSignal
}

/** Blocks at which the books are compared. */
export const MAX_CHOSEN_BLOCKS = 100
/** Actions of one audit; a record of each is remembered by its hash, about 250 bytes. */
const MAX_ACTIONS = 1_000_000
/** Actions and payments that a report lists, and later ones with a fault or gap. */
const MAX_LISTED = 2_000
/** Records that are fetched at the same time; each has 256 KiB at most. */
const CONCURRENCY = 24
const ACTIONS_PER_STEP = 256
/** A checkpoint is due after one step, and after this part of all actions so far, so that checkpoints cost a linear time. */
const CHECKPOINT_PART = 8
/** Events above which a page covers half as many blocks, so that busy blocks do not fill the memory. */
const MANY_EVENTS = 1_000
/** Moves of the Accept Token with which a page is asked for again with fewer blocks. */
const MANY_MOVES = 20_000
/** Blocks of the first page, and of the largest, which is as many as a listing asks for. */
const FIRST_SPAN = 4n
const MAX_SPAN = 32_768n
/** Task contracts that an Agent delivers to and that are followed; of more, the audit is incomplete. */
const MAX_MARKETS = 16

const SUBMIT = toFunctionSelector('submitFulfillment(uint256,bytes32,string)')

/** Form of {@link State}; a checkpoint of another form is not used. */
const STATE_FORM = 'oikos-audit-state/2'

/** All that an audit remembers between two steps. */
type State = {
  readonly key: string
  nextBlock: bigint
  /** Actions at the last checkpoint. */
  savedAt: number
  readonly findings: AuditFindings
  readonly ledger: Ledger
  readonly roles: RoleHistory
  readonly seen: Map<Hash, Hash>
  /** Task contracts with the number of calls that delivered to them. */
  readonly markets: Map<Address, number>
  readonly deliveries: DeliveryState
  readonly packages: PackageVerdicts
  readonly counts: { total: number; verified: number; refused: number; unavailable: number }
  readonly listed: AuditedAction[]
  readonly payments: AuditedPayment[]
  readonly books: ComparedBooks[]
}

/**
 * Audits all that an Agent did, from a node and gateways alone. Events come in ranges of blocks, and after each step the state
 * goes to the checkpoint, from which a later call goes on. Whoever gives content is believed in nothing; the node is believed
 * in what it says of the chain.
 * @throws ContractRevertedError, NoContractError for an address that is no Agent; RpcError; the reason of an aborted signal
 */
export async function auditAgent(client: Client, options: AuditAgentOptions): Promise<AgentAuditReport> {
  const { agent, fromBlock } = options
  const snapshot = await getAgent(client, {
    agent,
    ...(options.toBlock !== undefined && { blockNumber: options.toBlock }),
  })
  const toBlock = snapshot.blockNumber
  const { hash } = await getBlockMoment(client, toBlock)
  const range = { fromBlock, toBlock, toBlockHash: hash, toBlockTimestampSec: snapshot.blockTimestampSec }
  const chosen = [...new Set([...(options.booksAt ?? []).slice(0, MAX_CHOSEN_BLOCKS), toBlock])]
    .filter((block) => block >= fromBlock && block <= toBlock)
    .sort((a, b) => (a < b ? -1 : 1))
  const key = `${STATE_FORM} ${snapshot.chainId} ${agent} ${fromBlock} ${hash} ${chosen.join()}`
  const state = await resume(client, snapshot, options, key)
  const run: Run = { client, options, snapshot, state, chosen, span: FIRST_SPAN, moves: [] }
  while (state.nextBlock <= toBlock) await readPage(run)
  for (const block of chosen) await closeBlock(run, block)
  const { findings, roles, deliveries, markets, packages } = state
  await auditDeliveries(client, snapshot, {
    ...{ fromBlock, resolver: options.resolver, roles, findings, packages, deliveries, markets },
    save: async () => {
      await options.checkpoint?.save(encodeState(state))
      const { total: actions } = state.counts
      options.onProgress?.({ block: toBlock, toBlock, actions, deliveries: deliveries.counts.total })
    },
    ...(options.signal && { signal: options.signal }),
  })
  const rest = { fromBlock, roles, findings, ...(options.signal && { signal: options.signal }) }
  const asset = await getAssetMetadata(client, { asset: snapshot.books.acceptToken })
  const scope = await auditScope(client, snapshot, { ...rest, asset })
  await dateChanges(client, roles)
  const metadata = await auditMetadata(client, snapshot, { ...options, findings })
  await judgeRoles(client, snapshot, rest)
  return toReport(run, { range, asset, scope, metadata })
}

type Run = {
  readonly client: Client
  readonly options: AuditAgentOptions
  readonly snapshot: AgentSnapshot
  readonly state: State
  readonly chosen: readonly bigint[]
  /** Blocks that the next page covers. */
  span: bigint
  /** Moves of the Accept Token in the page that are not in the ledger yet, the first one last. */
  moves: TokenMove[]
}

async function resume(
  client: Client,
  snapshot: AgentSnapshot,
  { agent, fromBlock, checkpoint }: AuditAgentOptions,
  key: string,
): Promise<State> {
  const fresh: State = {
    ...{ key, nextBlock: fromBlock, savedAt: 0, findings: noAuditFindings(), ledger: createLedger(agent) },
    ...{ roles: createRoleHistory(), seen: new Map(), markets: new Map(), packages: new Map() },
    deliveries: createDeliveryState(),
    ...{ counts: { total: 0, verified: 0, refused: 0, unavailable: 0 }, listed: [], payments: [], books: [] },
  }
  const token = snapshot.books.acceptToken
  fresh.ledger.held = await heldBefore(client, { token, agent, block: fromBlock })
  const text = await checkpoint?.load()
  if (text === undefined) return fresh
  try {
    const read = decodeState(text) as State | null
    // what this program wrote is read back as it was; anything else has another key
    if (read?.key === key) return read
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  addFinding(fresh.findings, 'audit.restarted', agent, 'the checkpoint is of another audit')
  return fresh
}

async function readPage(run: Run): Promise<void> {
  const { client, options, snapshot, state } = run
  const { agent } = options
  options.signal?.throwIfAborted()
  const last = state.nextBlock + run.span - 1n
  const toBlock = last < snapshot.blockNumber ? last : snapshot.blockNumber
  const page = await listAgentEvents(client, { agent, fromBlock: state.nextBlock, toBlock })
  const pageEnd = (page.nextFromBlock ?? toBlock + 1n) - 1n
  // one block is taken whatever it holds: its gas bounds it
  const maxMoves = pageEnd === state.nextBlock ? Number.POSITIVE_INFINITY : (options.maxMovesPerPage ?? MANY_MOVES)
  const at = { token: snapshot.books.acceptToken, agent, fromBlock: state.nextBlock, toBlock: pageEnd, maxMoves }
  const moves = await listTokenMoves(client, at)
  if (moves === undefined) {
    run.span = (pageEnd - state.nextBlock + 1n) / 4n || 1n
    return
  }
  checkOutflows(page.events, moves, state.findings)
  run.moves = moves.toReversed()
  const length = Math.max(page.events.length, moves.length)
  if (length > MANY_EVENTS) run.span = (run.span * BigInt(MANY_EVENTS)) / BigInt(length) || 1n
  else if (length < MANY_EVENTS / 2 && run.span < MAX_SPAN) run.span *= 2n
  for (const step of stepsOf(page.events, options.actionsPerStep ?? ACTIONS_PER_STEP)) {
    options.signal?.throwIfAborted()
    await takeStep(run, step)
    const done = step.at(-1)?.blockNumber ?? state.nextBlock
    takeMoves(run, done)
    state.nextBlock = done + 1n
    await save(run)
  }
  for (const block of run.chosen) if (block <= pageEnd) await closeBlock(run, block)
  takeMoves(run, pageEnd)
  state.nextBlock = pageEnd + 1n
  await save(run)
}

/** Puts what came and left up to a block into the ledger. */
function takeMoves({ moves, state: { ledger } }: Run, upTo: bigint): void {
  for (let next = moves.at(-1); next !== undefined && next.blockNumber <= upTo; next = moves.at(-1)) {
    moves.pop()
    if (ledger.held !== undefined) ledger.held += next.amount
  }
}

async function save({ options, state, snapshot }: Run): Promise<void> {
  const { total: actions } = state.counts
  if (actions - state.savedAt >= Math.ceil(actions / CHECKPOINT_PART) || actions === 0) {
    state.savedAt = actions
    await options.checkpoint?.save(encodeState(state))
  }
  options.onProgress?.({ block: state.nextBlock - 1n, toBlock: snapshot.blockNumber, actions, deliveries: 0 })
}

/** Whole blocks with at least so many events that cite a record, as long as there are so many. */
function stepsOf(events: readonly AnyAgentEvent[], size: number): readonly (readonly AnyAgentEvent[])[] {
  const steps: AnyAgentEvent[][] = []
  let step: AnyAgentEvent[] = []
  let citing = 0
  for (const event of events) {
    if (citing >= size && event.blockNumber !== step.at(-1)?.blockNumber) {
      steps.push(step)
      step = []
      citing = 0
    }
    step.push(event)
    if (isCiting(event)) citing += 1
  }
  return step.length === 0 ? steps : [...steps, step]
}

function isCiting({ eventName }: AnyAgentEvent): boolean {
  return eventName === 'Settled' || eventName === 'Executed' || eventName === 'Reasoned'
}

async function takeStep(run: Run, events: readonly AnyAgentEvent[]): Promise<void> {
  const { state, options } = run
  await auditActions(run, events)
  for (const event of events) {
    for (const block of run.chosen) if (block < event.blockNumber) await closeBlock(run, block)
    const place = `block ${event.blockNumber}, ${event.transactionHash}`
    for (const problem of applyToLedger(state.ledger, event)) addFinding(state.findings, 'books.events', place, problem)
    const stranger = applyToRoles(state.roles, event)
    if (stranger !== undefined) addFinding(state.findings, 'roles.acted-without', place, `${stranger} was no Executor`)
    if (event.eventName === 'Executed' && event.args.selector === SUBMIT) noteMarket(state, event.args.target, place)
    options.signal?.throwIfAborted()
  }
}

function noteMarket({ markets, findings }: State, task: Address, place: string): void {
  const calls = markets.get(task) ?? 0
  if (calls > 0 || markets.size < MAX_MARKETS) markets.set(task, calls + 1)
  else addFinding(findings, 'audit.incomplete', place, `more than ${MAX_MARKETS} task contracts; not ${task}`)
}

async function auditActions(run: Run, events: readonly AnyAgentEvent[]): Promise<void> {
  const { client, options, snapshot, state } = run
  const { agent, resolver, signal } = options
  const before = BigInt(state.counts.total)
  const citations = groupCitations(events).map((citation) => {
    const first = state.seen.get(citation.reasoningHash)
    if (first === undefined && state.seen.size < MAX_ACTIONS) {
      state.seen.set(citation.reasoningHash, citation.transactionHash)
    }
    const citedBefore = first === undefined ? citation.citedBefore : [first, ...citation.citedBefore]
    return { ...citation, number: before + citation.number, citedBefore }
  })
  if (state.counts.total < MAX_ACTIONS && state.counts.total + citations.length >= MAX_ACTIONS) {
    addFinding(
      state.findings,
      'audit.incomplete',
      agent,
      `more than ${MAX_ACTIONS} actions; later ones may repeat records`,
    )
  }
  const context = {
    client,
    chainId: snapshot.chainId,
    agent,
    resolver,
    packages: state.packages,
    ...(signal && { signal }),
  }
  const audited = await mapInOrder(citations, CONCURRENCY, async (citation) => {
    const findings = noAuditFindings()
    return { findings, action: await auditAction(citation, { ...context, findings }) }
  })
  // findings are added in the order of the chain, whoever answered first
  for (const { findings, action } of audited) {
    for (const { code, where, message } of findings.list) addFinding(state.findings, code, where, message)
    state.counts.total += 1
    state.counts[action.status] += 1
    const isEarly = state.counts.total <= MAX_LISTED
    if (isEarly || (isWeighty(action) && state.listed.length < 2 * MAX_LISTED)) state.listed.push(action)
    for (const payment of action.payments) if (state.payments.length < MAX_LISTED) state.payments.push(payment)
  }
}

function isWeighty({ codes }: AuditedAction): boolean {
  return codes.some((code) => ['fault', 'gap'].includes(AUDIT_CODES[code][0]))
}

/** Compares the books at a chosen block, once. */
async function closeBlock(run: Run, block: bigint): Promise<void> {
  const { client, state } = run
  if (state.books.some(({ blockNumber }) => blockNumber === block)) return
  takeMoves(run, block)
  for (const key of state.ledger.open.keys()) {
    addFinding(state.findings, 'books.events', `block ${block}`, `a settlement of ${key} is not told`)
  }
  state.ledger.open.clear()
  const compared = await compareBooks(client, state.ledger, block, state.findings)
  const { size: openAccounts } = state.ledger.accounts
  state.books.push(compared ?? { blockNumber: block, lines: [], openAccounts, comparedAccounts: 0 })
}

function toReport(
  { snapshot, state }: Run,
  {
    range,
    asset,
    metadata,
    scope: audited,
  }: Pick<AgentAuditReport, 'range' | 'asset' | 'metadata'> & { readonly scope: AuditedScope },
): AgentAuditReport {
  const { findings, roles, counts, listed, payments, books, ledger, deliveries } = state
  const { chainId, agent, name, symbol, scope, scopeRevision, reclaimHorizonSec, factory, scopeDelaySec } = snapshot
  if (roles.omitted > 0) addFinding(findings, 'audit.incomplete', agent, `${roles.omitted} changes are not listed`)
  return {
    ...{ schema: AUDIT_SCHEMA, kind: 'agent', status: statusOfFindings(findings) },
    ...{ chainId, agent, name, symbol, acceptToken: snapshot.books.acceptToken, asset },
    ...{ range, metadata, boundary: audited },
    actions: { ...counts, listed },
    ...{ deliveries: deliveries.listed, deliveryCounts: deliveries.counts },
    ...{ payments, books, totals: ledger.totals },
    roles: {
      ...{ owner: snapshot.owner, guardian: snapshot.guardian, executors: [...roles.executors] },
      ...{ feeRecipient: roles.feeRecipient, scopeDelaySec, periods: roles.periods },
      ...{ changes: roles.changes, omittedChanges: roles.omitted },
    },
    snapshot: { scope, scopeRevision, reclaimHorizonSec, factory },
    counts: Object.fromEntries(findings.counts),
    findings: findings.list,
  }
}
