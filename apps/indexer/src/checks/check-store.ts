import type { AgentBooks, Difference, Verdict } from '../rest/types.ts'
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.ts'

/** What a check is of: a record as a transaction cites it, or one version of a package. */
export type CheckKind = 'record' | 'package'

/** A check that is due, with what it is of as JSON. */
export type DueCheck = {
  readonly key: string
  readonly kind: CheckKind
  readonly subject: string
  readonly attempts: number
}

/** How a check came out. */
export type CheckOutcome = {
  readonly state: Exclude<Verdict['state'], 'pending'>
  readonly codes: readonly string[]
  readonly from: string | null
  /** Of a verified package. */
  readonly title: string | null
  /** When it is tried again; null for never. */
  readonly retryAtSec: number | null
}

/** A verdict with the title of a package. */
export type KeptVerdict = Verdict & { readonly title: string | null }

/** Result of one reconciliation of a contract, or of one tender of it. */
export type Reconciliation = {
  readonly chainId: number
  readonly contract: string
  readonly tokenId: string
  readonly block: number
  readonly atSec: number
  readonly books: AgentBooks | null
  readonly differences: readonly Difference[]
}

/** Most differences and verdicts that one question gives. */
const MAX_ROWS = 1_000

const TABLES = (t: (name: string) => string): readonly string[] => [
  `create table if not exists ${t('verdict')} (
    key text primary key, kind text not null, subject text not null, state text not null, codes text not null,
    checked_at bigint, attempts bigint not null, retry_at bigint, source text, title text)`,
  `create index if not exists verdict_due on ${t('verdict')} (retry_at)`,
  `create table if not exists ${t('reconciliation')} (
    key text primary key, chain_id bigint not null, contract text not null, token_id text not null,
    block bigint not null, at_sec bigint not null, books text, differences text not null, difference_count bigint not null)`,
  `create index if not exists reconciliation_count on ${t('reconciliation')} (difference_count)`,
  `create table if not exists ${t('mark')} (name text primary key, value text not null)`,
]

/** Key of the check of a record. */
export function recordKey(chainId: number, agent: string, tx: string, hash: string): string {
  return `record:${chainId}:${agent}:${tx}:${hash}`
}

/** Key of the check of a package. */
export function packageKey(chainId: number, contract: string, tokenId: string, version: string): string {
  return `package:${chainId}:${contract}:${tokenId}:${version}`
}

const NOT_YET: KeptVerdict = {
  ...{ state: 'pending', codes: [], checkedAtSec: null, attempts: 0, retryAtSec: null, from: null, title: null },
}

/** Verdicts and reconciliations. Written by the checking process, read by every process that answers. */
export class CheckStore {
  readonly #sql: SqlDatabase

  private constructor(sql: SqlDatabase) {
    this.#sql = sql
  }

  /** Opens the tables, and makes them where there are none. */
  static async open(sql: SqlDatabase): Promise<CheckStore> {
    for (const statement of TABLES(sql.table)) {
      try {
        await sql.all(statement)
      } catch (error) {
        // two processes that make the same table at once: one of them is told that it is there
        if (!(error instanceof Error) || !/already exists|duplicate key/.test(error.message)) throw error
      }
    }
    return new CheckStore(sql)
  }

  close(): Promise<void> {
    return this.#sql.close()
  }

