import type { Context } from 'ponder:registry'
import schema from 'ponder:schema'
import type { Address, Hex } from 'viem'
import { type ContractReader, createContractReader } from '../../src/chain/read-contract.ts'
import { plus } from '../../src/ledger/index.ts'
import { type ChainPlan, readPlan } from '../../src/plan/index-plan.ts'

/** What every handler gets: the database of the index, and which chain the event is of. */
export type Indexing = { readonly db: Context['db']; readonly chain: { readonly id: number } }

/** What every event has. */
export type Logged = {
  readonly id: string
  readonly block: { readonly number: bigint; readonly timestamp: bigint }
  readonly transaction: { readonly hash: Hex; readonly from: Hex; readonly to: Hex | null; readonly input: Hex }
  readonly log: { readonly address: Hex; readonly logIndex: number }
}

const plan = readPlan(process.env)
const chains = new Map(plan.chains.map((chain) => [chain.chainId, chain]))
const readers = new Map<number, ContractReader>()

/** The plan of a chain that is indexed. */
export function chainPlanOf(chainId: number): ChainPlan {
  const found = chains.get(chainId)
  if (found === undefined) throw new Error(`chain ${chainId} is indexed and not planned`)
  return found
}

/** Reads contracts of a chain. */
export function readerOf(chainId: number): ContractReader {
  const known = readers.get(chainId)
  if (known !== undefined) return known
  const made = createContractReader(chainPlanOf(chainId).rpcUrls)
  readers.set(chainId, made)
  return made
}

/** Addresses are kept and compared in lower case. */
export function low(address: Hex): Address {
  return address.toLowerCase() as Address
}

/** Where an event is: the columns that every row has. */
export function placeOf(event: Logged): { block: number; timeSec: number; tx: Hex; logIndex: number } {
  return {
    block: Number(event.block.number),
    timeSec: Number(event.block.timestamp),
    tx: event.transaction.hash,
    logIndex: event.log.logIndex,
  }
}

/** Where a row was first made. */
export function birthOf(event: Logged): { bornBlock: number; bornTimeSec: number; bornTx: Hex; bornLogIndex: number } {
  const { block, timeSec, tx, logIndex } = placeOf(event)
  return { bornBlock: block, bornTimeSec: timeSec, bornTx: tx, bornLogIndex: logIndex }
}

/** What an event is about, for the stream. */
export type ActivityFacts = {
  readonly subject: 'agent' | 'tender' | 'scope' | 'companion'
  readonly event: string
  /** The contract that it is about; default the emitter. */
  readonly contract?: Hex
  readonly tokenId?: bigint
  readonly account?: Hex
  readonly amount?: bigint
}

/** Keeps an event in the stream of all events. */
export async function keepActivity({ db, chain }: Indexing, event: Logged, facts: ActivityFacts): Promise<void> {
  await db.insert(schema.activity).values({
    id: event.id,
    chainId: chain.id,
    ...placeOf(event),
    contract: low(facts.contract ?? event.log.address),
    subject: facts.subject,
    event: facts.event,
    tokenId: facts.tokenId ?? null,
    account: facts.account === undefined ? null : low(facts.account),
    amount: facts.amount ?? null,
  })
}

/** Counts an event that is kept out. */
export async function ignore({ db, chain }: Indexing, reason: string): Promise<void> {
  await db
    .insert(schema.ignored)
    .values({ chainId: chain.id, reason, count: 1 })
    .onConflictDoUpdate((row) => ({ count: Number(plus(BigInt(row.count), 1n)) }))
}
