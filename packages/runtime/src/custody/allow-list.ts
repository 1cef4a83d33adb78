import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { isIdentifier, isRail, isRailAddress, type Rail, type RailAddress, U64_MAX } from '@oikos/core/economic'
import { CustodyError } from './errors.ts'
import { preparePrivateFolder, readPrivateFile, writePrivateFile } from './private-files.ts'

/** A destination that custody signs for. Amounts in the smallest unit of the rail's native asset. */
export type AllowedDestination = {
  readonly walletId: string
  readonly rail: Rail
  readonly destination: RailAddress
  /** The most that one payment may transfer. */
  readonly maxAmountAtomic: bigint
  /** The most that the transfer itself may cost. */
  readonly maxFeeAtomic: bigint
}

/** Custody's own list, independent of any policy. What is not on it is not signed. */
export type AllowList = {
  readonly list: () => Promise<readonly AllowedDestination[]>
  /** Adds a row, or replaces the one of the same wallet, rail and destination. */
  readonly put: (row: AllowedDestination) => Promise<void>
  readonly remove: (row: Pick<AllowedDestination, 'walletId' | 'rail' | 'destination'>) => Promise<void>
}

const SCHEMA = 'oikos.custody-allow-list.v1'
const FILE_NAME = 'allow-list.json'
/** Rows of one list. */
const MAX_ROWS = 1_000

/** The list in a folder of custody. It is read again for each signature, so that a change counts at once. */
export function openAllowList(folder: string): AllowList {
  const path = join(folder, FILE_NAME)
  const list = async (): Promise<readonly AllowedDestination[]> => {
    const text = await readPrivateFile(path)
    return text === undefined ? [] : parseRows(text, path)
  }
  const write = async (rows: readonly AllowedDestination[]): Promise<void> => {
    await preparePrivateFolder(folder)
    await writePrivateFile(path, renderRows(rows), { token: randomBytes(8).toString('hex'), mode: 'replace' })
  }
  return {
    list,
    put: async (row) => {
      assertRow(row)
      const others = (await list()).filter((other) => !isSame(other, row))
      if (others.length >= MAX_ROWS)
        throw new CustodyError('request_malformed', `the list has ${MAX_ROWS} rows already`)
      await write([...others, row])
    },
    remove: async (row) => write((await list()).filter((other) => !isSame(other, row))),
  }
}

/** The row for a destination of a wallet. Throws {@link CustodyError} `destination_refused`. */
export function findAllowed(
  rows: readonly AllowedDestination[],
  wanted: Pick<AllowedDestination, 'walletId' | 'rail' | 'destination'>,
): AllowedDestination {
  const row = rows.find((candidate) => isSame(candidate, wanted))
  if (row !== undefined) return row
  throw new CustodyError(
    'destination_refused',
    `${wanted.walletId} may not pay ${wanted.destination} on ${wanted.rail}`,
  )
}

function isSame(
  left: Pick<AllowedDestination, 'walletId' | 'rail' | 'destination'>,
  right: Pick<AllowedDestination, 'walletId' | 'rail' | 'destination'>,
): boolean {
  return left.walletId === right.walletId && left.rail === right.rail && left.destination === right.destination
}

function assertRow(row: AllowedDestination): void {
  const isAmount = (amount: bigint) => amount >= 0n && amount <= U64_MAX
  const legal =
    isIdentifier(row.walletId) &&
    isRail(row.rail) &&
    isRailAddress(row.rail, row.destination) &&
    isAmount(row.maxAmountAtomic) &&
    isAmount(row.maxFeeAtomic)
  if (!legal)
    throw new CustodyError('request_malformed', 'a row has a wallet, a rail, an address of it and two amounts')
}

function renderRows(rows: readonly AllowedDestination[]): string {
  const wire = rows.map(({ walletId, rail, destination, maxAmountAtomic, maxFeeAtomic }) => ({
    wallet: walletId,
    rail,
    destination,
    maxAmountAtomic: maxAmountAtomic.toString(),
    maxFeeAtomic: maxFeeAtomic.toString(),
  }))
  return `${JSON.stringify({ schema: SCHEMA, rows: wire }, null, 2)}\n`
}

function parseRows(text: string, path: string): readonly AllowedDestination[] {
  const malformed = new CustodyError('file_malformed', `${path} is not of the form ${SCHEMA}`)
  let value: { readonly schema?: unknown; readonly rows?: unknown } | null
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed
  }
  const rows = value?.schema === SCHEMA ? value.rows : undefined
  if (!Array.isArray(rows) || rows.length > MAX_ROWS) throw malformed
  return rows.map((row: unknown) => {
    const parsed = parseRow(row)
    if (parsed === undefined) throw malformed
    return parsed
  })
}

const DIGITS = /^[0-9]{1,20}$/

function parseRow(value: unknown): AllowedDestination | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { wallet, rail, destination, maxAmountAtomic, maxFeeAtomic } = value as Readonly<Record<string, unknown>>
  if (typeof wallet !== 'string' || typeof rail !== 'string' || typeof destination !== 'string') return undefined
  if (typeof maxAmountAtomic !== 'string' || typeof maxFeeAtomic !== 'string') return undefined
  if (!isIdentifier(wallet) || !isRail(rail) || !isRailAddress(rail, destination)) return undefined
  if (!DIGITS.test(maxAmountAtomic) || !DIGITS.test(maxFeeAtomic)) return undefined
  const amounts = { maxAmountAtomic: BigInt(maxAmountAtomic), maxFeeAtomic: BigInt(maxFeeAtomic) }
  return { walletId: wallet, rail, destination, ...amounts }
}