  /** Notes a check that is to be made; one that is known is left alone. */
  async want(kind: CheckKind, key: string, subject: string, nowSec: number): Promise<void> {
    await this.#sql.all(
      `insert into ${this.#sql.table('verdict')} (key, kind, subject, state, codes, attempts, retry_at)
       values (?, ?, ?, 'pending', '[]', 0, ?) on conflict (key) do nothing`,
      [key, kind, subject, nowSec],
    )
  }

  /** Checks whose time has come, the longest waiting first. */
  async due(nowSec: number, count: number): Promise<readonly DueCheck[]> {
    const rows = await this.#sql.all(
      `select key, kind, subject, attempts from ${this.#sql.table('verdict')} where retry_at <= ? order by retry_at limit ?`,
      [nowSec, count],
    )
    return rows.map(({ key, kind, subject, attempts }) => ({
      ...{ key: String(key), kind: kind === 'record' ? 'record' : 'package' },
      ...{ subject: String(subject), attempts: Number(attempts) },
    }))
  }

  async settle(key: string, outcome: CheckOutcome, nowSec: number): Promise<void> {
    const { state, codes, from, title, retryAtSec } = outcome
    await this.#sql.all(
      `update ${this.#sql.table('verdict')} set state = ?, codes = ?, checked_at = ?, attempts = attempts + 1,
       retry_at = ?, source = ?, title = ? where key = ?`,
      [state, JSON.stringify(codes), nowSec, retryAtSec, from, title, key],
    )
  }

  /** Verdicts by key; what was not tried yet is pending. */
  async verdicts(keys: readonly string[]): Promise<(key: string) => KeptVerdict> {
    const found = new Map<string, KeptVerdict>()
    if (keys.length > 0) {
      const wanted = keys.slice(0, MAX_ROWS)
      const marks = wanted.map(() => '?').join(', ')
      const rows = await this.#sql.all(`select * from ${this.#sql.table('verdict')} where key in (${marks})`, wanted)
      for (const row of rows) found.set(String(row['key']), readVerdict(row))
    }
    return (key) => found.get(key) ?? NOT_YET
  }

  async countVerdicts(): Promise<Readonly<Record<CheckKind, Readonly<Record<Verdict['state'], number>>>>> {
    const none = { pending: 0, verified: 0, refused: 0, unavailable: 0 }
    const counts = { record: { ...none }, package: { ...none } }
    const rows = await this.#sql.all(
      `select kind, state, count(*) as number from ${this.#sql.table('verdict')} group by kind, state`,
    )
    for (const { kind, state, number } of rows) {
      const kept = counts[kind === 'record' ? 'record' : 'package']
      if (typeof state === 'string' && Object.hasOwn(kept, state)) kept[state as Verdict['state']] = Number(number)
    }
    return counts
  }

  async keepReconciliation(result: Reconciliation): Promise<void> {
    const { chainId, contract, tokenId, block, atSec, books, differences } = result
    const values: SqlValue[] = [
      ...[reconciliationKey(chainId, contract, tokenId), chainId, contract, tokenId, block, atSec],
      ...[books === null ? null : JSON.stringify(books), JSON.stringify(differences)],
      // a gift is an explanation, not a difference
      differences.filter(({ kind }) => kind !== 'gift').length,
    ]
    await this.#sql.all(
      `insert into ${this.#sql.table('reconciliation')}
       (key, chain_id, contract, token_id, block, at_sec, books, differences, difference_count)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (key) do update set block = excluded.block, at_sec = excluded.at_sec,
       books = excluded.books, differences = excluded.differences, difference_count = excluded.difference_count`,
      values,
    )
  }

  /** Reconciliations by key; undefined for what was not reconciled yet. */
  async reconciliations(keys: readonly string[]): Promise<(key: string) => Reconciliation | undefined> {
    const found = new Map<string, Reconciliation>()
    if (keys.length > 0) {
      const wanted = keys.slice(0, MAX_ROWS)
      const marks = wanted.map(() => '?').join(', ')
      const rows = await this.#sql.all(
        `select * from ${this.#sql.table('reconciliation')} where key in (${marks})`,
        wanted,
      )
      for (const row of rows) found.set(String(row['key']), readReconciliation(row))
    }
    return (key) => found.get(key)
  }

  /** What differed when it was last compared, the longest ago first: differences end, too. */
  async differing(count: number): Promise<readonly Pick<Reconciliation, 'chainId' | 'contract' | 'tokenId'>[]> {
    const rows = await this.#sql.all(
      `select chain_id, contract, token_id from ${this.#sql.table('reconciliation')}
       where difference_count > 0 order by at_sec limit ?`,
      [count],
    )
    return rows.map((row) => ({
      ...{ chainId: Number(row['chain_id']), contract: String(row['contract']), tokenId: String(row['token_id']) },
    }))
  }

  /** All that differs, and of how many contracts that is known. */
  async differences(count: number): Promise<{
    readonly differences: readonly Difference[]
    readonly differenceCount: number
    readonly contracts: number
    readonly lastRunSec: number | null
  }> {
    const table = this.#sql.table('reconciliation')
    const [sums] = await this.#sql.all(
      `select count(*) as contracts, max(at_sec) as last, coalesce(sum(difference_count), 0) as number from ${table}`,
    )
    const rows = await this.#sql.all(`select * from ${table} where difference_count > 0 order by at_sec desc limit ?`, [
      count,
    ])
    const differences = rows.flatMap((row) => readReconciliation(row).differences.filter(({ kind }) => kind !== 'gift'))
    const last = sums?.['last'] ?? null
    return {
      differences: differences.slice(0, count),
      differenceCount: Number(sums?.['number'] ?? 0),
      contracts: Number(sums?.['contracts'] ?? 0),
      lastRunSec: last === null ? null : Number(last),
    }
  }

  /** A value that a process left for itself or for others; undefined where there is none. */
  async mark(name: string): Promise<string | undefined> {
    const [row] = await this.#sql.all(`select value from ${this.#sql.table('mark')} where name = ?`, [name])
    return row === undefined ? undefined : String(row['value'])
  }

  async setMark(name: string, value: string): Promise<void> {
    await this.#sql.all(
      `insert into ${this.#sql.table('mark')} (name, value) values (?, ?)
       on conflict (name) do update set value = excluded.value`,
      [name, value],
    )
  }
}

/** Key of a reconciliation; `tokenId` is empty for an Agent. */
export function reconciliationKey(chainId: number, contract: string, tokenId = ''): string {
  return `${chainId}:${contract}:${tokenId}`
}

function readVerdict(row: SqlRow): KeptVerdict {
  const whole = (name: string): number | null => (row[name] === null ? null : Number(row[name]))
  return {
    state: row['state'] as Verdict['state'],
    codes: JSON.parse(String(row['codes'])) as string[],
    checkedAtSec: whole('checked_at'),
    attempts: Number(row['attempts']),
    retryAtSec: whole('retry_at'),
    from: row['source'] === null ? null : String(row['source']),
    title: row['title'] === null ? null : String(row['title']),
  }
}

function readReconciliation(row: SqlRow): Reconciliation {
  const books = row['books']
  return {
    ...{ chainId: Number(row['chain_id']), contract: String(row['contract']), tokenId: String(row['token_id']) },
    ...{ block: Number(row['block']), atSec: Number(row['at_sec']) },
    books: typeof books === 'string' ? (JSON.parse(books) as AgentBooks) : null,
    differences: JSON.parse(String(row['differences'])) as Difference[],
  }
}
