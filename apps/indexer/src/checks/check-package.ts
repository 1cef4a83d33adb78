import { parseTaskHash, parseTdHash } from '@oikos/core'
import { type ContentResolver, fetchTaskPackage } from '@oikos/sdk/content'
import { boundText, MAX_NAME_LENGTH } from '../ledger/index.ts'
import { packageSchema, tenderDetailSchema } from '../rest/types.ts'
import type { CheckOutcome } from './check-store.ts'
import type { IndexClient } from './index-client.ts'

/** Codes of one verdict that are kept. */
const MAX_CODES = 20

/** Longest title that is kept, twice the length of a name. */
const MAX_TITLE_LENGTH = 2 * MAX_NAME_LENGTH

/** Most bytes of one object of a package that are fetched here; a reader who wants more checks it himself. */
const MAX_OBJECT_BYTES = 16 * 1_048_576

/** Checks one version of a package against its hashes, its history and the terms. Throws the reason of an aborted signal. */
export async function checkPackage(
  subject: string,
  {
    index,
    resolver,
    signal,
  }: { readonly index: IndexClient; readonly resolver: ContentResolver; readonly signal: AbortSignal },
): Promise<Omit<CheckOutcome, 'retryAtSec'>> {
  const given = packageSchema.parse(JSON.parse(subject))
  const { chainId, contract, tokenId, version, maxCompletions } = given
  const tender = await index.ask(`/v1/tenders/${chainId}/${contract}/${tokenId}`, tenderDetailSchema)
  const { verdict } = await fetchTaskPackage({
    ...{ uri: given.taskUri, taskHash: parseTaskHash(given.taskHash), resolver, signal },
    binding: { tdHash: parseTdHash(given.tdHash), version: BigInt(version) },
    // a version answers for those before it, and for none that came after
    history: tender.bindings
      .map((one) => ({ taskHash: parseTaskHash(one.taskHash), version: BigInt(one.version) }))
      .filter((one) => one.version <= BigInt(version)),
    ...(maxCompletions === null ? {} : { terms: { maxCompletions: BigInt(maxCompletions) } }),
    limits: { objectBytes: MAX_OBJECT_BYTES },
  })
  const state = verdict.status === 'valid' ? 'verified' : verdict.status === 'invalid' ? 'refused' : 'unavailable'
  const name = verdict.facts.manifest?.name
  return {
    ...{ state, codes: [...new Set<string>(verdict.findings.map(({ code }) => code))].slice(0, MAX_CODES), from: null },
    title: state === 'verified' && name !== undefined ? boundText(name, MAX_TITLE_LENGTH) : null,
  }
}
