import { createContractReader } from '../chain/read-contract.ts'
import type { IndexPlan } from '../plan/index-plan.ts'

/** Milliseconds for which an answer of a node holds: a status that many readers ask for asks the node once. */
const HOLDS_MS = 1_000

/** Asks the nodes of a plan for their latest blocks; null where one does not answer. */
export function createHeads(plan: IndexPlan): (chainId: number) => Promise<number | null> {
  const kept = new Map<number, { readonly atMs: number; readonly head: Promise<number | null> }>()
  const readers = new Map(plan.chains.map(({ chainId, rpcUrls }) => [chainId, createContractReader(rpcUrls)]))
  return (chainId) => {
    const known = kept.get(chainId)
    if (known !== undefined && Date.now() - known.atMs < HOLDS_MS) return known.head
    const reader = readers.get(chainId)
    const head = reader === undefined ? Promise.resolve(null) : reader.blockNumber().catch(() => null)
    kept.set(chainId, { atMs: Date.now(), head })
    return head
  }
}
