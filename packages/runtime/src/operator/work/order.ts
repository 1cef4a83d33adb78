import { createPackageReader, DEFAULT_LIMITS, type JsonObject, parseStrictJson, type TaskHash } from '@oikos/core'
import { listTaskUpdated, type Tender } from '@oikos/sdk'
import { fetchTaskPackage } from '@oikos/sdk/content'
import type { WorkOrder } from '../../workers/worker.ts'
import type { OperatorContext } from '../context.ts'
import type { TenderLimits } from '../options.ts'

/** A verified package as work, or why it is none. `isSettled`: asking again would not help. */
export type OpenedPackage =
  | { readonly ok: true; readonly order: WorkOrder; readonly packageBytes: number; readonly document: string }
  | { readonly ok: false; readonly code: string; readonly reason: string; readonly isSettled: boolean }

/**
 * Fetches the package of a tender, verifies every object of it against the chain, and reads its files. It is hostile input:
 * nothing of it is used before the verdict, and all of it is bounded.
 */
export async function openPackage(
  context: OperatorContext,
  limits: TenderLimits,
  { task, tokenId, binding, taskURI, terms, blockNumber }: Tender,
  signal: AbortSignal,
): Promise<OpenedPackage> {
  const { client, resolver, content } = context
  const market = limits.markets.find((known) => known.task === task)
  const { events } = await listTaskUpdated(client, {
    task,
    tokenId,
    fromBlock: market?.fromBlock ?? 0n,
    toBlock: blockNumber,
  })
  const { taskHash, tdHash, version } = binding
  const { verdict, source } = await fetchTaskPackage({
    ...{ uri: taskURI, taskHash, binding: { tdHash, version }, resolver, keep: content, signal },
    history: events.map(({ args }) => ({ taskHash: args.taskHash as TaskHash, version: args.version })),
    terms: { maxCompletions: terms.maxCompletions },
    limits: { packageBytes: limits.maxPackageBytes },
  })
  const { root, facts } = verdict
  if (!verdict.ok || root === undefined) {
    const [first] = verdict.findings
    const reason = `The package is ${verdict.status}: ${first?.message ?? 'there is no root'}.`
    return {
      ok: false,
      code: `package.${first?.code ?? verdict.status}`,
      reason,
      isSettled: verdict.status === 'invalid',
    }
  }
  if (root.confidentiality !== undefined)
    return { ok: false, code: 'confidential', reason: 'Parts of the package are encrypted.', isSettled: true }
  const reader = await createPackageReader({ root, source })
  const files = new Map<string, Uint8Array>()
  for (const document of reader.documents) files.set(document.path, await reader.read(document))
  const fulfillment = files.get('fulfillment.json')
  const parsed = fulfillment === undefined ? undefined : parseStrictJson(fulfillment, DEFAULT_LIMITS)
  const order: WorkOrder = {
    ...{ taskHash, specProfile: root.spec.profile, files, resources: new Map() },
    fulfillment: parsed?.ok === true ? (parsed.value as JsonObject) : undefined,
  }
  const bytes = [...files.values()].reduce((total, { length }) => total + length, 0)
  const document = new TextDecoder().decode(files.get(root.td.path)?.subarray(0, MAX_DOCUMENT_BYTES))
  return { ok: true, order, packageBytes: facts.packageBytes ?? bytes, document }
}

/** So much of the primary document is shown to a decider. */
const MAX_DOCUMENT_BYTES = 20_000
