import type { ReadonlyDrizzle } from 'ponder'
import * as tables from '../../ponder/ponder.schema.ts'
import type { CheckStore } from '../checks/check-store.ts'
import type { IndexPlan } from '../plan/index-plan.ts'
import type { Place, Token } from '../rest/types.ts'

export { tables }

/** The tables of the index, to read from. */
export type IndexDatabase = ReadonlyDrizzle<typeof tables>

/** What every route answers from. */
export type Sources = {
  readonly db: IndexDatabase
  readonly checks: CheckStore
  readonly plan: IndexPlan
  /** Number of the latest block of a chain's node; null where it does not answer. */
  readonly headOf: (chainId: number) => Promise<number | null>
}

export type TenderRow = typeof tables.tender.$inferSelect
export type SubmissionRow = typeof tables.submission.$inferSelect
export type AgentRow = typeof tables.agent.$inferSelect
export type PositionRow = typeof tables.position.$inferSelect
export type TokenRow = typeof tables.token.$inferSelect
export type JudgeRow = typeof tables.judge.$inferSelect

type Placed = {
  readonly block: number
  readonly timeSec: number
  readonly tx: `0x${string}`
  readonly logIndex: number
}
type Born = {
  readonly bornBlock: number
  readonly bornTimeSec: number
  readonly bornTx: `0x${string}`
  readonly bornLogIndex: number
}

/** Where a row was last changed, or what it is of. */
export function placeOf({ block, timeSec, tx, logIndex }: Placed): Place {
  return { block, timeSec, tx, logIndex }
}

/** Where a row was first made. */
export function birthOf({ bornBlock, bornTimeSec, bornTx, bornLogIndex }: Born): Place {
  return { block: bornBlock, timeSec: bornTimeSec, tx: bornTx, logIndex: bornLogIndex }
}

/** A word of a contract as text. */
export function whole(value: bigint): string {
  return value.toString()
}

/** A word of a contract as text; null stays null. */
export function wholeOrNull(value: bigint | null): string | null {
  return value === null ? null : value.toString()
}

/** A token that is known, or one of which only the address is. */
export function tokenOf(address: string | null, row: TokenRow | undefined): Token | null {
  if (address === null) return null
  return { address, symbol: row?.symbol ?? null, name: row?.name ?? null, decimals: row?.decimals ?? null }
}
