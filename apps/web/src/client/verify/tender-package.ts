import { type Cid, type Finding, listDocuments, parseTaskHash, parseTdHash, viewTask } from '@oikos/core'
import type { TenderDetail } from '@oikos/indexer/rest'
import { getTender, listTaskUpdated } from '@oikos/sdk'
import { createContentResolver, fetchTaskPackage } from '@oikos/sdk/content'
import { type Client, getAddress } from 'viem'

/** A file of a package, as far as a page shows it. */
type PackageFile = {
  readonly path: string
  readonly cid: string
  readonly bytes: Uint8Array | undefined
}

/** What this browser found, from chain and gateway alone. */
export type PackageCheck = {
  readonly status: string
  readonly ok: boolean
  readonly version: bigint
  readonly findings: readonly Finding[]
  readonly unchecked: readonly string[]
  readonly files: readonly PackageFile[]
  readonly checkedAtSec: number
}

/** Largest file that is shown in the page; larger ones are verified and named. */
const SHOWN_BYTES = 256 * 1024
/** Files that are read for showing. */
const SHOWN_FILES = 64

/**
 * Verifies the files of a tender in this browser: binding, history and terms come from the chain by the visitor's own
 * requests, bytes from the gateway, and nothing is believed of the index.
 */
export async function checkPackage(
  client: Client,
  { tender, fromBlock, signal }: { tender: TenderDetail; fromBlock: bigint; signal: AbortSignal },
): Promise<PackageCheck> {
  const target = { task: getAddress(tender.contract), tokenId: BigInt(tender.tokenId) }
  const onChain = await getTender(client, target)
  const { events } = await listTaskUpdated(client, { ...target, fromBlock })
  const { binding, terms, taskURI } = onChain
  const resolver = createContentResolver({ gateways: [location.origin], fetch: (url, init) => fetch(url, init) })
  const { verdict, source } = await fetchTaskPackage({
    uri: taskURI,
    taskHash: parseTaskHash(binding.taskHash),
    binding: { tdHash: parseTdHash(binding.tdHash), version: binding.version },
    history: events.map(({ args }) => ({ taskHash: parseTaskHash(args.taskHash), version: args.version })),
    terms: { maxCompletions: terms.maxCompletions },
    resolver,
    signal,
  })
  const read = async (cid: Cid): Promise<Uint8Array | undefined> => {
    try {
      return await source.get(cid, { maxBytes: SHOWN_BYTES })
    } catch {
      return undefined
    }
  }
  const documents = verdict.ok && verdict.root !== undefined ? listDocuments(viewTask(verdict.root)) : []
  const files: PackageFile[] = []
  for (const { path, cid } of documents.slice(0, SHOWN_FILES)) files.push({ path, cid, bytes: await read(cid) })
  return {
    status: verdict.status,
    ok: verdict.ok,
    version: binding.version,
    findings: verdict.findings,
    unchecked: verdict.facts.notChecked,
    files,
    checkedAtSec: Math.floor(Date.now() / 1000),
  }
}
