import { sql } from 'ponder'
import type { IndexDatabase } from './rows.ts'
import type { SQL } from './sql.ts'

/** How far a chain is indexed. */
export type Indexed = { readonly chainId: number; readonly block: number; readonly timeSec: number }

/** Digits of a checkpoint of Ponder: time, chain, block. Source: Ponder's checkpoint encoding. */
const TIME_DIGITS = 10
const CHAIN_DIGITS = 16
const BLOCK_DIGITS = 16

/** Reads where the index stands, by chain. */
export async function readIndexed(db: IndexDatabase): Promise<readonly Indexed[]> {
  const { rows } = await db.execute(sql`select chain_id, latest_checkpoint from _ponder_checkpoint`)
  return (rows as readonly Record<string, unknown>[]).map((row) => {
    const checkpoint = String(row['latest_checkpoint'])
    const from = TIME_DIGITS + CHAIN_DIGITS
    return {
      chainId: Number(row['chain_id']),
      block: Number(checkpoint.slice(from, from + BLOCK_DIGITS)),
      timeSec: Number(checkpoint.slice(0, TIME_DIGITS)),
    }
  })
}

/** The clocks of all chains: the time of the last block that is indexed. */
export type Clocks = { readonly of: (chainId: number) => bigint; readonly sql: (chainId: SQL) => SQL }

/** Reads the clocks. A chain that has no block yet is at second 0. */
export async function readClocks(db: IndexDatabase): Promise<Clocks> {
  const indexed = await readIndexed(db)
  const byChain = new Map(indexed.map(({ chainId, timeSec }) => [chainId, timeSec]))
  return {
    of: (chainId) => BigInt(byChain.get(chainId) ?? 0),
    sql: (chainId) => {
      if (byChain.size === 0) return sql`0`
      const cases = [...byChain].map(([id, timeSec]) => sql`when ${id}::bigint then ${timeSec}::bigint`)
      return sql`(case ${chainId} ${sql.join(cases, sql` `)} else 0 end)`
    },
  }
}
