import type { Hash } from 'viem'
import type { Action, ActionOutcome, ActionPlan, SignedAttempt } from '../action.ts'
import { readAction, readAttempt } from './action-rows.ts'
import { assertHeld, type Fence } from './leases.ts'
import { integer, optionalInteger, query, type SqlEngine, type Steps } from './steps.ts'

/** What an operator may spend, or has spent, within 24 hours. */
type SpendingBudget = {
  /** Gas, in wei: what was paid, and for what is under way the most that it may cost. */
  readonly gasWei: bigint
  /** Accept Token that left the Agent's hands, in smallest units. */
  readonly spendAtomic: bigint
}

/** Why an action was not signed. */
type SigningRefusal = 'halted' | 'budget.gas' | 'budget.spend' | 'nonce-taken' | 'not-planned'

/** Where and how an attempt was mined. */
export type MinedPlace = {
  readonly hash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly succeeded: boolean
  readonly gasCostWei: bigint
  readonly outcome: ActionOutcome
}

/** What was intended and what became of it. Every write takes a {@link Fence} and throws LeaseLostError when it is lost. */
export type OperatorActions = {
  /** Undefined where an action with the same `once` exists that has not failed. */
  readonly plan: (fence: Fence, plan: ActionPlan, atMs: bigint) => Promise<Action | undefined>
  /**
   * Keeps the signed bytes of a planned action with its nonce, unless the Agent is halted, a budget would be passed, or the
   * nonce is not the one that is next. Only what was kept here may be sent.
   */
  readonly sign: (
    fence: Fence,
    action: Action,
    attempt: SignedAttempt,
    options: { readonly nonce: bigint; readonly budget: SpendingBudget },
  ) => Promise<SigningRefusal | undefined>
  /** Keeps another attempt at a signed action: same nonce, same call, higher fees. Not where a budget would be passed. */
  readonly resign: (
    fence: Fence,
    action: Action,
    attempt: SignedAttempt,
    budget: SpendingBudget,
  ) => Promise<SigningRefusal | undefined>
  readonly noteSent: (fence: Fence, action: Action, hash: Hash, atMs: bigint) => Promise<void>
  readonly noteMined: (fence: Fence, action: Action, place: MinedPlace, atMs: bigint) => Promise<void>
  /** The block of a mined action is no longer part of the chain: it is to be sent again. */
  readonly noteVanished: (fence: Fence, action: Action, gasCostWei: bigint, atMs: bigint) => Promise<void>
  readonly noteEnd: (
    fence: Fence,
    action: Action,
    end: { readonly state: 'final' | 'reverted' | 'replaced' | 'abandoned'; readonly outcome: ActionOutcome },
    atMs: bigint,
  ) => Promise<void>
  /** Ended actions whose nonce the chain does not have any more, by a reorganisation deeper than the finality. */
  readonly reopen: (fence: Fence, fromNonce: bigint, atMs: bigint) => Promise<number>
  /** Everything of an Agent that can still change, whoever signs it, in the order in which it is to happen. */
  readonly listOpen: (agent: string) => Promise<readonly Action[]>
  /** Newest first, at most `limit`. */
  readonly listRecent: (agent: string, limit: number) => Promise<readonly Action[]>
  readonly listAttempts: (actionId: string) => Promise<readonly SignedAttempt[]>
  readonly findOnce: (agent: string, once: string) => Promise<Action | undefined>
  /** Number that the next action will have. */
  readonly getNextNumber: (agent: string) => Promise<bigint>
  /** Nonce after the last one that was used here; undefined for an account that was never used here. */
  readonly getNextNonce: (account: string) => Promise<bigint | undefined>
  /** What was spent after `sinceMs`. */
  readonly getSpent: (agent: string, sinceMs: bigint) => Promise<SpendingBudget>
  /** Actions of one kind and subject that failed on the chain after `sinceMs`. */
  readonly countFailures: (agent: string, kind: string, subject: string, sinceMs: bigint) => Promise<bigint>
  /** Highest block in which an open or final action was mined. */
  readonly getLastMinedBlock: (agent: string) => Promise<bigint>
}

/** Milliseconds over which budgets are counted. */
const BUDGET_WINDOW_MS = 86_400_000n
/** Open actions that are read at once; there are few, because the next one waits until the last one is mined. */
const MAX_OPEN = 1_000

