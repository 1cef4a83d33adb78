import { sql } from 'ponder'
import type { TenderState } from '../rest/types.ts'
import { type TenderRow, tables } from './rows.ts'
import type { SQL } from './sql.ts'

/** What of a tender decides its state. */
type Deciding = Pick<
  TenderRow,
  | 'isCancelled'
  | 'settleBy'
  | 'submitBy'
  | 'maxCompletions'
  | 'completions'
  | 'pending'
  | 'rewardPerCompletion'
  | 'escrow'
>

const isPast = (limit: bigint | null, nowSec: bigint): boolean => limit !== null && limit !== 0n && nowSec > limit

/**
 * Whether a tender takes a delivery now, as the kernel would say from what the events tell; gifts in the vault are not
 * counted. Twin of {@link stateSql}; a test holds both together.
 */
export function tenderState(row: Deciding, nowSec: bigint): TenderState {
  if (row.isCancelled) return 'cancelled'
  if (isPast(row.settleBy, nowSec)) return 'over'
  const most = row.maxCompletions ?? 0n
  if (isPast(row.submitBy, nowSec) || (most !== 0n && row.completions + row.pending >= most)) return 'closed'
  const reward = row.rewardPerCompletion
  if (reward === null || reward === 0n || row.escrow < (row.pending + 1n) * reward) return 'unfunded'
  return 'open'
}

/** The same in SQL, with the clock of each row's chain. */
export function stateSql(nowSec: SQL): SQL {
  const { tender: t } = tables
  const past = (limit: SQL): SQL => sql`(${limit} is not null and ${limit} <> 0 and ${nowSec} > ${limit})`
  return sql`case
    when ${t.isCancelled} then 'cancelled'
    when ${past(sql`${t.settleBy}`)} then 'over'
    when ${past(sql`${t.submitBy}`)} or (coalesce(${t.maxCompletions}, 0) <> 0
      and ${t.completions} + ${t.pending} >= ${t.maxCompletions}) then 'closed'
    when coalesce(${t.rewardPerCompletion}, 0) = 0
      or ${t.escrow} < (${t.pending} + 1) * ${t.rewardPerCompletion} then 'unfunded'
    else 'open' end`
}
