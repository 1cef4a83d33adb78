import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Cancellation,
  createEconomicAgent,
  createRehearsalChain,
  createRehearsalHost,
  type EconomicAgent,
  type EconomicAgentHost,
  type JournalArchive,
  openSqliteJournal,
  type PaymentJournal,
  rehearsalPolicy,
  rehearsalSource,
} from '@oikos/runtime'

/** Whom the policy allows to be paid, and a stranger whom it does not. */
export const supplier = `0x${'aa'.repeat(20)}`
export const stranger = `0x${'bb'.repeat(20)}`

/** One wallet may pay one supplier: at most 400 wei at once, 1000 wei within 24 hours. */
export const policy = rehearsalPolicy({ recipients: [supplier], maxAmountAtomic: 400n, maxRolling24hAtomic: 1000n })

/** Everything that lives longer than a process: the journal, and what the chain has accepted. */
export type Purse = {
  readonly journal: PaymentJournal & JournalArchive
  readonly host: EconomicAgentHost
  readonly broadcasts: () => readonly string[]
}

const nowMs = (): bigint => BigInt(Date.now())
const never: Cancellation = { aborted: false }

/** Opens the purse in a folder. `decide` is the approver; `onBroadcast` runs when the chain has a transaction. */
export async function openPurse(
  folder: string,
  options: { readonly decide?: () => 'approved' | 'rejected'; readonly onBroadcast?: () => void } = {},
): Promise<Purse> {
  const path = join(folder, 'chain.txt')
  const accepted = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const journal = await openSqliteJournal(join(folder, 'journal.sqlite'))
  const chain = createRehearsalChain({ clockMs: nowMs, accepted })
  const started = performance.now()
  const elapsedMs = (): bigint => BigInt(Math.floor(performance.now() - started))
  const { decide } = options
  const host = createRehearsalHost({ journal, chain, elapsedMs, ...(decide === undefined ? {} : { decide }) })
  const { evm } = host.rails
  const broadcast: typeof evm.broadcast = async (signed, sink) => {
    const disposition = await evm.broadcast(signed, sink)
    appendFileSync(path, `${chain.broadcasts.at(-1)}\n`)
    options.onBroadcast?.()
    return disposition
  }
  return {
    journal,
    host: { ...host, rails: { ...host.rails, evm: { ...evm, broadcast } } },
    broadcasts: () => chain.broadcasts,
  }
}

/** The engine over a purse. */
export function agentOf(purse: Purse): EconomicAgent {
  return createEconomicAgent(policy, purse.host, never)
}

/** A run of a model that ends with a payment: what the model says, and nothing more. */
export function proposal(idempotencyKey: string, recipient: string, amountAtomic: bigint, createdAtMs = nowMs()) {
  return rehearsalSource({ idempotencyKey, recipient, amountAtomic, createdAtMs })
}