/** Actions over a database. */
export function createActions(engine: SqlEngine): OperatorActions {
  const alone = <result>(steps: () => Steps<result>) => engine.write(steps)
  return {
    plan: (fence, plan, atMs) => alone(() => insertPlan(fence, plan, atMs)),

    sign: (fence, action, attempt, { nonce, budget }) =>
      alone(function* (): Steps<SigningRefusal | undefined> {
        yield* assertHeld(fence)
        const [row] = yield* query('SELECT state FROM operator_action WHERE id = $1', action.id)
        if (row?.['state'] !== 'planned') return 'not-planned'
        const halts = yield* query('SELECT reason FROM operator_halt WHERE agent = $1', fence.agent)
        if (halts.length > 0) return 'halted'
        const costWei = attempt.gasLimit * attempt.maxFeePerGasWei
        const refusal = yield* findBudgetRefusal(fence, action, { costWei, budget, atMs: attempt.signedAtMs })
        if (refusal !== undefined) return refusal
        const [account] = yield* query('SELECT next_nonce FROM operator_nonce WHERE account = $1', fence.account)
        const next = optionalInteger(account?.['next_nonce'])
        if (next !== undefined && next > nonce) return 'nonce-taken'
        yield* query(
          `INSERT INTO operator_nonce (account, next_nonce) VALUES ($1, $2)
           ON CONFLICT (account) DO UPDATE SET next_nonce = excluded.next_nonce`,
          ...[fence.account, nonce + 1n],
        )
        yield* insertAttempt(action.id, attempt)
        yield* query(
          `UPDATE operator_action SET state = 'signed', nonce = $2, signed_at_ms = $3, updated_at_ms = $3, gas_cost_wei = $4
           WHERE id = $1`,
          ...[action.id, nonce, attempt.signedAtMs, costWei.toString()],
        )
        return undefined
      }),

    resign: (fence, action, attempt, budget) =>
      alone(function* (): Steps<SigningRefusal | undefined> {
        yield* assertHeld(fence)
        const halts = yield* query('SELECT reason FROM operator_halt WHERE agent = $1', fence.agent)
        if (halts.length > 0) return 'halted'
        const costWei = attempt.gasLimit * attempt.maxFeePerGasWei
        const refusal = yield* findBudgetRefusal(fence, action, { costWei, budget, atMs: attempt.signedAtMs })
        if (refusal !== undefined) return refusal
        yield* insertAttempt(action.id, attempt)
        yield* query(
          'UPDATE operator_action SET updated_at_ms = $2, gas_cost_wei = $3 WHERE id = $1',
          ...[action.id, attempt.signedAtMs, costWei.toString()],
        )
        return undefined
      }),

    noteSent: (fence, action, hash, atMs) =>
      alone(function* () {
        yield* assertHeld(fence)
        yield* query('UPDATE operator_attempt SET sent_at_ms = $2 WHERE hash = $1', hash, atMs)
        yield* query(
          "UPDATE operator_action SET state = 'sent', updated_at_ms = $2 WHERE id = $1 AND state = 'signed'",
          ...[action.id, atMs],
        )
      }),

    noteMined: (fence, action, place, atMs) =>
      alone(function* () {
        yield* assertHeld(fence)
        const { hash, blockNumber, blockHash, succeeded, gasCostWei, outcome } = place
        yield* query(
          `UPDATE operator_action SET state = 'mined', hash = $2, block_number = $3, block_hash = $4, succeeded = $5,
           gas_cost_wei = $6, outcome = $7, updated_at_ms = $8 WHERE id = $1`,
          ...[action.id, hash, blockNumber, blockHash, succeeded ? 1n : 0n],
          ...[gasCostWei.toString(), JSON.stringify(outcome), atMs],
        )
      }),

    noteVanished: (fence, action, gasCostWei, atMs) =>
      alone(function* () {
        yield* assertHeld(fence)
        yield* query(
          `UPDATE operator_action SET state = 'sent', hash = NULL, block_number = NULL, block_hash = NULL, succeeded = NULL,
           outcome = NULL, gas_cost_wei = $2, updated_at_ms = $3 WHERE id = $1`,
          ...[action.id, gasCostWei.toString(), atMs],
        )
      }),

    noteEnd: (fence, action, { state, outcome }, atMs) =>
      alone(function* () {
        yield* assertHeld(fence)
        const cost = state === 'replaced' || state === 'abandoned' ? '0' : action.gasCostWei.toString()
        yield* query(
          'UPDATE operator_action SET state = $2, outcome = $3, gas_cost_wei = $4, updated_at_ms = $5 WHERE id = $1',
          ...[action.id, state, JSON.stringify(outcome), cost, atMs],
        )
      }),

    reopen: (fence, fromNonce, atMs) =>
      alone(function* () {
        yield* assertHeld(fence)
        const rows = yield* query(
          `UPDATE operator_action SET state = 'sent', hash = NULL, block_number = NULL, block_hash = NULL, succeeded = NULL,
           outcome = NULL, updated_at_ms = $4
           WHERE agent = $1 AND account = $2 AND nonce >= $3 AND state IN ('final', 'reverted') RETURNING id`,
          ...[fence.agent, fence.account, fromNonce, atMs],
        )
        return rows.length
      }),

    listOpen: (agent) =>
      engine.read(function* () {
        const rows = yield* query(
          `SELECT * FROM operator_action WHERE agent = $1
           AND state IN ('planned', 'signed', 'sent', 'mined') ORDER BY number LIMIT ${MAX_OPEN}`,
          agent,
        )
        return rows.map(readAction)
      }),

    listRecent: (agent, limit) =>
      engine.read(function* () {
        const rows = yield* query(
          'SELECT * FROM operator_action WHERE agent = $1 ORDER BY number DESC LIMIT $2',
          ...[agent, BigInt(limit)],
        )
        return rows.map(readAction)
      }),

    listAttempts: (actionId) =>
      engine.read(function* () {
        const rows = yield* query('SELECT * FROM operator_attempt WHERE action_id = $1 ORDER BY attempt', actionId)
        return rows.map(readAttempt)
      }),

    findOnce: (agent, once) =>
      engine.read(function* () {
        const [row] = yield* query(
          `SELECT * FROM operator_action WHERE agent = $1 AND once = $2
           AND state NOT IN ('reverted', 'replaced', 'abandoned')`,
          ...[agent, once],
        )
        return row === undefined ? undefined : readAction(row)
      }),

    getNextNumber: (agent) => engine.read(() => nextNumber(agent)),

    getNextNonce: (account) =>
      engine.read(function* () {
        const [row] = yield* query('SELECT next_nonce FROM operator_nonce WHERE account = $1', account)
        return optionalInteger(row?.['next_nonce'])
      }),

    getSpent: (agent, sinceMs) => engine.read(() => sumSpent(agent, sinceMs, '')),

    countFailures: (agent, kind, subject, sinceMs) =>
      engine.read(function* () {
        const [row] = yield* query(
          `SELECT count(*) AS failures FROM operator_action WHERE agent = $1 AND kind = $2 AND subject = $3
           AND updated_at_ms > $4 AND succeeded = 0`,
          ...[agent, kind, subject, sinceMs],
        )
        return integer(row?.['failures'])
      }),

    getLastMinedBlock: (agent) =>
      engine.read(function* () {
        const [row] = yield* query(`SELECT max(block_number) AS block FROM operator_action WHERE agent = $1`, agent)
        return optionalInteger(row?.['block']) ?? 0n
      }),
  }
}

