import { taskTokenAbi } from '@oikos/core/abi'
import { type Difference, tenderDetailSchema } from '../rest/types.ts'
import type { Reconciliation } from './check-store.ts'
import { type Compared, differencesOf, type Reconciling, wordOf } from './reconcile-agent.ts'

/**
 * Compares a tender with what its contract answers at the block of its last event. A vault that holds more than the events
 * explain got a gift. Undefined where the index went on in the meantime. Throws NodeFailedError.
 */
export async function reconcileTender(
  { index, reader, nowSec }: Reconciling,
  chainId: number,
  contract: string,
  tokenId: string,
): Promise<Reconciliation | undefined> {
  const path = `/v1/tenders/${chainId}/${contract}/${tokenId}`
  const tender = await index.ask(path, tenderDetailSchema)
  const { block } = tender.updatedAt
  const atSec = nowSec()
  const about = { address: contract as `0x${string}`, abi: taskTokenAbi, args: [BigInt(tokenId)], at: block } as const
  const { read } = reader
  const [escrow, completions, pending, submissions, binding, owner, authority, judge, frozen, cancelled] =
    await Promise.all([
      read({ ...about, functionName: 'escrowBalanceOf' }),
      read({ ...about, functionName: 'completionsOf' }),
      read({ ...about, functionName: 'pendingOf' }),
      read({ ...about, functionName: 'submissionCountOf' }),
      read({ ...about, functionName: 'taskOf' }),
      read({ ...about, functionName: 'ownerOf' }),
      read({ ...about, functionName: 'updateAuthorityOf' }),
      read({ ...about, functionName: 'acceptanceAuthorityOf' }),
      read({ ...about, functionName: 'isTaskFrozen' }),
      read({ ...about, functionName: 'isTenderCancelled' }),
    ])
  const word = (value: string | boolean | undefined): bigint | undefined =>
    value === undefined ? undefined : wordOf(value)
  const compared: Compared[] = [
    { field: 'completions', indexed: BigInt(tender.completions), onChain: completions },
    { field: 'pending', indexed: BigInt(tender.pending), onChain: pending },
    { field: 'submissions', indexed: BigInt(tender.submissions), onChain: submissions },
    { field: 'version', indexed: BigInt(tender.version), onChain: binding?.version },
    { field: 'taskHash', indexed: BigInt(tender.taskHash), onChain: word(binding?.taskHash) },
    { field: 'updateAuthority', indexed: wordOf(tender.updateAuthority), onChain: word(authority) },
    { field: 'acceptanceAuthority', indexed: wordOf(tender.judge?.address ?? null), onChain: word(judge) },
    { field: 'isFrozen', indexed: wordOf(tender.isFrozen), onChain: word(frozen) },
    { field: 'isCancelled', indexed: wordOf(tender.isCancelled), onChain: word(cancelled) },
    ...(tender.owner === null ? [] : [{ field: 'owner', indexed: wordOf(tender.owner), onChain: word(owner) }]),
  ]
  // the balance of a vault moves without an event of the tender, by gifts, so more than what is known is no difference
  const known = BigInt(tender.escrow) + BigInt(tender.credited)
  const [ofVault] = differencesOf({ chainId, contract, block, atSec }, [
    { field: 'escrow', indexed: known, onChain: escrow },
  ])
  const gift: Difference[] =
    ofVault === undefined ? [] : [{ ...ofVault, kind: escrow !== undefined && escrow > known ? 'gift' : ofVault.kind }]
  const again = await index.ask(path, tenderDetailSchema)
  if (again.updatedAt.tx !== tender.updatedAt.tx || again.updatedAt.logIndex !== tender.updatedAt.logIndex)
    return undefined
  const found = [...differencesOf({ chainId, contract, block, atSec }, compared), ...gift]
  return {
    ...{ chainId, contract, tokenId, block, atSec, books: null },
    differences: found.map((one) => ({ ...one, subject: one.subject === '' ? tokenId : one.subject })),
  }
}
