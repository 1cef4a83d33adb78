import { LeaseLostError } from '../errors.ts'
import { integer, query, type SqlEngine, type Steps } from './steps.ts'

/** Whose actions and whose nonces: both as `chainId/address` in lower case. */
export type OperatorIdentity = { readonly agent: string; readonly account: string }

/**
 * The right to act for an Agent with a signing account until somebody else takes it over. Each taking has a higher token than
 * the one before, and every write checks it in its own transaction.
 */
export type Fence = OperatorIdentity & {
  readonly holder: string
  readonly agentToken: bigint
  readonly accountToken: bigint
}

/** Takes, keeps and gives back the two leases of an operator. */
export type OperatorLeases = {
  /** Undefined while another holder has one of them. */
  readonly acquire: (
    identity: OperatorIdentity,
    options: { readonly holder: string; readonly ttlMs: bigint },
  ) => Promise<Fence | undefined>
  /** Prolongs both. Throws LeaseLostError. */
  readonly renew: (fence: Fence, ttlMs: bigint) => Promise<void>
  /** Gives both back at once; does nothing when they are lost. */
  readonly release: (fence: Fence) => Promise<void>
}

const TAKE = `INSERT INTO operator_lease AS l (name, token, holder, expires_at_ms) VALUES ($1, 1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET token = l.token + 1, holder = excluded.holder, expires_at_ms = excluded.expires_at_ms
  WHERE l.expires_at_ms <= $4 OR l.holder = excluded.holder RETURNING token`
/** Locks the row too, so that nobody takes the lease over before the transaction ends. */
const HOLD = 'UPDATE operator_lease SET holder = holder WHERE name = $1 AND token = $2 RETURNING token'
const PROLONG = 'UPDATE operator_lease SET expires_at_ms = $3 WHERE name = $1 AND token = $2 RETURNING token'
const GIVE_BACK = 'UPDATE operator_lease SET expires_at_ms = 0 WHERE name = $1 AND token = $2'

/** Undoes a transaction in which only one of two leases was free. */
class NotFreeError extends Error {}

/** Leases over a database. */
export function createLeases(engine: SqlEngine): OperatorLeases {
  return {
    acquire: async ({ agent, account }, { holder, ttlMs }) => {
      try {
        return await engine.write(function* (): Steps<Fence> {
          const nowMs = yield* now(engine)
          const take = function* (name: string): Steps<bigint> {
            const [row] = yield* query(TAKE, name, holder, nowMs + ttlMs, nowMs)
            if (row === undefined) throw new NotFreeError()
            return integer(row['token'])
          }
          const agentToken = yield* take(agentLease(agent))
          const accountToken = yield* take(accountLease(account))
          return { agent, account, holder, agentToken, accountToken }
        })
      } catch (cause) {
        if (cause instanceof NotFreeError) return undefined
        throw cause
      }
    },

    renew: (fence, ttlMs) =>
      engine.write(function* () {
        const nowMs = yield* now(engine)
        for (const [name, token] of leasesOf(fence)) {
          const rows = yield* query(PROLONG, name, token, nowMs + ttlMs)
          if (rows.length === 0) throw new LeaseLostError(name)
        }
      }),

    release: (fence) =>
      engine.write(function* () {
        for (const [name, token] of leasesOf(fence)) yield* query(GIVE_BACK, name, token)
      }),
  }
}

/** First step of every write of an operator: it still has the right to. Throws LeaseLostError. */
export function* assertHeld(fence: Fence): Steps<void> {
  for (const [name, token] of leasesOf(fence)) {
    const rows = yield* query(HOLD, name, token)
    if (rows.length === 0) throw new LeaseLostError(name)
  }
}

function* now(engine: SqlEngine): Steps<bigint> {
  const [row] = yield engine.clock()
  return integer(row?.['now_ms'])
}

/** Always in this order, so that two operators never wait for each other in a ring. */
function leasesOf(fence: Fence): readonly (readonly [string, bigint])[] {
  return [
    [agentLease(fence.agent), fence.agentToken],
    [accountLease(fence.account), fence.accountToken],
  ]
}

function agentLease(agent: string): string {
  return `agent ${agent}`
}

function accountLease(account: string): string {
  return `account ${account}`
}