function* nextNumber(agent: string): Steps<bigint> {
  const [row] = yield* query('SELECT max(number) AS last FROM operator_action WHERE agent = $1', agent)
  return (optionalInteger(row?.['last']) ?? 0n) + 1n
}

function* insertPlan(fence: Fence, plan: ActionPlan, atMs: bigint): Steps<Action | undefined> {
  yield* assertHeld(fence)
  if (plan.once !== undefined) {
    const found = yield* query(
      `SELECT id FROM operator_action WHERE agent = $1 AND once = $2
       AND state NOT IN ('reverted', 'replaced', 'abandoned')`,
      ...[fence.agent, plan.once],
    )
    if (found.length > 0) return undefined
  }
  const number = yield* nextNumber(fence.agent)
  const [row] = yield* query(
    `INSERT INTO operator_action (id, agent, number, account, kind, subject, title, once, decision_id, target, data,
     spend_atomic, reasoning_hash, reasoning_uri, state, created_at_ms, updated_at_ms, gas_cost_wei)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'planned', $15, $15, '0') RETURNING *`,
    ...[`${fence.agent}/${number}`, fence.agent, number, fence.account, plan.kind, plan.subject, plan.title],
    ...[plan.once ?? null, plan.decisionId ?? null, plan.to, plan.data, plan.spendAtomic.toString()],
    ...[plan.reasoning?.reasoningHash ?? null, plan.reasoning?.reasoningURI ?? null, atMs],
  )
  return row === undefined ? undefined : readAction(row)
}

function* insertAttempt(actionId: string, attempt: SignedAttempt): Steps<void> {
  const { hash, raw, gasLimit, maxFeePerGasWei, maxPriorityFeePerGasWei, signedAtMs } = attempt
  yield* query(
    `INSERT INTO operator_attempt (hash, action_id, attempt, raw, gas_limit, max_fee_wei, max_priority_fee_wei, signed_at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    ...[hash, actionId, BigInt(attempt.attempt), raw, gasLimit.toString()],
    ...[maxFeePerGasWei.toString(), maxPriorityFeePerGasWei.toString(), signedAtMs],
  )
}

function* findBudgetRefusal(
  { agent }: Fence,
  action: Action,
  { costWei, budget, atMs }: { costWei: bigint; budget: SpendingBudget; atMs: bigint },
): Steps<'budget.gas' | 'budget.spend' | undefined> {
  const spent = yield* sumSpent(agent, atMs - BUDGET_WINDOW_MS, action.id)
  if (spent.gasWei + costWei > budget.gasWei) return 'budget.gas'
  if (action.spendAtomic > 0n && spent.spendAtomic + action.spendAtomic > budget.spendAtomic) return 'budget.spend'
  return undefined
}

/** Over all actions but one: an action that reverted has spent its gas and nothing else. */
function* sumSpent(agent: string, sinceMs: bigint, exceptId: string): Steps<SpendingBudget> {
  const rows = yield* query(
    `SELECT gas_cost_wei, spend_atomic, succeeded, state FROM operator_action
     WHERE agent = $1 AND signed_at_ms > $2 AND id <> $3`,
    ...[agent, sinceMs, exceptId],
  )
  let [gasWei, spendAtomic] = [0n, 0n]
  for (const row of rows) {
    gasWei += BigInt(String(row['gas_cost_wei']))
    if (row['state'] !== 'replaced' && optionalInteger(row['succeeded']) !== 0n)
      spendAtomic += BigInt(String(row['spend_atomic']))
  }
  return { gasWei, spendAtomic }
}
